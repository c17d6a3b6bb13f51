//! The lock that the sifting locks are compared with: a reader-writer lock that spins, made fit for
//! handlers in the usual way.
//!
//! One word counts the readers and has a bit for a writer; a thread that cannot get in looks again.
//! A handler must never wait for the thread that it interrupts. So a writer masks *everything for
//! the whole write, the wait included*. A reader that a writer could wait for keeps its processor:
//! a thread reads as a non-preemptible one.

use std::hint;
use std::marker::PhantomData;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use siftlock_core::platform::{Class, Platform, Raised};
use siftlock_core::psrw::Context;

use super::Placed;

/// The bit of a writer inside.
const WRITER: u32 = 1;
/// One reader's share.
const READER: u32 = 2;

/// The lock, masking by `P`.
pub(crate) struct StandardRwLock<P> {
    word: AtomicU32,
    platform: PhantomData<fn() -> P>,
}

impl<P: Platform> StandardRwLock<P> {
    /// One attempt to read: a look, and a step if it may succeed.
    #[inline]
    fn share(&self) -> bool {
        // Relaxed: the compare-and-swap decides.
        let seen = self.word.load(Relaxed);
        // Acquire: pairs with the release of the writer before.
        seen & WRITER == 0
            && self.word.compare_exchange_weak(seen, seen + READER, Acquire, Relaxed).is_ok()
    }

    /// One attempt to write: a look, and a step if it may succeed.
    #[inline]
    fn claim(&self) -> bool {
        // Relaxed: the compare-and-swap decides. Acquire: pairs with the releases of all holders
        // before.
        self.word.load(Relaxed) == 0
            && self.word.compare_exchange_weak(0, WRITER, Acquire, Relaxed).is_ok()
    }

    /// Runs `section` if `attempt` gets in to read. Meanwhile the thread keeps its processor, at
    /// least.
    #[inline]
    fn read_by<C: Context, T>(
        &self,
        attempt: impl FnOnce(&Self) -> bool,
        section: impl FnOnce() -> T,
    ) -> Option<T> {
        let raised = P::raise(C::CLASS.max(Class::NonPreemptible), Raised::NOTHING);
        let out = attempt(self).then(section);
        if out.is_some() {
            // Release: pairs with the acquire of the writer that comes next.
            self.word.fetch_sub(READER, Release);
        }
        P::restore(raised);
        out
    }

    /// Runs `section` if `attempt` gets in to write. Meanwhile everything is masked.
    #[inline]
    fn write_by<T>(
        &self,
        attempt: impl FnOnce(&Self) -> bool,
        section: impl FnOnce() -> T,
    ) -> Option<T> {
        let raised = P::raise(Class::Irq, Raised::NOTHING);
        let out = attempt(self).then(section);
        if out.is_some() {
            // Release: pairs with the acquires of the threads that come next.
            self.word.store(0, Release);
        }
        P::restore(raised);
        out
    }

    /// Looks until `attempt` succeeds.
    #[inline]
    fn spin(&self, attempt: impl Fn(&Self) -> bool) -> bool {
        while !attempt(self) {
            hint::spin_loop();
        }
        true
    }
}

impl<P: Platform> Placed for StandardRwLock<P> {
    const THREADS: bool = false;

    fn unlocked() -> Self {
        Self { word: AtomicU32::new(0), platform: PhantomData }
    }

    #[inline]
    fn reading<C: Context, T>(&self, _at: C, section: impl FnOnce() -> T) -> T {
        let read = self.read_by::<C, T>(|lock| lock.spin(Self::share), section);
        read.expect("it spins until it is in")
    }

    #[inline]
    fn try_reading<C: Context, T>(&self, _at: C, section: impl FnOnce() -> T) -> Option<T> {
        self.read_by::<C, T>(Self::share, section)
    }

    #[inline]
    fn writing<T>(&self, section: impl FnOnce() -> T) -> T {
        let written = self.write_by(|lock| lock.spin(Self::claim), section);
        written.expect("it spins until it is in")
    }

    #[inline]
    fn try_writing<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
        self.write_by(Self::claim, section)
    }
}

#[cfg(test)]
mod tests {
    use siftlock::platform::Native;
    use siftlock_core::psrw::{Irq, Thread};

    use super::*;

    #[test]
    fn standard_masks_everything_for_a_write_and_preemption_for_a_read() {
        let lock = StandardRwLock::<Native>::unlocked();
        assert_eq!(lock.writing(Native::level), Class::Irq);
        assert_eq!(lock.reading(Thread, Native::level), Class::NonPreemptible);
        assert_eq!(lock.reading(Irq, Native::level), Class::Irq);
        assert_eq!(Native::level(), Class::Thread);
    }

    #[test]
    fn standard_tries_leave_nothing_masked() {
        let lock = StandardRwLock::<Native>::unlocked();
        let failed = lock.reading(Thread, || lock.try_writing(|| ()).is_none());
        assert!(failed && lock.try_writing(|| ()).is_some());
        assert_eq!(Native::level(), Class::Thread);
    }
}
