//! Unlocking a read where locks may be read by slot, and unlocking a read whose token is lost.

use crate::platform::Platform;
use crate::record::Slot;
use crate::rwsem::word::count::{Count, WRITER};
use crate::rwsem::word::wake;
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;
use core::hint::cold_path;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Releases a read by `slot`, or by a share. Two cases stand inline: the slot stands for that
    /// read alone, and no writer waits for it; or reads are not noted, and no waiter is heeded.
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

    /// Unlocks with a noted share, more holds, an unknown token, or a thread to call. `released`:
    /// the lock may be gone. If a share was released, that step led to `v`.
    #[inline(never)]
    #[track_caller]
    fn unlock_otherwise(&self, slot: Option<&Slot>, released: bool, v: Count) {
        match slot {
            None if released => Self::after_share(v),
            None => self.unlock_counted(),
            Some(slot) => self.unlock_slot_otherwise(slot, released),
        }
    }

    /// Out of line, so that the unlock of a share saves and restores no registers.
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

    /// Releases a read lock whose token is not to be had (a C caller's), in the thread that read.
    ///
    /// # Errors
    /// [`NotHeld`]: nothing was released.
    ///
    /// # Safety
    /// The calling thread has the lock by a read, or nobody has it and no other call is under way,
    /// or one thread alone has it, by an upgradable read, and nobody waits.
    pub unsafe fn read_unlock_untokened(&self) -> Result<(), NotHeld> {
        if self.has_bias()
            && let Some(slot) = P::current().slots().find(|slot| slot.mark.take(self.key()))
        {
            if !mutated!(SlotUnlockUntokenedInSilence) {
                slot.wake_drainers::<P>();
            }
            return Ok(());
        }
        // A caller that reads by a share sees that share in the count. Of other threads the count
        // tells it nothing.
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

    /// v → v − READER, for as long as `is_held` says so and the count shows a share. Returns
    /// whether a share was released.
    pub(in crate::rwsem) fn unlock_share_while(&self, is_held: impl Fn() -> bool) -> bool {
        let mut v = self.look();
        // By R4 no counted reader is inside beside a writer.
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
