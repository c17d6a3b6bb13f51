//! The names that the library defines: the eleven functions, and the second names that glibc has
//! for seven of them. One more name is in `forks`.
//!
//! Each function jumps through its slot. A slot first leads to the beginning of the library. Then
//! it leads to the measured call, or to the next library if no report is asked for.

use crate::next::{self, OfAttributes, OfClock, OfLock, OfTime, Place};
use crate::{begin, calls};
use core::mem::transmute;
use core::sync::atomic::{AtomicPtr, Ordering};
use libc::{c_int, clockid_t, pthread_rwlockattr_t, timespec};

/// Defines functions and their slots. After `=>` stand the two measured calls: the second is for
/// locks whose try to read passes waiting writers.
macro_rules! export {
    ($(
        $module:ident: $type:ident = fn $name:ident($($arg:ident: $of:ty),*)
            => $measured:expr, $sifting:expr;
    )*) => {
        $(
            mod $module {
                use super::*;

                pub(super) static SLOT: AtomicPtr<()> = AtomicPtr::new(first as *mut ());

                /// The process's first call of this function.
                #[cold]
                unsafe extern "C" fn first($($arg: $of),*) -> c_int {
                    begin::on_first_use();
                    // SAFETY: the caller's promise.
                    unsafe { call($($arg),*) }
                }

                #[inline(always)]
                pub(super) unsafe fn call($($arg: $of),*) -> c_int {
                    // Acquire, for the stores of `lead_on` and `measure`: the measured call finds
                    // the next library's functions, which were stored before.
                    let function = SLOT.load(Ordering::Acquire);
                    // SAFETY: every function in the slot has this type. The caller gives what it
                    // takes.
                    unsafe { transmute::<*mut (), $type>(function)($($arg),*) }
                }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($arg: $of),*) -> c_int {
                // SAFETY: the caller's promise.
                unsafe { $module::call($($arg),*) }
            }
        )*

        /// Leads all functions to the next library: no call is measured.
        pub(crate) fn lead_on() {
            $($module::SLOT.store(next::$module::get() as *mut (), Ordering::Release);)*
        }

        /// Leads all functions to the measured calls. `sifts`: a try to read passes waiting
        /// writers.
        pub(crate) fn measure(sifts: bool) {
            $({
                let function: $type = if sifts { $sifting } else { $measured };
                $module::SLOT.store(function as *mut (), Ordering::Release);
            })*
        }
    };
}

/// Defines the other name that glibc has for a function.
macro_rules! alias {
    ($($name:ident = $module:ident ($($arg:ident: $of:ty),*);)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($arg: $of),*) -> c_int {
            // SAFETY: the caller's promise.
            unsafe { $module::call($($arg),*) }
        }
    )* };
}

type Attributes = *const pthread_rwlockattr_t;
type Time = *const timespec;

export! {
    init: OfAttributes = fn pthread_rwlock_init(lock: Place, how: Attributes)
        => calls::init, calls::init;
    destroy: OfLock = fn pthread_rwlock_destroy(lock: Place)
        => calls::destroy, calls::destroy;
    rdlock: OfLock = fn pthread_rwlock_rdlock(lock: Place)
        => read::<false>, read::<true>;
    tryrdlock: OfLock = fn pthread_rwlock_tryrdlock(lock: Place)
        => try_read, try_read;
    timedrdlock: OfTime = fn pthread_rwlock_timedrdlock(lock: Place, at: Time)
        => read_until::<false>, read_until::<true>;
    clockrdlock: OfClock = fn pthread_rwlock_clockrdlock(lock: Place, clock: clockid_t, at: Time)
        => read_until_of::<false>, read_until_of::<true>;
    wrlock: OfLock = fn pthread_rwlock_wrlock(lock: Place)
        => write, write;
    trywrlock: OfLock = fn pthread_rwlock_trywrlock(lock: Place)
        => try_write, try_write;
    timedwrlock: OfTime = fn pthread_rwlock_timedwrlock(lock: Place, at: Time)
        => write_until, write_until;
    clockwrlock: OfClock = fn pthread_rwlock_clockwrlock(lock: Place, clock: clockid_t, at: Time)
        => write_until_of, write_until_of;
    unlock: OfLock = fn pthread_rwlock_unlock(lock: Place)
        => unlock, unlock;
}

alias! {
    __pthread_rwlock_init = init(lock: Place, how: Attributes);
    __pthread_rwlock_destroy = destroy(lock: Place);
    __pthread_rwlock_rdlock = rdlock(lock: Place);
    __pthread_rwlock_tryrdlock = tryrdlock(lock: Place);
    __pthread_rwlock_wrlock = wrlock(lock: Place);
    __pthread_rwlock_trywrlock = trywrlock(lock: Place);
    __pthread_rwlock_unlock = unlock(lock: Place);
}

// SAFETY, of all below: the caller gives a valid lock, which no thread destroys meanwhile, and a
// valid pointer to a time, or null.

unsafe extern "C" fn read<const SIFTS: bool>(lock: Place) -> c_int {
    // SAFETY: as above.
    unsafe {
        calls::take::<false, SIFTS>(lock, next::tryrdlock::get(), || next::rdlock::get()(lock))
    }
}

unsafe extern "C" fn try_read(lock: Place) -> c_int {
    // SAFETY: as above.
    unsafe { calls::try_take::<false>(lock, next::tryrdlock::get()) }
}

unsafe extern "C" fn read_until<const SIFTS: bool>(lock: Place, at: Time) -> c_int {
    // SAFETY: as above.
    unsafe {
        let wait = || next::timedrdlock::get()(lock, at);
        if !is_time(libc::CLOCK_REALTIME, at) {
            return wait();
        }
        calls::take::<false, SIFTS>(lock, next::tryrdlock::get(), wait)
    }
}

unsafe extern "C" fn read_until_of<const SIFTS: bool>(
    lock: Place,
    clock: clockid_t,
    at: Time,
) -> c_int {
    // SAFETY: as above.
    unsafe {
        let wait = || next::clockrdlock::get()(lock, clock, at);
        if !is_time(clock, at) {
            return wait();
        }
        calls::take::<false, SIFTS>(lock, next::tryrdlock::get(), wait)
    }
}

unsafe extern "C" fn write(lock: Place) -> c_int {
    // SAFETY: as above.
    unsafe {
        calls::take::<true, false>(lock, next::trywrlock::get(), || next::wrlock::get()(lock))
    }
}

unsafe extern "C" fn try_write(lock: Place) -> c_int {
    // SAFETY: as above.
    unsafe { calls::try_take::<true>(lock, next::trywrlock::get()) }
}

unsafe extern "C" fn write_until(lock: Place, at: Time) -> c_int {
    // SAFETY: as above.
    unsafe {
        let wait = || next::timedwrlock::get()(lock, at);
        if !is_time(libc::CLOCK_REALTIME, at) {
            return wait();
        }
        calls::take::<true, false>(lock, next::trywrlock::get(), wait)
    }
}

unsafe extern "C" fn write_until_of(lock: Place, clock: clockid_t, at: Time) -> c_int {
    // SAFETY: as above.
    unsafe {
        let wait = || next::clockwrlock::get()(lock, clock, at);
        if !is_time(clock, at) {
            return wait();
        }
        calls::take::<true, false>(lock, next::trywrlock::get(), wait)
    }
}

unsafe extern "C" fn unlock(lock: Place) -> c_int {
    // SAFETY: as above.
    unsafe { calls::unlock(lock) }
}

/// Whether the functions accept this clock and time. With any other the answer is an error, even
/// if the lock is free; so the library must not try the lock first. A null pointer means no
/// deadline, as in glibc.
unsafe fn is_time(clock: clockid_t, at: Time) -> bool {
    // SAFETY: the caller gives a time, or null.
    let Some(at) = (unsafe { at.as_ref() }) else { return true };
    let is_clock = [libc::CLOCK_REALTIME, libc::CLOCK_MONOTONIC].contains(&clock);
    is_clock && (0..1_000_000_000).contains(&at.tv_nsec)
}
