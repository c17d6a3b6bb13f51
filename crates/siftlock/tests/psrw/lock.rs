//! The locks of these tests, and their words.

use crate::support::Platform;
use siftlock::context::{Context, Irq, NonPreemptible, Thread};
use siftlock::psrw::{Policy, PsRwLock, RawPsRwLock, Readers, policy::Standard};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Read by two classes of threads and by handlers.
pub(crate) type All = (Thread, NonPreemptible, Irq);

/// The lock on platform `P`.
pub(crate) type Lock<T, P, L = Standard> = PsRwLock<T, All, Thread, L, P>;

/// The first waiter has the lock reserved for itself.
pub(crate) const HANDOFF: u64 = 1 << 5;

/// A lock as it lies in memory.
#[repr(C)]
pub(crate) struct Words {
    pub(crate) word: AtomicU64,
    waiters: AtomicUsize,
}

impl Words {
    pub(crate) fn of<R, W, L, P>(raw: &RawPsRwLock<R, W, L, P>) -> &Self {
        assert!(size_of_val(raw) == size_of::<Self>());
        // SAFETY: the raw lock is these two, in this order.
        unsafe { &*std::ptr::from_ref(raw).cast() }
    }

    pub(crate) fn get(&self) -> (u64, usize) {
        (self.word.load(Ordering::SeqCst), self.waiters.load(Ordering::SeqCst))
    }

    pub(crate) fn set(&self, (word, waiters): (u64, usize)) {
        self.word.store(word, Ordering::SeqCst);
        self.waiters.store(waiters, Ordering::SeqCst);
    }
}

/// The lock's word and its list, as they are at this moment.
pub(crate) fn words<T, R, W, L, P>(lock: &PsRwLock<T, R, W, L, P>) -> (u64, usize)
where
    R: Readers,
    W: Context,
    L: Policy,
    P: Platform,
{
    Words::of(lock.raw()).get()
}

/// Nobody holds the lock or waits for it. Only while no other thread uses it.
#[track_caller]
pub(crate) fn assert_at_rest<T, P: Platform, L: Policy>(lock: &Lock<T, P, L>) {
    assert_eq!(words(lock), (0, 0), "word, waiters");
    assert!(!lock.is_locked() && lock.try_write().is_some());
    assert_eq!(words(lock), (0, 0), "word, waiters after a write");
}

#[test]
#[cfg(target_pointer_width = "64")]
fn psrw_lock_is_16_bytes_of_zero() {
    let lock = PsRwLock::<(), (Thread, Irq)>::default();
    assert_eq!(size_of::<PsRwLock<()>>(), 16);
    assert_eq!(words::<_, _, Thread, Standard, crate::support::Native>(&lock), (0, 0));
}
