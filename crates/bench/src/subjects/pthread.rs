//! The locks of the system's threads library.
//!
//! Each call's answer is checked. So a lock that refuses (too many readers, a deadlock that it
//! noticed) ends the run, instead of being measured as a fast lock.

use std::cell::UnsafeCell;
use std::marker::PhantomData;

use super::raw::Raw;

/// A call of the library on a lock of type `T`.
type Call<T> = unsafe extern "C" fn(*mut T) -> libc::c_int;

/// Checks the answer of a call that must not fail.
#[inline]
fn must(answer: libc::c_int) {
    assert!(answer == 0, "a pthread lock refused: error {answer}");
}

/// Which of the system's two kinds of `pthread_rwlock` a [`RwLock`] is.
pub(crate) trait Kind: Send + Sync + 'static {
    /// An unlocked lock of this kind. It may be moved until it is first taken.
    fn unlocked() -> libc::pthread_rwlock_t;
}

/// The default kind. glibc's lets readers pass waiting writers.
pub(crate) struct Usual;

impl Kind for Usual {
    fn unlocked() -> libc::pthread_rwlock_t {
        libc::PTHREAD_RWLOCK_INITIALIZER
    }
}

/// glibc's kind in which waiting writers go first and a thread may not read recursively.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) struct WriterFirst;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
impl Kind for WriterFirst {
    fn unlocked() -> libc::pthread_rwlock_t {
        use std::mem::MaybeUninit;

        /// From glibc's `pthread.h`; the `libc` crate does not have it.
        const PREFER_WRITER_NONRECURSIVE: libc::c_int = 2;

        let mut attributes = MaybeUninit::uninit();
        let mut lock = libc::PTHREAD_RWLOCK_INITIALIZER;
        // SAFETY: `attributes` is writable and large enough.
        must(unsafe { libc::pthread_rwlockattr_init(attributes.as_mut_ptr()) });
        // SAFETY: initialised by the call before.
        let mut attributes = unsafe { attributes.assume_init() };
        // SAFETY: initialised attributes.
        must(unsafe {
            libc::pthread_rwlockattr_setkind_np(&mut attributes, PREFER_WRITER_NONRECURSIVE)
        });
        // SAFETY: no other thread knows `lock`. glibc has a static initialiser of this kind, so the
        // result is plain bytes and may be returned by value.
        must(unsafe { libc::pthread_rwlock_init(&mut lock, &attributes) });
        // SAFETY: initialised attributes, not used again.
        must(unsafe { libc::pthread_rwlockattr_destroy(&mut attributes) });
        lock
    }
}

/// `pthread_rwlock_t`.
pub(crate) struct RwLock<K> {
    lock: UnsafeCell<libc::pthread_rwlock_t>,
    kind: PhantomData<K>,
}

// SAFETY: threads use the lock only by the library's calls, which are made for shared locks.
unsafe impl<K: Kind> Sync for RwLock<K> {}

impl<K> RwLock<K> {
    /// # Safety
    /// The lock is not moved while threads know it. If `call` unlocks, the calling thread holds the
    /// lock.
    #[inline]
    unsafe fn call(&self, call: Call<libc::pthread_rwlock_t>) -> libc::c_int {
        // SAFETY: the caller's promise.
        unsafe { call(self.lock.get()) }
    }
}

impl<K: Kind> Raw for RwLock<K> {
    fn unlocked() -> Self {
        Self { lock: UnsafeCell::new(K::unlocked()), kind: PhantomData }
    }

    #[inline]
    fn read(&self) {
        // SAFETY: not an unlock.
        must(unsafe { self.call(libc::pthread_rwlock_rdlock) });
    }

    #[inline]
    fn try_read(&self) -> bool {
        // SAFETY: not an unlock.
        unsafe { self.call(libc::pthread_rwlock_tryrdlock) == 0 }
    }

    #[inline]
    unsafe fn read_unlock(&self) {
        // SAFETY: the caller promises that this thread holds the lock.
        must(unsafe { self.call(libc::pthread_rwlock_unlock) });
    }

    #[inline]
    fn write(&self) {
        // SAFETY: not an unlock.
        must(unsafe { self.call(libc::pthread_rwlock_wrlock) });
    }

    #[inline]
    fn try_write(&self) -> bool {
        // SAFETY: not an unlock.
        unsafe { self.call(libc::pthread_rwlock_trywrlock) == 0 }
    }

    #[inline]
    unsafe fn write_unlock(&self) {
        // SAFETY: the caller promises that this thread holds the lock. One call leaves both ways.
        unsafe { self.read_unlock() };
    }
}

/// `pthread_mutex_t`, default kind.
pub(crate) struct Mutex(UnsafeCell<libc::pthread_mutex_t>);

// SAFETY: threads use the lock only by the library's calls, which are made for shared locks.
unsafe impl Sync for Mutex {}

impl Mutex {
    /// # Safety
    /// The mutex is not moved while threads know it. If `call` unlocks, the calling thread holds
    /// the mutex.
    #[inline]
    unsafe fn call(&self, call: Call<libc::pthread_mutex_t>) -> libc::c_int {
        // SAFETY: the caller's promise.
        unsafe { call(self.0.get()) }
    }
}

impl Raw for Mutex {
    fn unlocked() -> Self {
        Self(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER))
    }

    #[inline]
    fn read(&self) {
        self.write();
    }

    #[inline]
    fn try_read(&self) -> bool {
        self.try_write()
    }

    #[inline]
    unsafe fn read_unlock(&self) {
        // SAFETY: the caller promises that this thread holds the mutex, which knows one way to be
        // held.
        unsafe { self.write_unlock() };
    }

    #[inline]
    fn write(&self) {
        // SAFETY: not an unlock.
        must(unsafe { self.call(libc::pthread_mutex_lock) });
    }

    #[inline]
    fn try_write(&self) -> bool {
        // SAFETY: not an unlock.
        unsafe { self.call(libc::pthread_mutex_trylock) == 0 }
    }

    #[inline]
    unsafe fn write_unlock(&self) {
        // SAFETY: the caller promises that this thread holds the lock.
        must(unsafe { self.call(libc::pthread_mutex_unlock) });
    }
}
