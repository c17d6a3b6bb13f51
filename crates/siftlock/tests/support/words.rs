//! A value that shows every overlap of a writer with another thread.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number, a hundred times. Atomics, so that a broken lock makes wrong numbers and nothing worse.
pub struct Words([AtomicU64; 100]);

impl Words {
    pub const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; 100])
    }

    /// The number, which must be the same in all words.
    pub fn check(&self) -> u64 {
        let first = self.0[0].load(Ordering::Relaxed);
        for word in &self.0[1..] {
            assert_eq!(word.load(Ordering::Relaxed), first, "torn");
        }
        first
    }

    /// Adds one. Only the sole holder may call it.
    pub fn add(&self) -> u64 {
        let next = self.check() + 1;
        for word in &self.0 {
            word.store(next, Ordering::Relaxed);
        }
        1
    }
}
