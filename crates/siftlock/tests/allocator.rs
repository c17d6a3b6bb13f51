//! Locks under a global allocator. Every allocation of the program, and of all its threads, goes
//! through these locks. A lock call that allocated would come back to the very lock that it works
//! on.

#[cfg(all(debug_assertions, target_os = "linux"))]
#[path = "support/alone.rs"]
mod alone;
mod support;

use siftlock::context::Thread;
use siftlock::policy::{Counted, Noted};
use siftlock::{PsRwLock, RwSem};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use support::{Lock, Native, finishes};

/// One of four locks by turns, for reading or writing.
struct Locked;

static STANDARD: RwSem<()> = RwSem::new(());
static COUNTED: Lock<(), Native, Counted> = Lock::new(());
static NOTED: Lock<(), Native, Noted> = Lock::new(());
static SIFTING: PsRwLock<(), Thread> = PsRwLock::with_classes(());

fn with_a_lock<T>(f: impl FnOnce() -> T) -> T {
    static TURN: AtomicUsize = AtomicUsize::new(0);
    // By turns, so an allocation that comes back to a lock of which its caller has a share wants to
    // write that lock.
    match TURN.fetch_add(1, Ordering::Relaxed) % 8 {
        0 | 2 => within(STANDARD.read(), f),
        1 => within(STANDARD.write(), f),
        3 => within(COUNTED.read(), f),
        4 => within(COUNTED.write(), f),
        5 => within(NOTED.read(), f),
        6 => within(NOTED.write(), f),
        _ => within(SIFTING.write(), f),
    }
}

fn within<G, T>(_guard: G, f: impl FnOnce() -> T) -> T {
    f()
}

// SAFETY: the system's allocator, behind a lock.
unsafe impl GlobalAlloc for Locked {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        with_a_lock(|| unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        with_a_lock(|| unsafe { System.dealloc(place, layout) });
    }
}

#[global_allocator]
static ALLOCATOR: Locked = Locked;

#[test]
fn rwsem_and_psrw_serve_a_global_allocator() {
    // Without memory nobody can report a hang.
    #[cfg(unix)]
    // SAFETY: ends the process, later.
    unsafe {
        libc::alarm(100)
    };
    finishes(|| {
        for _ in 0..20 {
            thread::scope(|s| {
                for number in 0..8 {
                    s.spawn(move || {
                        let kept: Vec<_> = (0..200).map(|n| vec![number; n % 50 + 1]).collect();
                        assert!(kept.iter().all(|numbers| numbers[0] == number));
                    });
                }
            });
        }
    });
}

#[cfg(all(debug_assertions, target_os = "linux"))]
alone::ends! {
    /// The panic that reports this allocates, too.
    fn psrw_writer_that_allocates_under_a_lock_is_told()
        says ["siftlock: ", "Thread form may wait", file!()];
    {
        static WRITTEN: PsRwLock<u32> = PsRwLock::new(0);
        let _written = WRITTEN.write();
        drop(std::hint::black_box(Box::new(5)));
    }
}
