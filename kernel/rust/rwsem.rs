//! The sleeping reader-writer semaphore, for C.

use crate::platform::{Anywhere, Kernel, MaySleep};
use siftlock_core::platform::Instant;
use siftlock_core::rwsem::policy::Counted;
use siftlock_core::rwsem::{ReadToken, RwSem};

/// The lock, as C sees it: 24 bytes, all-zero is unlocked. `C` is the kind of caller. Every reader
/// is counted, so an unlock needs no token.
pub type Lock<C> = RwSem<Kernel<C>, Counted>;
const _: () = assert!(size_of::<Lock<MaySleep>>() == 24);

/// The deadline in nanoseconds of the monotonic clock; `u64::MAX` is no deadline.
fn deadline(until: u64) -> Option<Instant> {
    (until != u64::MAX).then_some(Instant::from_nanos(until))
}

/// Takes the lock for reading; may sleep. False: 2^23 shares are out.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_rwsem_read(lock: &Lock<MaySleep>) -> bool {
    lock.read_until(None).is_ok()
}

/// Takes the lock for reading, at most until `until`; may sleep. False: not taken.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_rwsem_read_until(lock: &Lock<MaySleep>, until: u64) -> bool {
    lock.read_until(deadline(until)).is_ok()
}

/// Takes the lock for reading, unless the caller would have to wait.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_rwsem_try_read(lock: &Lock<Anywhere>) -> bool {
    lock.try_read().is_some()
}

/// Releases a read lock.
///
/// # Safety
/// The caller has a read lock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_r_rwsem_read_unlock(lock: &Lock<MaySleep>) {
    // SAFETY: by the caller's promise.
    unsafe { lock.read_unlock(ReadToken::COUNTED) };
}

/// Takes the lock for writing; may sleep.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_rwsem_write(lock: &Lock<MaySleep>) {
    lock.write();
}

/// Takes the lock for writing, at most until `until`; may sleep. False: not taken.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_rwsem_write_until(lock: &Lock<MaySleep>, until: u64) -> bool {
    lock.write_until(deadline(until)).is_ok()
}

/// Takes the lock for writing, if no thread has it or waits for it.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_rwsem_try_write(lock: &Lock<Anywhere>) -> bool {
    lock.try_write()
}

/// Releases a write lock.
///
/// # Safety
/// The caller has the write lock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_r_rwsem_write_unlock(lock: &Lock<MaySleep>) {
    // SAFETY: by the caller's promise.
    unsafe { lock.write_unlock() };
}

/// Makes a write lock a read lock.
///
/// # Safety
/// The caller has the write lock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_r_rwsem_downgrade(lock: &Lock<MaySleep>) {
    // SAFETY: by the caller's promise.
    let _token = unsafe { lock.downgrade() };
}
