//! Locks that ours are compared with on a simulated machine, each in its published form.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use siftlock_core_sim::sync::spin_while;
use siftlock_sim::{AtomicU32, calls};

use super::subjects::Lock;

/// Looks of a spinner before it looks with more care.
const SPINS: u32 = 100;

/// A step to get in, and one to leave, and nobody waits: what any lock of one word costs at least.
#[derive(Debug)]
pub(super) struct Limit(AtomicU32);

impl Limit {
    fn pass(&self, section: impl FnOnce()) {
        self.0.fetch_add(1, Acquire);
        section();
        self.0.fetch_sub(1, Release);
    }
}

impl Lock for Limit {
    const EXCLUDES: bool = false;

    fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    fn reading(&self, section: impl FnOnce()) {
        self.pass(section);
    }

    fn writing(&self, section: impl FnOnce()) {
        self.pass(section);
    }
}

/// The mutex of Drepper's "Futexes are tricky" (2005) with a short spin before the sleep, as
/// standard libraries have it.
#[derive(Debug)]
pub(super) struct Mutex(AtomicU32);

const FREE: u32 = 0;
const LOCKED: u32 = 1;
const CONTENDED: u32 = 2;

impl Mutex {
    fn spin(&self) -> u32 {
        spin_while(&self.0, LOCKED, SPINS)
    }

    fn lock_slow(&self) {
        let mut now = self.spin();
        if now == FREE {
            match self.0.compare_exchange(FREE, LOCKED, Acquire, Relaxed) {
                Ok(_) => return,
                Err(seen) => now = seen,
            }
        }
        loop {
            if now != CONTENDED && self.0.swap(CONTENDED, Acquire) == FREE {
                return;
            }
            calls::sleep(&self.0, || self.0.load(Relaxed) == CONTENDED, None);
            now = self.spin();
        }
    }

    fn holding(&self, section: impl FnOnce()) {
        if self.0.compare_exchange(FREE, LOCKED, Acquire, Relaxed).is_err() {
            self.lock_slow();
        }
        section();
        if self.0.swap(FREE, Release) == CONTENDED {
            calls::wake(&self.0, 1);
        }
    }
}

impl Lock for Mutex {
    fn new() -> Self {
        Self(AtomicU32::new(FREE))
    }

    fn reading(&self, section: impl FnOnce()) {
        self.holding(section);
    }

    fn writing(&self, section: impl FnOnce()) {
        self.holding(section);
    }
}

/// The kernel's spinning reader-writer lock on x86, as of 2008.
///
/// The word is BIAS less one for each reader, and less BIAS for a writer. Each caller takes its
/// share off by an addition, and puts it back where that does not let it in. So a reader is kept
/// out by a negative number: a writer is inside, or has just tried.
#[derive(Debug)]
pub(super) struct StandardRwLock(AtomicU32);

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
    /// One attempt of a reader: − 1, and + 1 where the number is negative then.
    pub(super) fn try_read(&self) -> bool {
        let is_in = self.0.fetch_sub(1, Acquire).wrapping_sub(1).cast_signed() >= 0;
        if !is_in {
            self.0.fetch_add(1, Relaxed);
        }
        is_in
    }

    pub(super) fn read(&self) {
        while !self.try_read() {
            self.spin_until(|now| now.cast_signed() > 0);
        }
    }

    pub(super) fn read_unlock(&self) {
        self.0.fetch_add(1, Release);
    }

    /// One attempt of a writer: − BIAS, and + BIAS where that does not leave 0.
    pub(super) fn try_write(&self) -> bool {
        let is_in = self.0.fetch_sub(BIAS, Acquire) == BIAS;
        if !is_in {
            self.0.fetch_add(BIAS, Relaxed);
        }
        is_in
    }

    pub(super) fn write(&self) {
        while !self.try_write() {
            self.spin_until(|now| now == BIAS);
        }
    }

    pub(super) fn write_unlock(&self) {
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

/// The kernel's try-read before and after the try-read patch: a count, and an owner that each
/// reader writes.
#[derive(Debug)]
#[repr(C)]
pub(super) struct KernelTryRead<const CAS_FIRST: bool> {
    count: AtomicU32,
    owner: AtomicU32,
}

impl<const CAS_FIRST: bool> Lock for KernelTryRead<CAS_FIRST> {
    const EXCLUDES: bool = false;

    fn new() -> Self {
        Self { count: AtomicU32::new(0), owner: AtomicU32::new(0) }
    }

    fn reading(&self, section: impl FnOnce()) {
        let mut seen = if CAS_FIRST { 0 } else { self.count.load(Relaxed) };
        while let Err(now) = self.count.compare_exchange(seen, seen + 1, Acquire, Relaxed) {
            seen = now;
        }
        self.owner.store(1, Relaxed);
        section();
        self.count.fetch_sub(1, Release);
    }

    fn writing(&self, section: impl FnOnce()) {
        self.reading(section);
    }
}
