//! The functions that the library replaces: eleven, and the second names that glibc has for seven
//! of them. The library exports nothing else.

use crate::deadline::Deadline;
use crate::lock::Lock;
use crate::thread::mine;
use crate::{calls, glibc};
use core::ptr;
use libc::{CLOCK_REALTIME, c_int, clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

type Place = *mut pthread_rwlock_t;

/// Defines a function of locks under one or two names.
macro_rules! export {
    ($(
        $(#[$meta:meta])*
        fn $name:ident $(= $alias:ident)? ($lock:ident $(, $arg:ident: $ty:ty)*) {
            own: $own:expr,
            shared: $function:ident . $call:ident,
        }
    )*) => { $(
        at_line! {
            $(#[$meta])*
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name(place: Place $(, $arg: $ty)*) -> c_int {
                // SAFETY: the caller gives a lock, which nobody ends meanwhile.
                match unsafe { Lock::at(place) } {
                    Some($lock) => $own,
                    // SAFETY: the caller gives a shared lock, and glibc's function takes these.
                    None => unsafe { glibc::$function.$call(place $(, $arg)*) },
                }
            }
        }

        $(
            #[doc = "The same under glibc's other name."]
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $alias(place: Place) -> c_int {
                // SAFETY: the caller's promise.
                unsafe { $name(place) }
            }
        )?
    )* };
}

export! {
    fn pthread_rwlock_rdlock = __pthread_rwlock_rdlock(lock) {
        own: calls::read(lock),
        shared: RDLOCK.call,
    }

    fn pthread_rwlock_tryrdlock = __pthread_rwlock_tryrdlock(lock) {
        own: calls::try_read(lock),
        shared: TRYRDLOCK.call,
    }

    fn pthread_rwlock_timedrdlock(lock, at: *const timespec) {
        // SAFETY: the caller gives a time, or none.
        own: calls::read_until(lock, unsafe { Deadline::new(CLOCK_REALTIME, at) }),
        shared: TIMEDRDLOCK.until,
    }

    fn pthread_rwlock_clockrdlock(lock, clock: clockid_t, at: *const timespec) {
        // SAFETY: the caller gives a time, or none.
        own: calls::read_until(lock, unsafe { Deadline::new(clock, at) }),
        shared: CLOCKRDLOCK.until_of,
    }

    fn pthread_rwlock_wrlock = __pthread_rwlock_wrlock(lock) {
        own: calls::write(lock),
        shared: WRLOCK.call,
    }

    fn pthread_rwlock_trywrlock = __pthread_rwlock_trywrlock(lock) {
        own: calls::try_write(lock),
        shared: TRYWRLOCK.call,
    }

    fn pthread_rwlock_timedwrlock(lock, at: *const timespec) {
        // SAFETY: the caller gives a time, or none.
        own: calls::write_until(lock, unsafe { Deadline::new(CLOCK_REALTIME, at) }),
        shared: TIMEDWRLOCK.until,
    }

    fn pthread_rwlock_clockwrlock(lock, clock: clockid_t, at: *const timespec) {
        // SAFETY: the caller gives a time, or none.
        own: calls::write_until(lock, unsafe { Deadline::new(clock, at) }),
        shared: CLOCKWRLOCK.until_of,
    }

    fn pthread_rwlock_unlock = __pthread_rwlock_unlock(lock) {
        own: calls::unlock(lock),
        shared: UNLOCK.call,
    }

    /// Forgets reads that nobody has unlocked: the next lock in this memory may begin without a
    /// call of `pthread_rwlock_init`.
    fn pthread_rwlock_destroy = __pthread_rwlock_destroy(lock) {
        own: {
            // SAFETY: nobody uses the lock any more. It stays a lock in the same memory.
            unsafe { ptr::drop_in_place((&raw const lock.sem).cast_mut()) };
            0
        },
        shared: DESTROY.call,
    }
}

/// Makes an unlocked lock in any memory. Forgets reads that an earlier lock has left behind there.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_rwlock_init(
    place: Place,
    attributes: *const pthread_rwlockattr_t,
) -> c_int {
    let (mut kind, mut shared) = (0, 0);
    if !attributes.is_null() {
        // SAFETY: the caller gives attributes. Neither call fails then.
        unsafe {
            libc::pthread_rwlockattr_getkind_np(attributes, &mut kind);
            libc::pthread_rwlockattr_getpshared(attributes, &mut shared);
        }
    }
    if shared != libc::PTHREAD_PROCESS_PRIVATE {
        // SAFETY: the caller gives memory for a lock, and attributes or none.
        return unsafe { glibc::INIT.with(place, attributes) };
    }
    // SAFETY: the caller gives memory for a lock, which nobody uses.
    unsafe {
        let lock = place.cast::<Lock>();
        lock.write(Lock::new(kind));
        (*lock).sem.forget_holds();
        mine().nested.forget(&*lock);
    }
    0
}

/// [`pthread_rwlock_init`] under glibc's second name.
#[unsafe(no_mangle)]
unsafe extern "C" fn __pthread_rwlock_init(
    place: Place,
    attributes: *const pthread_rwlockattr_t,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { pthread_rwlock_init(place, attributes) }
}
