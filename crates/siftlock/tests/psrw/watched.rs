//! A platform that counts its sleeps, so that a test knows when a thread has queued.

use crate::support::{Platform, Portable, until};
use siftlock_core::platform::{Class, Instant, Raised};
use siftlock_core::sync::AtomicU32;
use siftlock_core::wait::{Record, RecordId};
use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The platform `P` for the test with number `N`.
pub(crate) struct Watched<P, const N: usize>(PhantomData<P>);

/// For each test, and each platform that it runs on.
static SLEEPS: [[AtomicUsize; 2]; 4] = [const { [const { AtomicUsize::new(0) }; 2] }; 4];

impl<P: Platform, const N: usize> Watched<P, N> {
    fn count() -> &'static AtomicUsize {
        &SLEEPS[N][usize::from(TypeId::of::<P>() == TypeId::of::<Portable>())]
    }

    /// Waits until one more thread sleeps than at `before`, in this test.
    pub(crate) fn until_sleeps(count: usize) {
        until(|| Self::sleeps() >= count);
    }

    pub(crate) fn sleeps() -> usize {
        Self::count().load(Ordering::SeqCst)
    }
}

// SAFETY: all is `P`'s.
unsafe impl<P: Platform, const N: usize> Platform for Watched<P, N> {
    fn current() -> &'static Record {
        P::current()
    }

    fn current_number() -> u32 {
        P::current_number()
    }

    fn record(id: RecordId) -> &'static Record {
        P::record(id)
    }

    fn wait(record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        Self::count().fetch_add(1, Ordering::SeqCst);
        P::wait(record, word, seen, until);
    }

    fn wake(record: &Record, word: &AtomicU32) {
        P::wake(record, word);
    }

    fn yield_now() {
        P::yield_now();
    }

    fn now() -> Instant {
        P::now()
    }

    fn may_spin() -> bool {
        P::may_spin()
    }

    fn may_spin_on(owner: &Record) -> bool {
        P::may_spin_on(owner)
    }

    fn note(me: &Record) {
        P::note(me);
    }

    fn patience(usual: u64) -> u64 {
        P::patience(usual)
    }

    fn nap() {
        P::nap();
    }

    fn raise(to: Class, held: Raised) -> Raised {
        P::raise(to, held)
    }

    fn restore(held: Raised) {
        P::restore(held);
    }

    fn level() -> Class {
        P::level()
    }
}
