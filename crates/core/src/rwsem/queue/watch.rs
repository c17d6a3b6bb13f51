//! What a first waiter sees while it dozes: whether spinning pays at this lock.
//!
//! Where threads meet at a lock now and then, or hold it for longer than it takes to sleep, a spin
//! saves a sleep. Where they meet at every hold and holds are short, two that spin for each other
//! take the lock in turns, and every line that it protects moves each time: a hold of 0.1 µs becomes
//! one of 1 µs. There it is better that one sleeps while the other passes it by some thousand times.
//!
//! Which of the two it is cannot be seen by spinning, since spinning is what makes the holds long. But
//! a writer that sleeps at the head leaves the one who passes it alone, and whoever passes counts: from
//! one doze to the next that count tells how long a hold and the pause after it take then. Shorter than
//! [`Policy::SHORT_ROUND`]: this thread does not spin for a while ([`Policy::SPIN_REST`]). Longer: it may
//! at once.

use crate::platform::{Instant, Platform};
use crate::record::RecordId;
use crate::rwsem::queue::Turn;
use crate::rwsem::{Policy, RwSem};
use crate::wait::Kind;

/// Who passes the waiter by, how often it had done so, and when.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    passer: RecordId,
    passes: u32,
    at: Instant,
}

impl Sight {
    /// Nanoseconds that each hold and the pause after it took since `before`, if that can be told: the
    /// same thread has passed all the time, and has not begun to count anew.
    fn round_since(self, before: Self) -> Option<u64> {
        let rounds = self.passes.checked_sub(before.passes)?;
        let went_on = self.passer == before.passer;
        // Not `/`, which would bring a panic along: where nobody passed there is none.
        went_on.then(|| self.at.nanos_since(before.at).checked_div(u64::from(rounds)))?
    }
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller, the first waiter, has found the lock held.
    pub(super) fn watch(&self, turn: &Turn) {
        const { assert!(L::SPIN_REST <= 1_000_000_000, "Policy::SPIN_REST must be at most 1 s") }
        if !L::SPIN_ON_WRITER || L::SPIN_REST == 0 || turn.node.kind() != Kind::Writer {
            return;
        }
        let Some(passer) = self.owner.hint().passing_writer() else { return };
        let now = Sight { passer, passes: P::record(passer).passes().number(), at: P::now() };
        let before = turn.sight.replace(Some(now));
        if let Some(round) = before.and_then(|before| now.round_since(before)) {
            let rest = if round < L::SHORT_ROUND { L::SPIN_REST } else { 0 };
            turn.me.spin_node().rest_until(now.at.after(rest));
        }
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    fn sight(passer: u32, passes: u32, at: u64) -> Sight {
        let passer = RecordId::new(passer).expect("an id");
        Sight { passer, passes, at: Instant::from_nanos(at) }
    }

    #[test]
    fn watch_tells_how_long_a_round_takes() {
        assert_eq!(sight(1, 410, 201_000).round_since(sight(1, 10, 1_000)), Some(500));
    }

    #[test]
    fn watch_tells_nothing_of_two_passers_or_of_a_count_begun_anew() {
        assert_eq!(sight(2, 410, 201_000).round_since(sight(1, 10, 1_000)), None);
        assert_eq!(sight(1, 9, 201_000).round_since(sight(1, 10, 1_000)), None);
        assert_eq!(sight(1, 10, 201_000).round_since(sight(1, 10, 1_000)), None);
    }
}
