//! Too many readers: a clear error, and a lock that stays usable.

use crate::prelude::*;
use siftlock_core::rwsem::{ReadToken, Refused, RwSem};
use siftlock_model::monitor::SHARE;
use siftlock_model::platform::Modelled;

/// Where the guard begins.
const LIMIT: u64 = 1 << 23;

/// One share more than there may be is refused, and leaves no trace.
fn the_last_share_is_refused(lock: &RwSem<Modelled, Classic>) {
    assert_eq!(lock.read_until(None).unwrap_err(), Refused::TooManyReaders);
    assert!(!lock.try_upgradable() || lock.try_read().is_none(), "only one share was left");
}

fn full_lock_refuses_all(lock: &RwSem<Modelled, Classic>) {
    let past = Some(siftlock_core::platform::Instant::from_nanos(0));
    assert_eq!(lock.read_until(None).unwrap_err(), Refused::TooManyReaders);
    assert_eq!(lock.read_recursive_until(None).unwrap_err(), Refused::TooManyReaders);
    assert_eq!(lock.upgradable_until(None), Err(Refused::TooManyReaders));
    assert!(lock.try_read().is_none());
    assert_eq!(lock.write_until(past), Err(Refused::TimedOut), "readers hold the lock");
    assert!(lock.is_locked() && !lock.is_locked_for_writing());
}

fn lock_is_usable_again(lock: &RwSem<Modelled, Classic>) {
    assert_eq!(lock.read_until(None).unwrap_err(), Refused::TooManyReaders);
    // SAFETY: they are inside.
    unsafe { lock.read_unlock_all(LIMIT as u32 - 1) };
    assert!(!lock.read_until(None).unwrap().is_slot());
    // SAFETY: just taken.
    unsafe { lock.read_unlock(ReadToken::COUNTED) };
    assert!(lock.try_write());
    assert_eq!(lock.snapshot().count, 1);
}

models! {
    rwsem_one_reader_too_many_is_refused => Model::alone(the_last_share_is_refused)
        .with(|setup| setup.found = (LIMIT - 1) * SHARE);

    /// With the guard bit set, all other bits of the field are 0: still nobody steals.
    rwsem_full_lock_is_locked => Model::alone(full_lock_refuses_all)
        .with(|setup| setup.found = LIMIT * SHARE);
    rwsem_full_lock_becomes_usable_again => Model::alone(lock_is_usable_again)
        .with(|setup| setup.found = (LIMIT - 1) * SHARE);

    /// The share of the reader that is refused may be all that keeps the writer out.
    rwsem_refused_reader_calls_writer_r5 => Model::row::<Classic>("L R! W")
        .with(|setup| setup.found = (LIMIT - 1) * SHARE);
}
