//! Taking a read bias back: a writer that has just set WRITER waits for the readers in slots.
//!
//! WRITER keeps new readers out, and the bias stays in the owner word until the writer has looked
//! through the slots. A writer that put its name there before that, and gave up, would let the next
//! writer in beside readers that nobody looks for. So a writer that gives up leaves a bias on, if
//! only the symmetric form.
//!
//! 1. Under the asymmetric form the writer makes a heavy fence: each reader sees WRITER when it
//!    looks again, or the writer sees its slot. Under the symmetric form the step that set WRITER
//!    does for that, with a full fence where the step is no fence.
//! 2. The writer looks at each slot of each thread that ever read by slot, and waits for a slot
//!    that names the lock: awake for a moment, then asleep. Nobody else can come in meanwhile, so
//!    the wait ends with the longest of the reads under way. Before it sleeps the writer makes a
//!    heavy fence under either form: clearing a slot is a plain store. Where there is no such fence
//!    it takes short naps.
//!
//! Handlers that use the lock are kept away meanwhile, where the platform can do that
//! ([`Platform::shield`]): a handler on top of this writer would wait for the writer.

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
    /// signed earlier, and gave up, would hide readers from the next writer. If the limit ends the
    /// wait, gives WRITER back for `share`, which the caller had before.
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
        // − WRITER + share. Release: pairs with the acquire of the next writer's step, so that
        // writer's name comes behind the bias that this writer has left. After this step the lock
        // may be freed, so no look at the lock moves behind it.
        let step = share.wrapping_sub(WRITER);
        let order = ordered!(Release, unless RevokerGivingUpRelaxed);
        let v = Count(self.count.fetch_add(step, order).wrapping_add(step));
        count(Event::RwsemWlockFail);
        // Reserved or not: a thread that queued behind WRITER may not have been called since.
        if !mutated!(RevokerGivingUpWakesNobody) {
            wake::<P>(v.head());
        }
        Err(Refused::TimedOut)
    }

    /// Waits until no slot names the lock, as far as the limit allows. Returns the price of such a
    /// look, in reads; `None`: a slot still names the lock.
    fn look_through(&self, by: Hint, limit: &mut DrainLimit) -> Option<u32> {
        // Without it the lock's bias would not have been switched on.
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
            // Pairs with the reader's fence between its slot and its look at the count.
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

    /// Whether a slot names the lock: its thread reads, or is about to see that it must not. A
    /// writer that would not wait for a slot asks before its step. Otherwise that step would keep
    /// other readers out for nothing, and perhaps cost a fence.
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
