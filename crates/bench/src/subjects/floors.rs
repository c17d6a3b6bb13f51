//! Bounds that no lock can beat: the memory traffic of a lock, without a lock.
//!
//! Both floors let every thread in. [`Limit`] shows the cost of a protocol beyond its atomics.
//! [`LimitPrivate`] shows how far this machine lets independent threads scale at all. Where locks
//! have to wait, as in the mixed experiment, a floor's rate is only an upper bound.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicU32, AtomicU64, compiler_fence};

use super::raw::Raw;

/// One reader's share in the word of [`Limit`].
const READER: u32 = 2;
/// One writer's share in the word of [`Limit`].
const WRITER: u32 = 1;

/// A bare pair of atomics on one word.
///
/// A reader adds and subtracts; a writer compares and swaps as if it looked for an unlocked lock,
/// adds where that fails, and subtracts. Every one-word lock with sleepers needs two
/// read-modify-writes per section: the release has to learn whether a thread sleeps.
pub(crate) struct Limit(AtomicU32);

impl Raw for Limit {
    const EXCLUDES: bool = false;

    fn unlocked() -> Self {
        Self(AtomicU32::new(0))
    }

    #[inline]
    fn read(&self) {
        self.0.fetch_add(READER, Acquire);
    }

    #[inline]
    fn try_read(&self) -> bool {
        self.read();
        true
    }

    #[inline]
    unsafe fn read_unlock(&self) {
        self.0.fetch_sub(READER, Release);
    }

    #[inline]
    fn write(&self) {
        if self.0.compare_exchange(0, WRITER, Acquire, Relaxed).is_err() {
            self.0.fetch_add(WRITER, Acquire);
        }
    }

    #[inline]
    fn try_write(&self) -> bool {
        self.write();
        true
    }

    #[inline]
    unsafe fn write_unlock(&self) {
        self.0.fetch_sub(WRITER, Release);
    }
}

/// Two plain stores, kept in their order, on a line that only one thread touches.
pub(crate) struct LimitPrivate(AtomicU64);

impl LimitPrivate {
    #[inline]
    fn enter(&self) {
        // Relaxed: one thread only, so this is a plain store.
        self.0.store(1, Relaxed);
        compiler_fence(SeqCst);
    }

    #[inline]
    fn leave(&self) {
        compiler_fence(SeqCst);
        // Relaxed: one thread only, so this is a plain store.
        self.0.store(0, Relaxed);
    }
}

impl Raw for LimitPrivate {
    const EXCLUDES: bool = false;
    const PRIVATE: bool = true;

    fn unlocked() -> Self {
        Self(AtomicU64::new(0))
    }

    #[inline]
    fn read(&self) {
        self.enter();
    }

    #[inline]
    fn try_read(&self) -> bool {
        self.enter();
        true
    }

    #[inline]
    unsafe fn read_unlock(&self) {
        self.leave();
    }

    #[inline]
    fn write(&self) {
        self.enter();
    }

    #[inline]
    fn try_write(&self) -> bool {
        self.enter();
        true
    }

    #[inline]
    unsafe fn write_unlock(&self) {
        self.leave();
    }
}
