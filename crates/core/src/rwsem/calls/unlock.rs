//! Unlocking and downgrading: one releasing step, then at most one call, to the waiter that its
//! value names.
//!
//! Nothing in this file looks at the lock after the releasing step (rule U): by then a new holder
//! may have freed it. Only records are still touched, which are never freed: the caller's own
//! record, and the record of the waiter that the value of that step names.

use super::NotHeld;
use crate::events::{Event, count};
use crate::platform::Platform;
use crate::rwsem::slots::has_slots;
use crate::rwsem::word::count::{Count, HEAD_DOZES, HEAD_HEEDED, READER, UPGRADER, WRITER};
use crate::rwsem::word::token::ReadToken;
use crate::rwsem::word::wake;
use crate::rwsem::{Policy, RwSem};
use crate::sync::{mutated, ordered};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Releases a read lock.
    ///
    /// # Panics
    /// If the token is unknown and the calling thread does not have the lock.
    ///
    /// # Safety
    /// The caller has the lock by the read that returned `token`.
    #[inline]
    #[track_caller]
    pub unsafe fn read_unlock(&self, token: ReadToken<L::Guards>) {
        match token.slot() {
            None if !has_slots::<L>() => self.unlock_counted(),
            slot => self.unlock_by(slot),
        }
    }

    /// − READER, and rule F.
    #[inline]
    pub(in crate::rwsem) fn unlock_share(&self) {
        if let Some(v) = self.give_share_back() {
            Self::after_share(v);
        }
    }

    /// A share was given back, which led to `v`: rule F. Out of line, since this function saves
    /// registers.
    #[cold]
    #[inline(never)]
    pub(super) fn after_share(v: Count) {
        if v.must_wake_head() {
            wake::<P>(v.head());
        }
        Self::see_how_long_it_read(v);
    }

    /// − READER. Returns the value after the step, if there is a first waiter that is heeded.
    #[inline]
    pub(super) fn give_share_back(&self) -> Option<Count> {
        // − READER. Release: pairs with the acquire of the writer that comes next.
        let order = ordered!(Release, unless ReadUnlockRelaxed);
        let before = Count(self.count.fetch_sub(READER, order));
        debug_assert!(
            before.readers() != 0,
            "unlock of a read that nobody has: unlock once for each read"
        );
        // The common case has a comparison of its own: with it a read and its unlock cost what two
        // bare atomics do, without it a fifth more.
        if before == Count(READER) && !mutated!(UnlockLooksAgain) {
            return None;
        }
        let v = before.minus_reader();
        let v = if mutated!(UnlockLooksAgain) { self.look() } else { v };
        v.has(HEAD_HEEDED).then_some(v)
    }

    /// Releases a read lock and reserves the lock for the first waiter.
    ///
    /// # Safety
    /// The caller has the lock by the read that returned `token`.
    #[track_caller]
    pub unsafe fn read_unlock_fair(&self, token: ReadToken<L::Guards>) {
        match token.slot() {
            Some(slot) => {
                // The caller is still inside here; the unlock itself does not touch the lock.
                self.end_passing();
                self.unlock_by(Some(slot));
            }
            None => {
                self.forget_share();
                wake::<P>(self.release_reserving(READER).head_if_free());
            }
        }
    }

    /// Releases a write lock.
    ///
    /// # Safety
    /// The caller has the lock by a write.
    #[inline]
    pub unsafe fn write_unlock(&self) {
        if !self.frees_at_once() {
            self.write_unlock_slow();
        }
    }

    /// Releases a write lock, if a writer has the lock: for a caller that may be wrong about that.
    ///
    /// # Errors
    /// [`NotHeld`]: nothing was released.
    ///
    /// # Safety
    /// The caller has the lock by a write, or no writer has it.
    #[inline]
    pub unsafe fn write_unlock_if_held(&self) -> Result<(), NotHeld> {
        // Without a writer the step fails, too.
        if self.frees_at_once() { Ok(()) } else { self.write_unlock_if_held_slow() }
    }

    /// WRITER → 0, if nobody has come meanwhile. Not tried if the caller has got in past waiters:
    /// they will still be there, and the step is sure to fail.
    #[inline]
    pub(super) fn frees_at_once(&self) -> bool {
        !self.owner.hint().passed() && self.count_release(Count(WRITER), Count(0)).is_ok()
    }

    #[cold]
    #[inline(never)]
    pub(super) fn write_unlock_if_held_slow(&self) -> Result<(), NotHeld> {
        if !self.look().has(WRITER) && !mutated!(WriteUnlockSubtracts) {
            return Err(NotHeld);
        }
        self.write_unlock_slow();
        Ok(())
    }

    /// Somebody waits, or a reader is about to: its share is in the count.
    #[cold]
    fn write_unlock_slow(&self) {
        // − WRITER. Release: pairs with the acquire of the thread that comes next.
        let order = ordered!(Release, unless WriteUnlockRelaxed);
        let before = Count(self.count.fetch_sub(WRITER, order));
        debug_assert!(
            before.has(WRITER),
            "unlock of a write that nobody has: unlock once for each write"
        );
        let v = before.without(WRITER);
        let v = if mutated!(UnlockLooksAgain) { self.look() } else { v };
        if mutated!(WriteUnlockWakesOnlyIfFree) {
            return wake::<P>(v.head_if_free());
        }
        // A waiter that dozes has seen that the lock is taken again at once. A waiter that is not
        // heeded was called.
        if v.has(HEAD_HEEDED) && !v.has(HEAD_DOZES) {
            wake::<P>(v.head());
        }
    }

    /// Releases a write lock and reserves the lock for the first waiter.
    ///
    /// # Safety
    /// The caller has the lock by a write.
    pub unsafe fn write_unlock_fair(&self) {
        wake::<P>(self.release_reserving(WRITER).head());
    }

    /// Turns a write into a read. No writer comes in between.
    ///
    /// # Safety
    /// The caller has the lock by a write.
    pub unsafe fn downgrade(&self) -> ReadToken<L::Guards> {
        self.write_to_share(READER);
        self.counted()
    }

    /// − WRITER + `share`: the writer stays inside as some kind of reader.
    pub(in crate::rwsem) fn write_to_share(&self, share: u64) {
        count(Event::RwsemDowngrade);
        let step = share.wrapping_sub(WRITER);
        // Release: pairs with the acquire of the readers that now come in.
        let order = ordered!(Release, unless DowngradeRelaxed);
        let v = Count(self.count.fetch_add(step, order).wrapping_add(step));
        if !mutated!(DowngradeWakesNobody) {
            wake::<P>(v.head());
        }
    }

    /// − `held`, and HANDOFF on if somebody waits. Not while another thread has UPGRADER: see
    /// `end_passing`.
    pub(in crate::rwsem) fn release_reserving(&self, held: u64) -> Count {
        let mut v = self.look();
        loop {
            let left = Count(v.0 - held);
            let helps = left.head().is_some() && !left.has(UPGRADER);
            let reserves = helps && !mutated!(FairUnlockReservesNothing);
            let to = if reserves { left.reserved() } else { left };
            match self.count_release(v, to) {
                Ok(()) => {
                    if reserves {
                        count(Event::RwsemHandoff);
                    }
                    return to;
                }
                Err(now) => v = now,
            }
        }
    }
}
