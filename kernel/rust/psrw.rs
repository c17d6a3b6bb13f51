//! The priority-sifting lock, for C: threads write, and all four classes read.

use crate::platform::Kernel;
use siftlock_core::platform::{Instant, Raised};
use siftlock_core::psrw::{Irq, NonPreemptible, PsRwLock, SoftIrq, Thread};

/// The lock, as C sees it: 16 bytes, all-zero is unlocked.
pub type Lock = PsRwLock<Kernel, Thread, (Thread, NonPreemptible, SoftIrq, Irq)>;
const _: () = assert!(size_of::<Lock>() == 16);

/// Until when: the monotonic clock's nanoseconds; `u64::MAX` is never.
fn deadline(until: u64) -> Option<Instant> {
    (until != u64::MAX).then_some(Instant::from_nanos(until))
}

/// Not taken. No state of what was raised is this.
const REFUSED: u64 = u64::MAX;

fn state(taken: Option<Raised>) -> u64 {
    taken.map_or(REFUSED, Raised::state)
}

macro_rules! reads {
    ($($class:ident: $read:ident $try_read:ident $unlock:ident)*) => {$(
        /// Takes the lock for reading in this class; answers what the unlock needs.
        #[unsafe(no_mangle)]
        pub extern "C" fn $read(lock: &Lock) -> u64 {
            state(lock.read_until($class, None).ok())
        }

        /// The same, unless that has to wait.
        #[unsafe(no_mangle)]
        pub extern "C" fn $try_read(lock: &Lock) -> u64 {
            state(lock.try_read($class))
        }

        /// Releases a read lock of this class.
        ///
        /// # Safety
        /// The caller has one, by a read that answered `raised`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $unlock(lock: &Lock, raised: u64) {
            // SAFETY: by the caller's promise.
            unsafe { lock.read_unlock($class, Raised::new(raised)) };
        }
    )*};
}

reads! {
    Thread: siftlock_r_psrw_read siftlock_r_psrw_try_read siftlock_r_psrw_read_unlock
    NonPreemptible: siftlock_r_psrw_read_np siftlock_r_psrw_try_read_np siftlock_r_psrw_read_unlock_np
    SoftIrq: siftlock_r_psrw_read_bh siftlock_r_psrw_try_read_bh siftlock_r_psrw_read_unlock_bh
    Irq: siftlock_r_psrw_read_irq siftlock_r_psrw_try_read_irq siftlock_r_psrw_read_unlock_irq
}

/// Takes the lock for reading as a thread, at most until `until`. False: not taken.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_psrw_read_until(lock: &Lock, until: u64) -> bool {
    lock.read_until(Thread, deadline(until)).is_ok()
}

/// Takes the lock for writing; may sleep. Answers what the unlock needs; interrupts are off until then.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_psrw_write(lock: &Lock) -> u64 {
    state(lock.write_until(Thread, None).ok())
}

/// The same, at most until `until`.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_psrw_write_until(lock: &Lock, until: u64) -> u64 {
    state(lock.write_until(Thread, deadline(until)).ok())
}

/// Takes the lock for writing, without sleep: only if that takes some microseconds at most.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_psrw_try_write(lock: &Lock) -> u64 {
    state(lock.try_write(Thread))
}

/// Releases a write lock.
///
/// # Safety
/// The caller has it, by a write that answered `raised`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_r_psrw_write_unlock(lock: &Lock, raised: u64) {
    // SAFETY: by the caller's promise.
    unsafe { lock.write_unlock(Thread, Raised::new(raised)) };
}
