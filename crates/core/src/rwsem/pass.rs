//! Passing waiters by, and how it ends.
//!
//! Whoever runs and takes the lock past sleepers keeps it busy at no cost: nobody has to be called,
//! no processor changes threads. A thread that does so again and again has to stop at some time; the
//! clock of the first waiter says when (handoff), but where holds last nanoseconds and processors
//! are short, that waiter may itself wait for a processor long after it is due. So the thread that
//! passes counts, and after [`Policy::MAX_PASSES`] (a reader: [`Policy::MAX_READ_PASSES`]) reserves the lock for the first waiter itself.

use super::count::{HANDOFF, UPGRADER};
use super::{Policy, RwSem};
use crate::events::{Event, count};
use crate::platform::Platform;
use crate::sync::mutated;
use crate::wait::unpark;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller passes waiters by, as it may do so often. False: it has; the lock is reserved now.
    #[inline]
    pub(super) fn pass(&self, most: u32) -> bool {
        if most == u32::MAX || P::current().count_pass() < most {
            return true;
        }
        if mutated!(PassesForEver) {
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
        P::current().forget_passes();
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
