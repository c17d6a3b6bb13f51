//! A call at the end of a thread, as late as can be had.

/// Has `f` called when the calling thread ends.
///
/// A POSIX thread-specific value: its destructor comes after those of all thread-local variables,
/// and again, if one that comes later still asks for it anew.
#[cfg(unix)]
pub(super) fn call_at_thread_exit(f: fn()) {
    // Without a key (all 1,024 are taken), records are not used again: a leak of 256 bytes a
    // thread, and nothing worse.
    if let Some(key) = key::get() {
        // SAFETY: the key is valid for ever. Failure leaks a record, as above.
        unsafe { libc::pthread_setspecific(key, f as *const _) };
    }
}

/// The process's key for calls at thread exit.
#[cfg(unix)]
mod key {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// The key, plus one; 0 = none yet. No `OnceLock`: a child forked while another thread
    /// initialises one would wait for that thread, which it does not have.
    static KEY: AtomicU64 = AtomicU64::new(0);

    pub(super) fn get() -> Option<libc::pthread_key_t> {
        // Relaxed: a key is a number, and publishes nothing.
        match KEY.load(Ordering::Relaxed) {
            0 => make(),
            key => Some((key - 1) as libc::pthread_key_t),
        }
    }

    fn make() -> Option<libc::pthread_key_t> {
        let mut key = 0;
        // SAFETY: `key` is a place for the new key; the destructor fits its values.
        if unsafe { libc::pthread_key_create(&mut key, Some(at_exit)) } != 0 {
            return None;
        }
        // Relaxed: as in `get`.
        match KEY.compare_exchange(0, key as u64 + 1, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => Some(key),
            Err(theirs) => {
                // SAFETY: another thread was faster; nobody has seen our key.
                unsafe { libc::pthread_key_delete(key) };
                Some((theirs - 1) as libc::pthread_key_t)
            }
        }
    }

    unsafe extern "C" fn at_exit(f: *mut c_void) {
        // SAFETY: all values of the key are `fn()`s, set in `call_at_thread_exit`.
        let f = unsafe { std::mem::transmute::<*mut c_void, fn()>(f) };
        f();
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
