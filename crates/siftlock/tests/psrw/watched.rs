//! A platform that counts its sleeps, so that a test knows when a thread has queued.

use crate::support::{Platform, Portable, until};
use siftlock_core::forward_platform;
use siftlock_core::platform::Instant;
use siftlock_core::record::Record;
use siftlock_core::sync::AtomicU32;
use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The platform `P` for the test with number `N`.
pub(crate) struct Watched<P, const N: usize>(PhantomData<P>);

/// The sleeps of each test, on each platform on which it runs.
static SLEEPS: [[AtomicUsize; 2]; 4] = [const { [const { AtomicUsize::new(0) }; 2] }; 4];

impl<P: Platform, const N: usize> Watched<P, N> {
    fn count() -> &'static AtomicUsize {
        &SLEEPS[N][usize::from(TypeId::of::<P>() == TypeId::of::<Portable>())]
    }

    /// Waits until the threads of this test have slept `count` times.
    pub(crate) fn until_sleeps(count: usize) {
        until(|| Self::sleeps() >= count);
    }

    pub(crate) fn sleeps() -> usize {
        Self::count().load(Ordering::SeqCst)
    }
}

// SAFETY: all methods are `P`'s.
unsafe impl<P: Platform, const N: usize> Platform for Watched<P, N> {
    forward_platform!(P: records, wake, time, processors, masking, level);

    fn wait(record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        Self::count().fetch_add(1, Ordering::SeqCst);
        P::wait(record, word, seen, until);
    }
}
