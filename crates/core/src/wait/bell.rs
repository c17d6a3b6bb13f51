//! How a writer waits for the reader in a slot.
//!
//! **The bell.** A thread that clears a slot looks at `sleepers` afterwards, and rings if there are
//! any. A writer raises `sleepers`, makes that seen by all, reads the bell, and only then looks at
//! the slot once more. If the slot was cleared before, the writer does not sleep; if it is cleared
//! later, the reader sees `sleepers` and rings. The bell's value tells whether it rang between the
//! look and the sleep. Where there is no heavy fence a reader may overlook a writer, so the writer
//! sleeps for a millisecond at most. `sleepers` is a count and no name: the slot may be in use for
//! another lock, with another writer, before the first writer has woken.

use crate::platform::{Bias, Instant, Platform};
use crate::record::{Key, Record, Slot, Slots};
use crate::spin::SHORT_SPIN;
use crate::sync::{Ordering, mutated, ordered};

/// Nanoseconds that a writer sleeps before it looks at a slot again, where its reader may have
/// overlooked it. A store is seen within microseconds, so nearly always the reader calls the
/// writer.
const NAP: u64 = 1_000_000;

/// How long a writer waits for slots.
#[derive(Debug)]
pub(crate) struct DrainLimit {
    may_wait: bool,
    deadline: Option<Instant>,
    /// Nanoseconds for each slot.
    at_most: u64,
    /// Nanoseconds that the writer has waited so far.
    pub(crate) waited: u64,
    /// What [`Platform::shield`] has answered, if it was asked.
    shield: Option<u64>,
}

impl DrainLimit {
    /// The writer gives up at once.
    pub(crate) const NONE: Self =
        Self { may_wait: false, deadline: None, at_most: u64::MAX, waited: 0, shield: None };

    /// The writer waits until the deadline, or for ever, and for each slot at most so many
    /// nanoseconds.
    pub(crate) const fn until(deadline: Option<Instant>, at_most: u64) -> Self {
        Self { may_wait: true, deadline, at_most, waited: 0, shield: None }
    }

    /// Keeps handlers that use the lock away from now on. Such a handler would wait for WRITER,
    /// which its own thread gives back only after the handler.
    pub(crate) fn shield<P: Platform>(&mut self) {
        if !mutated!(DrainLetsHandlersIn) {
            self.shield.get_or_insert_with(P::shield);
        }
    }

    /// Lets such handlers come again: the writer has got in, or has given WRITER back.
    pub(crate) fn unshield<P: Platform>(&mut self) {
        if let Some(shield) = self.shield.take() {
            P::unshield(shield);
        }
    }

    /// The end of a wait for one slot that begins now.
    fn ends(&self, now: Instant) -> Option<Instant> {
        match self.at_most {
            u64::MAX => self.deadline,
            at_most => Some(now.after(at_most).at_most(self.deadline)),
        }
    }
}

impl Slots {
    /// Waits until no slot names the lock, as far as the limit allows. False: one still does.
    #[inline]
    pub(crate) fn drain<P: Platform>(record: &Record, key: Key, limit: &mut DrainLimit) -> bool {
        record.slots().all().iter().all(|slot| slot.drain::<P>(record, key, limit))
    }
}

impl Slot {
    /// The slot was cleared: calls the writers that wait for it.
    pub(crate) fn wake_drainers<P: Platform>(&self) {
        if self.is_awaited() {
            self.ring::<P>();
        }
    }

    #[cold]
    fn ring<P: Platform>(&self) {
        // Release: pairs with the acquire in `wait_until_cleared`.
        self.bell.fetch_add(1, ordered!(Release, unless BellRungRelaxed));
        P::wake_all(&self.bell);
    }

    /// Waits until the slot does not name the lock any more, as far as the limit allows. False: it
    /// still does. For a writer whose WRITER keeps new readers out, after the fence that the bias
    /// needs. Nearly always this is one look, and a writer makes thousands of them, so the look is
    /// inline.
    #[inline]
    pub(super) fn drain<P: Platform>(
        &self,
        record: &Record,
        key: Key,
        limit: &mut DrainLimit,
    ) -> bool {
        self.is_cleared(key) || self.drain_used::<P>(record, key, limit)
    }

    #[cold]
    #[inline(never)]
    fn drain_used<P: Platform>(&self, record: &Record, key: Key, limit: &mut DrainLimit) -> bool {
        if !limit.may_wait && !mutated!(TryWriteWaitsForSlots) {
            return false;
        }
        limit.shield::<P>();
        let begun = P::now();
        let ends = limit.ends(begun);
        let cleared = self.cleared_soon::<P>(key, P::current().awake_until(begun, ends))
            || self.wait_until_cleared::<P>(record, key, ends);
        limit.waited += P::now().nanos_since(begun);
        cleared
    }

    /// Looks for as long as a sleep would cost.
    fn cleared_soon<P: Platform>(&self, key: Key, end: Instant) -> bool {
        if !P::may_spin() {
            return false;
        }
        loop {
            self.mark.watch(key, SHORT_SPIN);
            if self.is_cleared(key) || P::now() >= end {
                return self.is_cleared(key);
            }
        }
    }

    fn wait_until_cleared<P: Platform>(
        &self,
        record: &Record,
        key: Key,
        deadline: Option<Instant>,
    ) -> bool {
        // Relaxed: the heavy fence makes it seen, or the reader sees it before the next nap ends.
        if mutated!(SlotMarkIsAName) {
            self.sleepers.store(P::current().id().get(), Ordering::Relaxed);
        } else {
            self.sleepers.fetch_add(1, Ordering::Relaxed);
        }
        let has_fence = || P::bias().is_some_and(Bias::has_heavy_fence);
        let fenced = has_fence();
        if fenced && !mutated!(SlotNoSecondFence) {
            P::heavy_fence();
        }
        // A fence that the system refused does not count, nor one that has become known since.
        let fenced = fenced || mutated!(FenceOfAnotherCounts);
        let is_called = fenced && has_fence() || mutated!(UnfencedWriterSleepsOn);
        let cleared = loop {
            // Acquire: pairs with the release in `ring`: a writer that sees that the bell has rung
            // also sees the slot that was cleared before.
            let rung = self.bell.load(ordered!(Acquire, unless BellSeenRelaxed));
            if !mutated!(SlotNoSecondLook) && self.is_cleared(key) {
                break true;
            }
            if deadline.is_some_and(|deadline| P::now() >= deadline) {
                break false;
            }
            let until =
                if is_called { deadline } else { Some(P::now().after(NAP).at_most(deadline)) };
            P::wait(record, &self.bell, rung, until);
            if mutated!(SlotNoSecondLook) && self.is_cleared(key) {
                break true;
            }
        };
        // Relaxed: where `sleepers` is one too many, a reader calls in vain.
        if mutated!(SlotMarkIsAName) {
            self.sleepers.store(0, Ordering::Relaxed);
        } else {
            self.sleepers.fetch_sub(1, Ordering::Relaxed);
        }
        cleared
    }
}
