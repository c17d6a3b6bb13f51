//! A call at the end of a thread, as late as can be had.

/// Has `f` called when the calling thread ends.
///
/// A POSIX thread-specific value: its destructor comes after those of all thread-local variables,
/// and again, if one that comes later still asks for it anew.
#[cfg(unix)]
pub(super) fn call_at_thread_exit(f: fn()) {
    use std::ffi::c_void;
    use std::sync::OnceLock;

    unsafe extern "C" fn at_exit(f: *mut c_void) {
        // SAFETY: the value was a `fn()` when it was set, below.
        let f = unsafe { std::mem::transmute::<*mut c_void, fn()>(f) };
        f();
    }

    static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
    let key = *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: `key` is a place for the new key; the destructor fits its values.
        let made = unsafe { libc::pthread_key_create(&mut key, Some(at_exit)) };
        (made == 0).then_some(key)
    });
    // Without a key (all 1,024 are taken), records are not used again: a leak of 256 bytes a
    // thread, and nothing worse.
    if let Some(key) = key {
        // SAFETY: the key is valid for ever. Failure leaks a record, as above.
        unsafe { libc::pthread_setspecific(key, f as *const c_void) };
    }
}

/// Has `f` called when the calling thread ends, unless its thread-local variables are gone already.
#[cfg(not(unix))]
pub(super) fn call_at_thread_exit(f: fn()) {
    struct AtExit(std::cell::Cell<Option<fn()>>);

    impl Drop for AtExit {
        fn drop(&mut self) {
            if let Some(f) = self.0.take() {
                f();
            }
        }
    }

    thread_local! {
        static AT_EXIT: AtExit = const { AtExit(std::cell::Cell::new(None)) };
    }
    // An error: a destructor used a lock after `AT_EXIT` was gone. Its record is not used again.
    let _ = AT_EXIT.try_with(|at_exit| at_exit.0.set(Some(f)));
}
