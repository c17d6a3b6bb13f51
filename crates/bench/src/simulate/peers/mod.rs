//! Locks that ours are compared with on a simulated machine, each in its published form.

mod standard;

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use siftlock_core_sim::sync::spin_while;
use siftlock_sim::{AtomicU32, calls};

pub(super) use self::standard::StandardRwLock;
use super::subjects::Lock;

/// How often a spinner loads the word before it takes its next step.
const SPINS: u32 = 100;

/// One step to get in, one to leave, no waiting: the least that any lock of one word costs.
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
    const TRIES: bool = true;

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
    const TRIES: bool = true;

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
