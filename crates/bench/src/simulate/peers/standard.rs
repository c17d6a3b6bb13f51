//! The reader-writer lock that the 2008 lock was measured beside.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use siftlock_sim::{AtomicU32, calls};

use super::super::subjects::Lock;

/// The kernel's spinning reader-writer lock on x86, as of 2008.
///
/// The word is BIAS, minus one for each reader, minus BIAS for a writer. Each caller subtracts its
/// share in one atomic step, and adds it again where the result keeps it out. A negative number
/// keeps a reader out: a writer is inside, or has just tried.
#[derive(Debug)]
pub(in super::super) struct StandardRwLock(AtomicU32);

impl Default for StandardRwLock {
    fn default() -> Self {
        Self(AtomicU32::new(BIAS))
    }
}

/// More than all readers together.
const BIAS: u32 = 1 << 24;
/// Looks at a line that does not change, before the simulated spinner takes the next step.
const LOOKS: u32 = 1_000;

impl StandardRwLock {
    /// One attempt of a reader: − 1, then + 1 if the result is negative.
    pub(in super::super) fn try_read(&self) -> bool {
        let is_in = self.0.fetch_sub(1, Acquire).wrapping_sub(1).cast_signed() >= 0;
        if !is_in {
            self.0.fetch_add(1, Relaxed);
        }
        is_in
    }

    pub(in super::super) fn read(&self) {
        while !self.try_read() {
            self.spin_until(|now| now.cast_signed() > 0);
        }
    }

    pub(in super::super) fn read_unlock(&self) {
        self.0.fetch_add(1, Release);
    }

    /// One attempt of a writer: − BIAS, then + BIAS if the result is not 0.
    pub(in super::super) fn try_write(&self) -> bool {
        let is_in = self.0.fetch_sub(BIAS, Acquire) == BIAS;
        if !is_in {
            self.0.fetch_add(BIAS, Relaxed);
        }
        is_in
    }

    pub(in super::super) fn write(&self) {
        while !self.try_write() {
            self.spin_until(|now| now == BIAS);
        }
    }

    pub(in super::super) fn write_unlock(&self) {
        self.0.fetch_add(BIAS, Release);
    }

    fn spin_until(&self, lets_in: fn(u32) -> bool) {
        while !lets_in(self.0.load(Relaxed)) {
            calls::spin(&self.0, LOOKS);
        }
    }
}

impl Lock for StandardRwLock {
    fn new() -> Self {
        Self::default()
    }

    fn reading(&self, section: impl FnOnce()) {
        self.read();
        section();
        self.read_unlock();
    }

    fn writing(&self, section: impl FnOnce()) {
        self.write();
        section();
        self.write_unlock();
    }
}
