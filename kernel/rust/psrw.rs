//! The priority-sifting lock, for C: threads write, and all four classes read.
//!
//! `siftlock-psrw.h` raises readers before they call these functions, since the kernel has inline
//! functions for that. The write functions raise the writer, stage by stage.

use crate::platform::{Anywhere, Kernel, MaySleep, Stands};
use siftlock_core::platform::{Instant, Raised};
use siftlock_core::psrw::policy::Standard;
use siftlock_core::psrw::{Irq, NonPreemptible, PsRwLock, SoftIrq, Thread};

/// The lock, as C sees it: 16 bytes, all-zero is unlocked. `C` is the kind of caller.
pub type Lock<C> = PsRwLock<(Thread, NonPreemptible, SoftIrq, Irq), Thread, Standard, Kernel<C>>;
const _: () = assert!(size_of::<Lock<MaySleep>>() == 16);

/// The deadline in nanoseconds of the monotonic clock; `u64::MAX` is no deadline.
fn deadline(until: u64) -> Option<Instant> {
    (until != u64::MAX).then_some(Instant::from_nanos(until))
}

/// The answer of a write that did not get the lock. No state of what was raised has this value.
const REFUSED: u64 = u64::MAX;

fn state(taken: Option<Raised>) -> u64 {
    match taken {
        Some(raised) => raised.state(),
        None => {
            core::hint::cold_path();
            REFUSED
        }
    }
}

macro_rules! reads {
    ($($class:ident $caller:ident: $read:ident $try_read:ident $unlock:ident)*) => {$(
        /// Takes the lock for reading in this class, at which the caller stands.
        #[unsafe(no_mangle)]
        pub extern "C" fn $read(lock: &Lock<$caller>) {
            // Without a deadline a read fails only if the caller's number does not fit. A
            // thread's number always fits, and the other classes need none.
            let _ = lock.read_until($class, None);
        }

        /// Takes the lock for reading in this class, unless the caller would have to wait.
        #[unsafe(no_mangle)]
        pub extern "C" fn $try_read(lock: &Lock<Stands>) -> bool {
            lock.try_read($class).is_some()
        }

        /// Releases a read lock of this class.
        ///
        /// # Safety
        /// The caller has such a lock, and stands at its class.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $unlock(lock: &Lock<Stands>) {
            // SAFETY: by the caller's promise; nothing was raised here.
            unsafe { lock.read_unlock($class, Raised::NOTHING) };
        }
    )*};
}

reads! {
    Thread MaySleep: siftlock_r_psrw_read siftlock_r_psrw_try_read siftlock_r_psrw_read_unlock
    NonPreemptible Stands: siftlock_r_psrw_read_np siftlock_r_psrw_try_read_np siftlock_r_psrw_read_unlock_np
    SoftIrq Stands: siftlock_r_psrw_read_bh siftlock_r_psrw_try_read_bh siftlock_r_psrw_read_unlock_bh
    Irq Stands: siftlock_r_psrw_read_irq siftlock_r_psrw_try_read_irq siftlock_r_psrw_read_unlock_irq
}

/// Takes the lock for reading as a thread, at most until `until`. False: not taken.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_psrw_read_until(lock: &Lock<MaySleep>, until: u64) -> bool {
    lock.read_until(Thread, deadline(until)).is_ok()
}

/// Takes the lock for writing; may sleep. Returns the value that the unlock needs. Interrupts are
/// off until then.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_psrw_write(lock: &Lock<MaySleep>) -> u64 {
    state(lock.write_until(Thread, None).ok())
}

/// Takes the lock for writing, at most until `until`; may sleep. Returns the value that the unlock
/// needs, or `u64::MAX`: not taken.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_psrw_write_until(lock: &Lock<MaySleep>, until: u64) -> u64 {
    state(lock.write_until(Thread, deadline(until)).ok())
}

/// Takes the lock for writing, without sleep. Returns the value that the unlock needs, or
/// `u64::MAX` if the lock cannot be had within some microseconds.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_r_psrw_try_write(lock: &Lock<Anywhere>) -> u64 {
    state(lock.try_write(Thread))
}

/// Releases a write lock.
///
/// # Safety
/// The caller has the lock, by a write that returned `raised`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_r_psrw_write_unlock(lock: &Lock<MaySleep>, raised: u64) {
    // SAFETY: by the caller's promise.
    unsafe { lock.write_unlock(Thread, Raised::new(raised)) };
}
