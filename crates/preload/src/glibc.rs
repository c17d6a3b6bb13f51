//! The C library's own functions, for locks that processes share.

use core::ffi::CStr;
use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use libc::{EINVAL, c_int, c_void, clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

type OfLock = unsafe extern "C" fn(*mut pthread_rwlock_t) -> c_int;
type OfTime = unsafe extern "C" fn(*mut pthread_rwlock_t, *const timespec) -> c_int;
type OfClock = unsafe extern "C" fn(*mut pthread_rwlock_t, clockid_t, *const timespec) -> c_int;
type OfAttributes =
    unsafe extern "C" fn(*mut pthread_rwlock_t, *const pthread_rwlockattr_t) -> c_int;

/// A function of the next library that has it. All versions of the function are the same one. A
/// call answers `EINVAL` if no next library has the function.
pub(crate) struct Function {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Function {
    const fn new(name: &'static CStr) -> Self {
        Self { name, address: AtomicPtr::new(ptr::null_mut()) }
    }

    /// The function's address: null if this C library is too old to have it.
    fn find(&self) -> *mut c_void {
        // Relaxed, both: another search finds the same address.
        let known = self.address.load(Ordering::Relaxed);
        if !known.is_null() {
            return known;
        }
        // SAFETY: a C string.
        let found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        self.address.store(found, Ordering::Relaxed);
        found
    }

    /// Calls the function with a lock.
    ///
    /// # Safety
    /// The function takes a lock alone, and may take this one.
    #[cold]
    pub(crate) unsafe fn call(&self, lock: *mut pthread_rwlock_t) -> c_int {
        match self.find() {
            missing if missing.is_null() => EINVAL,
            // SAFETY: the caller's promise.
            found => unsafe { transmute::<*mut c_void, OfLock>(found)(lock) },
        }
    }

    /// Calls the function with a lock and a time.
    ///
    /// # Safety
    /// The function takes a lock and a time, and may take these.
    #[cold]
    pub(crate) unsafe fn until(&self, lock: *mut pthread_rwlock_t, at: *const timespec) -> c_int {
        match self.find() {
            missing if missing.is_null() => EINVAL,
            // SAFETY: the caller's promise.
            found => unsafe { transmute::<*mut c_void, OfTime>(found)(lock, at) },
        }
    }

    /// Calls the function with a lock and a time of a clock.
    ///
    /// # Safety
    /// The function takes a lock, a clock and a time, and may take these.
    #[cold]
    pub(crate) unsafe fn until_of(
        &self,
        lock: *mut pthread_rwlock_t,
        clock: clockid_t,
        at: *const timespec,
    ) -> c_int {
        match self.find() {
            missing if missing.is_null() => EINVAL,
            // SAFETY: the caller's promise.
            found => unsafe { transmute::<*mut c_void, OfClock>(found)(lock, clock, at) },
        }
    }

    /// Calls the function with a lock and attributes.
    ///
    /// # Safety
    /// The function takes a lock and attributes, and may take these.
    #[cold]
    pub(crate) unsafe fn with(
        &self,
        lock: *mut pthread_rwlock_t,
        attributes: *const pthread_rwlockattr_t,
    ) -> c_int {
        match self.find() {
            missing if missing.is_null() => EINVAL,
            // SAFETY: the caller's promise.
            found => unsafe { transmute::<*mut c_void, OfAttributes>(found)(lock, attributes) },
        }
    }
}

macro_rules! functions {
    ($($name:ident: $symbol:literal,)*) => {
        $(pub(crate) static $name: Function = Function::new($symbol);)*

        /// Finds all functions, so that no lock call has to.
        pub(crate) fn prepare() {
            $($name.find();)*
        }
    };
}

functions! {
    INIT: c"pthread_rwlock_init",
    DESTROY: c"pthread_rwlock_destroy",
    RDLOCK: c"pthread_rwlock_rdlock",
    TRYRDLOCK: c"pthread_rwlock_tryrdlock",
    TIMEDRDLOCK: c"pthread_rwlock_timedrdlock",
    CLOCKRDLOCK: c"pthread_rwlock_clockrdlock",
    WRLOCK: c"pthread_rwlock_wrlock",
    TRYWRLOCK: c"pthread_rwlock_trywrlock",
    TIMEDWRLOCK: c"pthread_rwlock_timedwrlock",
    CLOCKWRLOCK: c"pthread_rwlock_clockwrlock",
    UNLOCK: c"pthread_rwlock_unlock",
}
