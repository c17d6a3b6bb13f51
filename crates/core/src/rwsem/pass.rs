//! Passing waiters by, and how it ends.
//!
//! Whoever runs and takes the lock past sleepers keeps it busy at no cost: nobody has to be called,
//! no processor changes threads. A thread that does so again and again has to stop at some time; the
//! clock of the first waiter says when (handoff), but that waiter may itself wait for a processor long after it
//! is due. So the thread that passes counts, and its *turn* is over after a time that is long beside what a change
//! of threads takes ([`PassLimit::Sleeps`]). Where each pass, with the hold and the pause after it, takes longer than
//! a sleep, a turn is two of them: there passing saves nothing. The clock is looked at at ever fewer of the passes,
//! so that it costs nothing where holds last nanoseconds, and the turn ends in time where they last long.
//!
//! The first waiter, if it dozes, is called then, and reserves the lock itself as soon as it runs: nobody has to wait
//! while it wakes. If it does not come, since no processor is free, or listens already, and is beaten all the same,
//! the thread that passes reserves the lock for it.
//!
//! It counts from when the first waiter was beaten. Until then that one has been called, or will be when the lock is
//! next left free, and waits only for a processor: if the lock were reserved for it, all others would wait for that
//! processor too.

use super::policy::PassLimit;
use super::word::count::{Count, HANDOFF, HEAD_DOZES, UPGRADER};
use super::{Policy, RwSem};
use crate::events::{Event, count};
use crate::platform::Platform;
use crate::record::{MOST_PASSES, is_timed};
use crate::sync::mutated;
use crate::wait::unpark;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller passes waiters by, as it may do for some time. False: that is over; the lock is reserved now.
    #[inline]
    pub(super) fn pass(&self) -> bool {
        match L::PASS_LIMIT {
            PassLimit::Never => true,
            PassLimit::Passes(most) => {
                P::current().passes().count() < most || !self.end_passing_at_limit()
            }
            PassLimit::Sleeps(sleeps) => {
                let number = P::current().passes().count();
                !is_timed(number) || self.goes_on(number, sleeps)
            }
        }
    }

    /// A reader passes the first waiter, which was beaten, at this count.
    pub(super) fn pass_as_reader(&self, v: Count) {
        if v.has_dozing_reader() {
            // Readers have the lock: one who dozes may have it as well.
            self.call_dozer(v, Count::has_dozing_reader);
        }
        self.pass();
    }

    /// Takes HEAD_DOZES off and calls the first waiter, for as long as the count says so. Whether it did.
    #[cold]
    fn call_dozer(&self, mut v: Count, dozes: impl Fn(Count) -> bool) -> bool {
        while dozes(v)
            && let Some(head) = v.head()
        {
            match self.count_cas(v, v.with_dozing(false)) {
                Ok(()) => {
                    unpark::<P>(head);
                    return true;
                }
                Err(now) => v = now,
            }
        }
        false
    }

    /// Whether the caller may go on after a pass with this number, one of those at which it looks at the clock.
    #[cold]
    fn goes_on(&self, number: u32, sleeps: u32) -> bool {
        let (me, now) = (P::current(), P::now());
        if number == 1 {
            me.passes().begin(now);
            return true;
        }
        let (most, lasted) = (me.sleeps(sleeps), me.passes().began_before(now));
        let turn = most.min(me.sleeps(number - 1));
        if lasted < turn && number < MOST_PASSES {
            return true;
        }
        // After twice the time it has not been passing all the while.
        if lasted > 2 * most || self.call_dozer(self.look(), |v| v.has(HEAD_DOZES)) {
            me.passes().begin(now);
            return true;
        }
        !self.end_passing_at_limit()
    }

    /// Whether it did so.
    #[cold]
    fn end_passing_at_limit(&self) -> bool {
        if mutated!(PassesForEver) {
            return false;
        }
        self.end_passing();
        true
    }

    /// HANDOFF on, if somebody still waits. The first waiter is called: it may be dozing, and is
    /// needed now. Not while somebody may upgrade: the first may be another who wants to, whom the
    /// readers that would be kept out do not keep out.
    #[cold]
    pub(super) fn end_passing(&self) {
        // A thread without a record has passed nobody, and is given none while it holds the lock (R10).
        if P::current_number() != 0 {
            P::current().passes().forget();
        }
        let mut v = self.look();
        while !v.has(HANDOFF | UPGRADER)
            && let Some(head) = v.head()
        {
            match self.count_cas(v, v.reserved()) {
                Ok(()) => {
                    count(Event::RwsemHandoff);
                    if !mutated!(DozerIsNotCalled) {
                        unpark::<P>(head);
                    }
                    return;
                }
                Err(now) => v = now,
            }
        }
    }
}
