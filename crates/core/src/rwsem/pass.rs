//! Passing waiters by, and how it ends.
//!
//! Whoever runs and takes the lock past sleepers keeps it busy at no cost: nobody has to be called,
//! no processor changes threads. A thread that does so again and again has to stop at some time; the
//! clock of the first waiter says when (handoff), but where holds last nanoseconds and processors
//! are short, that waiter may itself wait for a processor long after it is due. So the thread that
//! passes counts, and after [`Policy::MAX_PASSES`] reserves the lock for the first waiter itself; or, where that
//! was too soon to be worth a change of threads, after [`Policy::MIN_TURN`].
//!
//! It counts from when the first waiter was beaten. Until then that one has been called, or will be when the lock is
//! next left free, and waits only for a processor: if the lock were reserved for it, all others would wait for that
//! processor too.

use super::word::count::{Count, HANDOFF, UPGRADER};
use super::{Policy, RwSem};
use crate::events::{Event, count};
use crate::platform::Platform;
use crate::record::MOST_PASSES;
use crate::sync::mutated;
use crate::wait::unpark;

/// Beyond the limit the clock is looked at once in so many passes.
const PASSES_A_LOOK: u32 = 1024;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller passes waiters by, as it may do so often. False: it has; the lock is reserved now.
    #[inline]
    pub(super) fn pass(&self) -> bool {
        if L::MAX_PASSES == u32::MAX || P::current().passes().count(P::now) < L::MAX_PASSES {
            return true;
        }
        self.has_passed_enough()
    }

    /// A reader passes the first waiter, which was beaten, at this count.
    pub(super) fn pass_as_reader(&self, v: Count) {
        if v.has_dozing_reader() {
            self.call_dozing_reader(v);
        }
        self.pass();
    }

    /// Readers have the lock: one who dozes may have it as well.
    #[cold]
    fn call_dozing_reader(&self, mut v: Count) {
        while v.has_dozing_reader()
            && let Some(head) = v.head()
        {
            match self.count_cas(v, v.with_dozing(false)) {
                Ok(()) => return unpark::<P>(head),
                Err(now) => v = now,
            }
        }
    }

    /// As often as it may; but where holds are very short that is over too soon.
    #[cold]
    fn has_passed_enough(&self) -> bool {
        if mutated!(PassesForEver) {
            return true;
        }
        let passes = P::current().passes();
        let may_go_on = || {
            !passes.number().is_multiple_of(PASSES_A_LOOK)
                || passes.began_before(P::now()) < L::MIN_TURN
        };
        if L::MIN_TURN != 0 && passes.number() < MOST_PASSES && may_go_on() {
            return true;
        }
        self.end_passing();
        false
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
