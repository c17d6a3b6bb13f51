//! The functions of the next library: glibc's, or those of a library that replaces them.

use core::ffi::CStr;
use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use libc::{EINVAL, c_int, c_void, clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

pub(crate) type Place = *mut pthread_rwlock_t;
pub(crate) type OfLock = unsafe extern "C" fn(Place) -> c_int;
pub(crate) type OfTime = unsafe extern "C" fn(Place, *const timespec) -> c_int;
pub(crate) type OfClock = unsafe extern "C" fn(Place, clockid_t, *const timespec) -> c_int;
pub(crate) type OfAttributes = unsafe extern "C" fn(Place, *const pthread_rwlockattr_t) -> c_int;

macro_rules! functions {
    ($($name:ident: $type:ident = $symbol:literal ($($of:ty),*),)*) => {
        $(
            pub(crate) mod $name {
                use super::*;

                static FOUND: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

                /// The answer of a C library that is too old to have the function.
                unsafe extern "C" fn missing($(_: $of),*) -> c_int {
                    EINVAL
                }

                pub(in crate::next) fn find() {
                    let name: &CStr = $symbol;
                    // SAFETY: a C string.
                    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
                    let missing = missing as $type as *mut c_void;
                    // Relaxed, here and in `get`: a slot's Release and Acquire stand between.
                    FOUND.store(if found.is_null() { missing } else { found }, Ordering::Relaxed);
                }

                /// The function. `find_all` has run: no slot leads here before.
                #[inline(always)]
                pub(crate) fn get() -> $type {
                    // SAFETY: a function of this name has this type, and so has `missing`.
                    unsafe { transmute::<*mut c_void, $type>(FOUND.load(Ordering::Relaxed)) }
                }
            }
        )*

        /// Finds all functions.
        pub(crate) fn find_all() {
            $($name::find();)*
        }
    };
}

functions! {
    init: OfAttributes = c"pthread_rwlock_init" (Place, *const pthread_rwlockattr_t),
    destroy: OfLock = c"pthread_rwlock_destroy" (Place),
    rdlock: OfLock = c"pthread_rwlock_rdlock" (Place),
    tryrdlock: OfLock = c"pthread_rwlock_tryrdlock" (Place),
    timedrdlock: OfTime = c"pthread_rwlock_timedrdlock" (Place, *const timespec),
    clockrdlock: OfClock = c"pthread_rwlock_clockrdlock" (Place, clockid_t, *const timespec),
    wrlock: OfLock = c"pthread_rwlock_wrlock" (Place),
    trywrlock: OfLock = c"pthread_rwlock_trywrlock" (Place),
    timedwrlock: OfTime = c"pthread_rwlock_timedwrlock" (Place, *const timespec),
    clockwrlock: OfClock = c"pthread_rwlock_clockwrlock" (Place, clockid_t, *const timespec),
    unlock: OfLock = c"pthread_rwlock_unlock" (Place),
}

/// Whether a try to read passes waiting writers that a plain read would wait for: true of every
/// library but glibc.
pub(crate) fn tries_pass_writers() -> bool {
    // No library replaces this function, so it lies where glibc's locks are.
    let glibc = library_of(libc::pthread_rwlockattr_init as *const c_void);
    library_of(tryrdlock::get() as *const c_void) != glibc
}

/// The address at which the library with this function begins.
fn library_of(function: *const c_void) -> *mut c_void {
    // SAFETY: zeroes are a value of it.
    let mut found: libc::Dl_info = unsafe { core::mem::zeroed() };
    // SAFETY: a place for the answer, which stays null if there is none.
    unsafe { libc::dladdr(function, &mut found) };
    found.dli_fbase
}
