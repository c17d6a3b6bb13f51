//! The calls: reading, writing and trying to, with or without a deadline. `read`, `try_read` and
//! `write` hold the one step for a free lock. `read_slow` and `write_slow` hold the steps after it,
//! which wait in `spin` and in `queue`.

mod back_off;
mod end;
mod found;
mod give_way;
mod let_by;
mod noted;
mod read;
mod read_slow;
mod recursive;
mod spin;
mod stepwise;
mod try_read;
mod unlock;
mod unlock_slot;
mod upgrade;
mod write;
mod write_slow;

pub use self::stepwise::{NotThere, SlotRefused, ToWake};
pub use self::unlock_slot::NotHeld;

use crate::platform::Platform;
use crate::rwsem::word::count::{GUARD, UPGRADER, WRITER};
use crate::rwsem::{Policy, Refused, RwSem};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Whether anybody has the lock, or waits to upgrade. Stale as soon as it is returned.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        let v = self.look();
        !v.is_free() || v.has(UPGRADER) || self.is_in_a_slot()
    }

    /// Whether a writer has the lock, or waits for readers in slots alone. Stale as soon as it is
    /// returned.
    #[must_use]
    pub fn is_locked_for_writing(&self) -> bool {
        self.look().has(WRITER)
    }

    /// Whether anybody has the lock by an upgradable read. False while that thread waits to upgrade
    /// and no other thread reads. Stale as soon as it is returned.
    #[must_use]
    pub fn is_locked_upgradable(&self) -> bool {
        let v = self.look();
        v.has(UPGRADER) && !v.is_free()
    }

    /// Whether readers have so many shares that the lock gives no more. Stale as soon as it is
    /// returned.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.look().has(GUARD)
    }
}

/// The token of a read, or a panic: a read is refused only where there are too many readers.
#[inline]
#[track_caller]
pub(in crate::rwsem) fn or_panic<T>(read: Result<T, Refused>) -> T {
    match read {
        Ok(token) => token,
        Err(refused) => too_many_readers(refused),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn too_many_readers(refused: Refused) -> ! {
    panic!("{refused}");
}

/// Whether a writer without a deadline has to try again. Only a limit to the wait for slots
/// ([`Policy::DRAIN_AT_MOST`]) refuses such a writer.
#[inline]
fn has_to_try_again<L: Policy>(taken: Result<(), Refused>) -> bool {
    let may_be_refused = L::DRAIN_AT_MOST != u64::MAX;
    debug_assert!(may_be_refused || taken.is_ok());
    may_be_refused && taken.is_err()
}
