//! Unlocking a read, where locks may be read by slot, and one whose token is lost.

use crate::platform::Platform;
use crate::record::Slot;
use crate::rwsem::word::count::{Count, WRITER};
use crate::rwsem::word::wake;
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;
use core::hint::cold_path;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Releases a read that a slot stands for, if it is the only one and no writer waits for it; or
    /// a share where nobody heeds a waiter. That is all of an unlock that stands inline.
    #[inline]
    #[track_caller]
    pub(in crate::rwsem) fn unlock_by(&self, slot: Option<&Slot>) {
        if mutated!(SlotLookOvertakesClearing)
            && let Some(slot) = slot
        {
            slot.wake_drainers::<P>();
        }
        let (released, v) = match slot {
            None if !L::NOTE_READS => match self.give_share_back() {
                None => return,
                Some(v) => (true, v),
            },
            None => (false, Count(0)),
            Some(slot) => {
                let cleared = slot.mark.clear_only(self.key());
                if cleared && !slot.is_awaited() && !mutated!(SlotUnlockLooksAtLock) {
                    return;
                }
                (cleared, Count(0))
            }
        };
        cold_path();
        self.unlock_otherwise(slot, released, v);
        if mutated!(SlotUnlockLooksAtLock) {
            self.look();
        }
    }

    /// With a noted share, more holds, an unknown token, or somebody to call. `released`: the lock
    /// may be gone; if by a share, that led to `v`.
    #[inline(never)]
    #[track_caller]
    fn unlock_otherwise(&self, slot: Option<&Slot>, released: bool, v: Count) {
        match slot {
            None if released => Self::after_share(v),
            None => self.unlock_counted(),
            Some(slot) => self.unlock_slot_otherwise(slot, released),
        }
    }

    /// Out of line, so that who had a share has nothing to save and restore.
    #[inline(never)]
    #[track_caller]
    fn unlock_slot_otherwise(&self, slot: &Slot, cleared: bool) {
        if !cleared && !slot.mark.take(self.key()) {
            return self.unlock_unknown();
        }
        if !mutated!(SlotLookOvertakesClearing) {
            slot.wake_drainers::<P>();
        }
    }

    /// The slot does not name the lock: an unknown token.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn unlock_unknown(&self) {
        // SAFETY: the caller of `read_unlock` says that it has the lock.
        if let Err(error) = unsafe { self.read_unlock_untokened() } {
            panic!("{error}");
        }
    }

    /// Releases a read lock whose token is not to be had (a C caller's). By the thread that read.
    ///
    /// # Errors
    /// [`NotHeld`]: nothing was released.
    ///
    /// # Safety
    /// The calling thread has the lock by a read, or nobody has it, or one thread alone, by an
    /// upgradable read, and nobody waits.
    pub unsafe fn read_unlock_untokened(&self) -> Result<(), NotHeld> {
        if self.has_bias()
            && let Some(slot) = P::current().slots().find(|slot| slot.mark.take(self.key()))
        {
            if !mutated!(SlotUnlockUntokenedInSilence) {
                slot.wake_drainers::<P>();
            }
            return Ok(());
        }
        // A caller that reads by a share sees that share: the count tells it of nobody else.
        let v = self.look();
        if v.readers() == 0 && !mutated!(UntokenedSubtracts) || v.is_upgradable_alone() {
            return Err(NotHeld);
        }
        self.forget_share();
        if mutated!(UntokenedSubtracts) {
            self.unlock_share();
            return Ok(());
        }
        if self.unlock_share_while(|| true) { Ok(()) } else { Err(NotHeld) }
    }

    /// Releases a share, if the count shows one as long as `is_held` says so. Whether it did.
    pub(in crate::rwsem) fn unlock_share_while(&self, is_held: impl Fn() -> bool) -> bool {
        let mut v = self.look();
        // By R4 a writer has no counted reader beside it.
        while v.readers() != 0 && !v.has(WRITER) && is_held() {
            let left = v.minus_reader();
            match self.count_release(v, left) {
                Ok(()) => {
                    if left.must_wake_head() {
                        wake::<P>(left.head());
                    }
                    return true;
                }
                Err(now) => v = now,
            }
        }
        false
    }
}

/// Nobody has the lock that was to be released: an error of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotHeld;

impl core::fmt::Display for NotHeld {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(
            "the calling thread does not hold this lock for reading: unlock it once for each time, in \
             the thread that read, or keep the token",
        )
    }
}

impl core::error::Error for NotHeld {}
