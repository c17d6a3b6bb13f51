//! What a first waiter sees when it wakes: whether waiting awake pays at this lock.
//!
//! Where threads meet at a lock now and then, or hold it for longer than it takes to sleep, a spin
//! saves a sleep. Where they meet at every hold and holds are short, two threads that spin for each
//! other take the lock by turns. Every line that the lock protects then moves each time: a hold of
//! 0.1 µs becomes one of 1 µs. There it is better that one thread sleeps while the other passes it
//! by some thousand times.
//!
//! A spinner cannot see which of the two cases this is, since its spinning makes the holds long.
//! But a waiter that sleeps at the head leaves the writer that passes it alone, and that writer
//! counts its passes (see `record::passes`). From one look to the next their number tells how long
//! a round takes, a hold and the pause after it. If rounds are shorter than [`SHORT_ROUND`], or too
//! short to heed the waiter, the waiter's thread sleeps at once for a while
//! ([`Policy::SPIN_REST`]). If they are longer, it waits awake. A thread that often waits awake
//! sleeps now and then to see (see `record::habit`).

use crate::platform::Platform;
use crate::record::{PassesSeen, RecordId};
use crate::rwsem::pass::SHORT_ROUND;
use crate::rwsem::queue::Turn;
use crate::rwsem::word::count::{Count, HEAD_HEEDED};
use crate::rwsem::{Policy, RwSem};

/// The writer that passes the waiter by, as far as is known, and how often it had passed at a
/// moment.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    writer: RecordId,
    passes: PassesSeen,
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller is the first waiter at `v`, and is about to sleep or has slept.
    pub(super) fn watch(&self, turn: &Turn, v: Count) {
        const { assert!(L::SPIN_REST <= 125_000_000, "Policy::SPIN_REST must be at most 125 ms") }
        let hint = self.owner.hint();
        let Some(writer) = hint.writer().filter(|_| L::SPIN_REST != 0) else { return };
        let now = P::now();
        if !v.has(HEAD_HEEDED) && hint.passed() {
            // Reads were not counted as passes meanwhile.
            turn.sight.set(None);
            return turn.me.spin_node().get_used(false, now, L::SPIN_REST);
        }
        let seen = Sight { writer, passes: P::record(writer).passes().see(now) };
        let before = turn.sight.get().filter(|before| before.writer == writer);
        // A waiter that is called in vain looks again at once: a single pass tells nothing.
        if before.is_some_and(|before| !before.passes.is_older(now, turn.me.sleeps(1))) {
            return;
        }
        turn.sight.set(Some(seen));
        // The writer did get in past a waiter, at this lock.
        let Some(before) = before.filter(|_| hint.passed()) else { return };
        if let Some(are_short) = seen.passes.are_quicker(before.passes, SHORT_ROUND) {
            turn.me.spin_node().get_used(!are_short, now, L::SPIN_REST);
        }
    }
}
