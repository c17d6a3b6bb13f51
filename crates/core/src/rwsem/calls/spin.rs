//! Optimistic spinning: a writer waits awake while the owner is running, since it will soon release
//! (the anon-vma report, first tweak).
//!
//! One spinner at a time polls the lock. The others wait for their turn in the spinners' queue, and look at the
//! clock alone: if each looked at the lock, its line would have to come to each of them after each change.
//! Polling ends when the owner is not running, when the lock is reserved for a sleeper, when
//! readers have had the lock for too long, and all spinning after a while.
//!
//! A thread that has seen that spinning does not pay here (see `queue::watch`) sleeps at once.

use crate::events::{Event, count};
use crate::platform::{Instant, Platform};
use crate::rwsem::word::count::{Count, HANDOFF, WAITERS, WRITER};
use crate::rwsem::{Policy, RwSem};
use crate::spin::SHORT_SPIN;
use crate::sync::{mutated, ordered, spin_while};
use crate::wait::Waiting;

/// Readers that hold the lock longer are not spun on. Nanoseconds; the kernel's choice is 10 to 25.
const SPIN_ON_READERS_FOR: u64 = 15_000;

/// A reader looks at the count so many times [`SHORT_SPIN`] times, some microseconds: its share keeps
/// other writers out meanwhile.
const READER_SPINS: u32 = 4;

/// No spinner waits longer for the lock, whatever the hints say. Nanoseconds.
const SPIN_FOR: u64 = 50_000;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Spins for the lock; true: it is ours.
    pub(in crate::rwsem) fn spin_for_write(&self, deadline: Option<Instant>) -> bool {
        let Some(now) = self.begin_to_spin(self.look()) else {
            count(Event::RwsemOptNospin);
            return false;
        };
        let me = P::current();
        let waiting = Waiting::new(me);
        // A handler on top of a spinner: the node may be in that one's queue.
        if waiting.is_nested() {
            count(Event::RwsemOptNospin);
            return false;
        }
        let bound = now.after(SPIN_FOR);
        let end = deadline.map_or(bound, |deadline| deadline.min(bound));
        let end = if mutated!(SpinsWithoutBound) { end.after(u64::MAX) } else { end };
        let over = || P::now() >= end;
        let taken = self.spinners.enter::<P>(me, over) && {
            let taken = self.poll(end);
            self.spinners.leave::<P>(me);
            taken
        };
        count(if taken { Event::RwsemOptLock } else { Event::RwsemOptFail });
        taken
    }

    /// A reader that saw `v` waits awake for a moment for the writer inside to leave. Returns the count if
    /// that has gone and a share is a read: its own, if that is in the count. Not where others wait,
    /// who came before.
    pub(in crate::rwsem) fn spin_for_read(&self, mut v: Count) -> Option<Count> {
        let alone = |v: Count| v.has(WRITER) && !v.has(WAITERS);
        if !alone(v) || self.begin_to_spin(v).is_none() {
            return None;
        }
        for _ in 0..READER_SPINS {
            v = Count(spin_while(&self.count, v.0, SHORT_SPIN));
            if !alone(v) {
                break;
            }
        }
        // Acquire: pairs with the release of the writer that has left. Our share stood in the count all
        // the time, so no other can have come.
        let v = Count(self.count.load(ordered!(Acquire, unless SpunReadRelaxed)));
        let in_anyway = mutated!(SpunReaderIsInAnyway);
        (v.lets_reader_in::<L>() || in_anyway).then_some(v)
    }

    /// The time, if waiting awake is worth it at `v`, and the thread has not seen lately that it is not.
    fn begin_to_spin(&self, v: Count) -> Option<Instant> {
        if !P::may_spin() || !self.is_worth_spinning(v) {
            return None;
        }
        let now = P::now();
        P::current().spin_node().is_rested(now).then_some(now)
    }

    /// Whether the lock is likely to become free, for anybody, soon.
    fn is_worth_spinning(&self, v: Count) -> bool {
        if v.has(HANDOFF) && !mutated!(SpinsOnReservedLock) {
            return false;
        }
        let hint = self.owner.hint();
        if v.has(WRITER) {
            // An owner that has not signed yet is running, or waits for readers in slots, perhaps asleep, or has
            // left a bias on, and nobody can tell. `SPIN_FOR` bounds that.
            hint.writer().is_none_or(|owner| P::may_spin_on(P::record(owner)))
        } else {
            v.is_free() || L::SPIN_ON_READERS && !hint.forbids_spinning()
        }
    }

    /// Our turn: polls the lock until it is ours, or not worth it, or `end`.
    fn poll(&self, end: Instant) -> bool {
        let mut readers_since = None;
        loop {
            let v = self.look();
            if self.may_steal(v) {
                if self.steal_write(v) {
                    return true;
                }
                continue;
            }
            let now = P::now();
            if now >= end || !self.is_worth_spinning(v) {
                return false;
            }
            if v.has(WRITER) {
                readers_since = None;
            } else if now.nanos_since(*readers_since.get_or_insert(now)) >= SPIN_ON_READERS_FOR {
                if !mutated!(ForbidsNobody) {
                    self.owner.forbid_spinning();
                }
                return false;
            }
            spin_while(&self.count, v.0, SHORT_SPIN);
        }
    }
}
