//! The locks of these tests, and what they look at in one.

use crate::support::Platform;
use siftlock::context::{Context, Irq, NonPreemptible, Thread};
use siftlock::psrw::{Policy, PsRwLock, Readers, policy::Standard};
use std::sync::atomic::{AtomicU64, Ordering};

/// Read by two classes of threads and by handlers.
pub(crate) type All = (Thread, NonPreemptible, Irq);

/// The lock on platform `P`.
pub(crate) type Lock<T, P, L = Standard> = PsRwLock<T, All, Thread, L, P>;

/// The first waiter has the lock reserved for itself.
pub(crate) const HANDOFF: u64 = 1 << 5;

/// The lock's word and its list, as they are at this moment.
pub(crate) fn words<T, R, W, L, P>(lock: &PsRwLock<T, R, W, L, P>) -> [u64; 2]
where
    R: Readers,
    W: Context,
    L: Policy,
    P: Platform,
{
    // SAFETY: the raw lock is two words, all of them atomics.
    let words = unsafe { &*std::ptr::from_ref(lock.raw()).cast::<[AtomicU64; 2]>() };
    words.each_ref().map(|word| word.load(Ordering::SeqCst))
}

/// Nobody holds the lock or waits for it. Only while no other thread uses it.
#[track_caller]
pub(crate) fn assert_at_rest<T, P: Platform, L: Policy>(lock: &Lock<T, P, L>) {
    assert_eq!(words(lock), [0; 2], "word, waiters");
    assert!(!lock.is_locked() && lock.try_write().is_some());
    assert_eq!(words(lock), [0; 2], "word, waiters after a write");
}

#[test]
#[cfg(target_pointer_width = "64")]
fn psrw_lock_is_16_bytes_of_zero() {
    let lock = PsRwLock::<(), (Thread, Irq)>::default();
    assert_eq!(size_of::<PsRwLock<()>>(), 16);
    assert_eq!(words::<_, _, Thread, Standard, crate::support::Native>(&lock), [0; 2]);
}
