//! Reading: what happens when the fast path's addition did not get the lock.

use super::count::{BIAS, Count, GUARD, HANDOFF, WAITERS, WRITER};
use super::queue::{GiveBack, Turn};
use super::token::Token;
use super::{Policy, Refused, RwSem};
use crate::events::{Event, count};
use crate::platform::{Instant, Platform};
use crate::sync::{Ordering, mutated, ordered};
use crate::wait::{Kind, unpark};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The reader's share is in the count; `v` is the value after its addition.
    #[cold]
    pub(super) fn read_slow(
        &self,
        v: Count,
        deadline: Option<Instant>,
    ) -> Result<Token<L>, Refused> {
        // Who has the lock by a slot must not wait for a writer that waits for that slot.
        if let Some(token) = self.read_again() {
            self.take_share_back(mutated!(ReaderGivingUpWakesNobody));
            return Ok(token);
        }
        // Nor who has it by a share and knows it.
        if v.admits_recursive_reader() && self.is_noted() {
            return Ok(self.counted());
        }
        self.count_reader(v, deadline)?;
        Ok(self.counted())
    }

    /// A reader has got in by a step that led to `v`, perhaps past waiters.
    #[inline]
    pub(super) fn reader_is_in(&self, v: Count) {
        self.sign_reader(v);
        self.consider_bias(v);
        if v.has(WAITERS) {
            self.pass(L::MAX_READ_PASSES);
        }
    }

    /// The share stays, or the reader queues.
    fn count_reader(&self, v: Count, deadline: Option<Instant>) -> Result<(), Refused> {
        if L::JOIN_READERS && v.lets_reader_in::<L>() {
            self.reader_is_in(v);
            return Ok(());
        }
        if v.has(GUARD) && !mutated!(GuardIgnored) {
            return self.give_up_share(Refused::TooManyReaders);
        }
        // Steal, but only with no other reader inside: a stream of readers, each holding the door
        // for the next, must not starve a sleeper.
        let handoff = v.has(HANDOFF) && !mutated!(ReaderStealsThoughHandoff);
        if L::STEAL_READ && !L::JOIN_READERS && !v.has(WRITER) && !handoff && v.readers() == 1 {
            count(Event::RwsemRlockSteal);
            return Ok(());
        }
        if is_over::<P>(deadline) {
            return self.give_up_share(Refused::TimedOut);
        }
        if L::SPIN_TO_READ
            && let Some(v) = self.spin_for_read(v)
        {
            self.reader_is_in(v);
            return Ok(());
        }
        self.queue_reader(deadline)
    }

    /// The reader gives up before having queued.
    fn give_up_share(&self, why: Refused) -> Result<(), Refused> {
        count(Event::RwsemRlockFail);
        let silently = match why {
            Refused::TimedOut => mutated!(ReaderGivingUpWakesNobody),
            Refused::TooManyReaders => mutated!(GuardWakesNobody),
        };
        self.take_share_back(silently);
        Err(why)
    }

    /// − BIAS. Rule F: our share may have kept a head from the lock.
    fn take_share_back(&self, silently: bool) {
        // Relaxed: nothing was read under this share.
        let v = Count(self.count.fetch_sub(BIAS, Ordering::Relaxed)).minus_reader();
        if let Some(head) = v.head_if_free()
            && !silently
        {
            unpark::<P>(head);
        }
    }

    /// Queues, and gives the share back in the step that makes the reader known.
    fn queue_reader(&self, deadline: Option<Instant>) -> Result<(), Refused> {
        let turn = Turn::new::<P>(Kind::Reader, deadline);
        let list = self.waiters.lock::<P>();
        // Acquire: pairs with the release of the writer that kept us out. Our share stood in the
        // count since then, so no other can have come.
        let order = ordered!(Acquire, unless EmptyQueueSeenRelaxed);
        let v = Count(self.count.load(order));
        let joins = L::JOIN_READERS && v.lets_reader_in::<L>();
        if joins || list.first().is_none() && !v.has(WRITER) {
            return Ok(());
        }
        self.queue(list, &turn, GiveBack::Share)
    }
}

/// Whether `deadline` has passed. Asks the clock only if there is a deadline.
pub(super) fn is_over<P: Platform>(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| P::now() >= deadline)
}
