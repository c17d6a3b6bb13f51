//! A call at the end of a thread, as late as possible.

#[cfg(unix)]
use std::ffi::c_void;
#[cfg(unix)]
use std::sync::atomic::{AtomicU64, Ordering};

/// Has `f` called when the calling thread ends.
#[cfg(unix)]
pub(super) fn call_at_thread_exit(f: fn()) {
    RECORDS.call(f);
}

#[cfg(unix)]
static RECORDS: Key = Key::new();

/// For a thread's own data about signals.
#[cfg(target_os = "linux")]
pub(super) static SIGNALS: Key = Key::new();

/// A key for calls at the end of threads: a POSIX thread-specific value.
///
/// glibc calls the destructors of thread-local variables itself. There the key's destructor comes
/// after all of them, and once more if a later one asks for it anew. With musl `std` calls them by
/// a key of its own, and either key may come first. Then a thread whose variable still uses a lock
/// has another record than before.
///
/// The destructor may come after the library that this is part of was closed: see `loaded`.
///
/// Without a key (all 1,024 are taken) records are not used again. That leaks a record a thread,
/// 256 bytes, and does no other harm.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct Key {
    /// The key, plus one; 0 = none yet. No `OnceLock`: a child forked while another thread
    /// initialises one would wait for that thread, which it does not have.
    key: AtomicU64,
}

#[cfg(unix)]
impl Key {
    const fn new() -> Self {
        Self { key: AtomicU64::new(0) }
    }

    /// Has `f` called when the calling thread ends, in place of what was to be called before.
    pub(super) fn call(&self, f: fn()) {
        if let Some(key) = self.get() {
            // SAFETY: the key is valid for ever. Failure leaks what `f` would give back.
            unsafe { libc::pthread_setspecific(key, f as *const _) };
        }
    }

    /// [`call`](Self::call) in a handler, after [`warm`](Self::warm): does nothing where that would
    /// allocate.
    #[cfg(target_os = "linux")]
    pub(super) fn call_if_light(&self, f: fn()) {
        /// glibc has so many values in the thread's own descriptor. musl has all of them there.
        const LIGHT: u64 = 32;
        // Relaxed: as in `get`.
        if (1..=LIGHT).contains(&self.key.load(Ordering::Relaxed)) {
            self.call(f);
        }
    }

    /// Makes the key, so that no handler has to.
    #[cfg(target_os = "linux")]
    pub(super) fn warm(&self) {
        self.get();
    }

    fn get(&self) -> Option<libc::pthread_key_t> {
        // Relaxed: a key is a number, and publishes nothing.
        match self.key.load(Ordering::Relaxed) {
            0 => self.make(),
            key => Some((key - 1) as libc::pthread_key_t),
        }
    }

    fn make(&self) -> Option<libc::pthread_key_t> {
        let mut key = 0;
        // SAFETY: `key` is a place for the new key; the destructor fits its values.
        if unsafe { libc::pthread_key_create(&mut key, Some(at_exit)) } != 0 {
            return None;
        }
        // Relaxed: as in `get`.
        match self.key.compare_exchange(0, key as u64 + 1, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => Some(key),
            Err(theirs) => {
                // SAFETY: another thread was faster; nobody has seen our key.
                unsafe { libc::pthread_key_delete(key) };
                Some((theirs - 1) as libc::pthread_key_t)
            }
        }
    }
}

#[cfg(unix)]
unsafe extern "C" fn at_exit(f: *mut c_void) {
    // SAFETY: all values of the keys are `fn()`s, set in `call`.
    let f = unsafe { std::mem::transmute::<*mut c_void, fn()>(f) };
    f();
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
