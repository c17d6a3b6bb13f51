//! Faults for sanitizers to find: `.ci/thorough` runs these, and they must not pass.

use siftlock::RwSem;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

struct Shared(UnsafeCell<u32>);

// SAFETY: it is unsound: that is the planted fault.
unsafe impl Sync for Shared {}

/// Two readers of one lock write what it guards, both inside: nothing orders them.
#[test]
#[ignore = "a data race"]
fn planted_race() {
    let lock = RwSem::new(Shared(UnsafeCell::new(0)));
    let inside = AtomicU32::new(0);
    thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                let shared = lock.read();
                // Relaxed, both: no order comes from here either.
                inside.fetch_add(1, Ordering::Relaxed);
                while inside.load(Ordering::Relaxed) < 2 {
                    thread::yield_now();
                }
                // SAFETY: none; see above.
                unsafe { *shared.0.get() += 1 };
            });
        }
    });
}

#[test]
#[ignore = "a use after free"]
fn planted_use_after_free() {
    let lock = Box::into_raw(Box::new(RwSem::new(0)));
    // SAFETY: none; the second look is at memory that is gone.
    unsafe {
        assert_eq!(*(*lock).read(), 0);
        drop(Box::from_raw(lock));
        assert!((*lock).try_read().is_some());
    }
}
