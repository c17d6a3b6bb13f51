//! Revoking a read bias: a writer that has just set WRITER waits for the readers in slots.
//!
//! WRITER keeps new readers out, and the bias stays in the owner word until the slots have been looked
//! through. A writer that put its name there before that, and gave up, would let the next one in beside
//! readers that nobody looks for. So one that gives up leaves the word as it is.
//!
//! 1. Heavy fence: each reader either sees WRITER when it looks again, or its slot is seen here.
//! 2. Each slot of each thread that ever read by slot, or of the one that the lock is biased to; one that
//!    names the lock is waited for, awake for a moment, then asleep. Nobody else can come in meanwhile, so the wait ends with the longest
//!    of the reads that are under way.

use crate::events::{Event, count};
use crate::platform::Platform;
use crate::rwsem::slots::owner_bias::has_slots;
use crate::rwsem::word::count::{Count, WRITER};
use crate::rwsem::word::owner::Hint;
use crate::rwsem::word::wake;
use crate::rwsem::{Policy, Refused, RwSem};
use crate::sync::{Ordering, mutated};
use crate::wait::{DrainLimit, Record, Slots};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller has set WRITER. Waits until no slot names the lock, then signs: a writer that signed earlier,
    /// and gave up, would hide readers from the next one. If it cannot wait so long it gives WRITER back for
    /// `share`, what it had before.
    #[inline]
    pub(in crate::rwsem) fn drained(&self, limit: DrainLimit, share: u64) -> Result<(), Refused> {
        if has_slots::<L>() && !self.is_drained(limit) {
            return self.write_given_up(share);
        }
        self.sign(self.look());
        Ok(())
    }

    #[inline]
    fn is_drained(&self, limit: DrainLimit) -> bool {
        let bias = self.owner.hint();
        if mutated!(RevokerSignsTooSoon) {
            self.sign(self.look());
        }
        !bias.is_on() || self.is_drained_by_owner(bias) || self.drain(bias, limit)
    }

    #[cold]
    fn write_given_up(&self, share: u64) -> Result<(), Refused> {
        if mutated!(RevokerGivingUpSigns) {
            self.sign(self.look());
        }
        // − WRITER + share. Release: after this step the lock may be freed, so no look at it moves behind.
        let step = share.wrapping_sub(WRITER);
        let v = Count(self.count.fetch_add(step, Ordering::Release).wrapping_add(step));
        count(Event::RwsemWlockFail);
        // Reserved or not: whoever queued behind WRITER may not have been called since.
        if !mutated!(RevokerGivingUpWakesNobody) {
            wake::<P>(v.head());
        }
        Err(Refused::TimedOut)
    }

    #[cold]
    #[inline(never)]
    fn drain(&self, by: Hint, mut limit: DrainLimit) -> bool {
        // The bias was switched on on the strength of it.
        let Some(bias) = P::bias() else { unreachable!("a platform's bias stays") };
        count(Event::RwsemBiasRevoke);
        // Who would not wait costs no fence if a reader is seen at once.
        if !limit.may_wait() && self.is_in_a_slot() && !mutated!(TryWriteWaitsForSlots) {
            return false;
        }
        let begun = P::now();
        if !mutated!(SlotsSeenWithoutFence) {
            P::heavy_fence();
        }
        let key = self.key();
        let mut cleared = |record| Slots::drain::<P>(record, key, &mut limit);
        let drained = match by.biased_to() {
            Some(owner) => cleared(P::record(owner)),
            None => bias.readers.all::<P>().all(cleared),
        };
        bias.pause::<P>(begun, limit.waited, L::BIAS_PAUSE);
        drained
    }

    /// Whether a slot names the lock: somebody reads it, or is about to see that it must not.
    #[cold]
    pub(in crate::rwsem) fn is_in_a_slot(&self) -> bool {
        let (hint, key) = (self.owner.hint(), self.key());
        let name_it = |record: &Record| record.slots().find(|slot| slot.names(key)).is_some();
        match P::bias() {
            Some(bias) if hint.is_biased_to_all() => bias.readers.all::<P>().any(name_it),
            _ => hint.biased_to().is_some_and(|owner| name_it(P::record(owner))),
        }
    }

    #[cold]
    #[inline(never)]
    pub(in crate::rwsem) fn forget_slots(&self, by: Hint) {
        if let Some(owner) = by.biased_to() {
            return P::record(owner).slots().forget(self.key());
        }
        let Some(bias) = P::bias() else { return };
        let begun = P::now();
        for record in bias.readers.all::<P>() {
            record.slots().forget(self.key());
        }
        bias.pause_after_look::<P>(begun, L::BIAS_PAUSE);
    }
}
