//! Taking a read bias back: a writer that has just set WRITER waits for the readers in slots.
//!
//! WRITER keeps new readers out, and the bias stays in the owner word until the slots have been
//! looked through. A writer that put its name there before that, and gave up, would let the next
//! one in beside readers that nobody looks for. So one that gives up leaves a bias on, if only the
//! symmetric one.
//!
//! 1. Where the bias is asymmetric, a heavy fence: each reader either sees WRITER when it looks
//!    again, or its slot is seen here. Where it is symmetric, the step that set WRITER does for
//!    that.
//! 2. Each slot of each thread that ever read by slot; one that names the lock is waited for, awake
//!    for a moment, then asleep. Nobody else can come in meanwhile, so the wait ends with the
//!    longest of the reads that are under way. Before it sleeps the writer makes a heavy fence
//!    under either form: clearing is a plain store. Where there is none it takes short naps.
//!
//! Handlers that use the lock are kept away meanwhile, where the platform can do that
//! ([`Platform::shield`]): one on top of this writer would wait for it.

use crate::events::{Event, count};
use crate::platform::Platform;
use crate::record::{Record, Slots};
use crate::rwsem::slots::has_slots;
use crate::rwsem::word::count::{Count, WRITER};
use crate::rwsem::word::owner::Hint;
use crate::rwsem::word::wake;
use crate::rwsem::{Policy, Refused, RwSem};
use crate::sync::{mutated, ordered, step_fence};
use crate::wait::DrainLimit;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller has set WRITER. Waits until no slot names the lock, then signs: a writer that
    /// signed earlier, and gave up, would hide readers from the next one. If it cannot wait so long
    /// it gives WRITER back for `share`, what it had before.
    #[inline]
    pub(in crate::rwsem) fn drained(&self, limit: DrainLimit, share: u64) -> Result<(), Refused> {
        let bias = self.owner.hint();
        if has_slots::<L>() && bias.is_on() {
            return self.drain(bias, limit, share);
        }
        self.sign(self.look());
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn drain(&self, by: Hint, mut limit: DrainLimit, share: u64) -> Result<(), Refused> {
        if mutated!(RevokerSignsTooSoon) {
            self.sign(self.look());
        }
        let drained = match self.look_through(by, &mut limit) {
            Some(price) => {
                self.stay_or_sign(by, price);
                Ok(())
            }
            None => {
                self.stay_for_the_next_writer(by);
                self.write_given_up(share)
            }
        };
        limit.unshield::<P>();
        drained
    }

    #[cold]
    fn write_given_up(&self, share: u64) -> Result<(), Refused> {
        if mutated!(RevokerGivingUpSigns) {
            self.sign(self.look());
        }
        // − WRITER + share. Release: pairs with the acquire of the next writer's step, whose name
        // comes behind the bias that this one has left. And after this step the lock may be freed,
        // so no look at it moves behind.
        let step = share.wrapping_sub(WRITER);
        let order = ordered!(Release, unless RevokerGivingUpRelaxed);
        let v = Count(self.count.fetch_add(step, order).wrapping_add(step));
        count(Event::RwsemWlockFail);
        // Reserved or not: whoever queued behind WRITER may not have been called since.
        if !mutated!(RevokerGivingUpWakesNobody) {
            wake::<P>(v.head());
        }
        Err(Refused::TimedOut)
    }

    /// Waits until no slot names the lock, as far as the limit allows. Returns what the look has
    /// cost.
    fn look_through(&self, by: Hint, limit: &mut DrainLimit) -> Option<u32> {
        // The bias was switched on on the strength of it.
        let Some(bias) = P::bias() else { unreachable!("a platform's bias stays") };
        let is_asymmetric = !by.is_symmetric();
        let is_timed = is_asymmetric || P::current().samples().is_look_timed();
        let begun = is_timed.then(P::now);
        count(Event::RwsemBiasRevoke);
        match is_asymmetric {
            true if mutated!(SlotsSeenWithoutFence) => {}
            false if mutated!(SymmetricSeenWithoutFence) => {}
            true => {
                limit.shield::<P>();
                P::heavy_fence();
            }
            // Pairs with the reader's, between its slot and its look at the count.
            false => step_fence(),
        }
        let (key, mut looked) = (self.key(), 0);
        let drained = bias.readers.all(P::record).all(|record| {
            looked += 1;
            Slots::drain::<P>(record, key, limit)
        });
        if let Some(begun) = begun {
            let now = P::now();
            if is_asymmetric {
                bias.pause(begun, now, limit.waited, L::BIAS_PAUSE);
            } else {
                let clock = P::now().nanos_since(now);
                bias.time_look(now.nanos_since(begun).saturating_sub(limit.waited + clock));
            }
        }
        drained.then(|| {
            bias.looked_at(looked);
            bias.look_price()
        })
    }

    /// Whether a slot names the lock: somebody reads it, or is about to see that it must not. Who
    /// would not wait for one asks before its step, which would keep other readers out for nothing,
    /// and cost a fence perhaps.
    #[cold]
    pub(in crate::rwsem) fn is_in_a_slot(&self) -> bool {
        let key = self.key();
        let names_it = |record: &Record| record.slots().name(key);
        self.has_bias() && P::bias().is_some_and(|bias| bias.readers.all(P::record).any(names_it))
    }

    #[cold]
    #[inline(never)]
    pub(in crate::rwsem) fn forget_slots(&self) {
        let Some(bias) = P::bias() else { return };
        let begun = P::now();
        for record in bias.readers.all(P::record) {
            record.slots().forget(self.key());
        }
        bias.pause_after_look(begun, P::now(), L::BIAS_PAUSE);
    }
}
