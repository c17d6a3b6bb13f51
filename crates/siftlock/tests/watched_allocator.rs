//! Memory requests while handlers wait, found by this program's allocator.

#![cfg(all(debug_assertions, target_os = "linux"))]

#[path = "support/alone.rs"]
mod alone;

use alone::ends;
use siftlock::PsRwLock;
use siftlock::context::{Irq, Masked, NonPreemptible, SoftIrq, Thread};
use siftlock::psrw::WatchedAllocator;
use std::alloc::System;
use std::hint::black_box;
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: WatchedAllocator = WatchedAllocator(System);

static SYMBOLS: PsRwLock<Vec<(usize, &str)>> = PsRwLock::new(Vec::new());

const WHY: &str = "allocated or freed in a section that keeps signal handlers waiting";

/// Its name is in the backtrace.
#[inline(never)]
fn culprit() {
    SYMBOLS.write().push((0x1000, "main"));
}

ends! {
    fn psrw_writer_that_allocates_is_told() says [WHY, "culprit", "PsRwLock::update or replace"]; {
        culprit();
    }

    fn psrw_writer_that_frees_is_told() says [WHY]; {
        let mut symbols = SYMBOLS.replace(Vec::with_capacity(1));
        *SYMBOLS.write() = std::mem::take(&mut symbols);
    }

    fn psrw_writer_that_grows_a_value_is_told() says [WHY]; {
        SYMBOLS.replace(Vec::with_capacity(4));
        let mut guard = SYMBOLS.write();
        (0..5).for_each(|n| guard.push((n, "one too many")));
    }

    /// A writer may wait for this reader, and handlers for that writer.
    fn psrw_masked_reader_that_allocates_is_told() says [WHY]; {
        let masked = Masked::<Irq>::new();
        let _guard = SYMBOLS.read_at(&masked);
        drop(black_box(Box::new(5)));
    }

    /// The allocator lets the requests of the panic pass, and the panic is seen.
    fn psrw_writer_that_panics_is_seen() says ["the panic of 7"]; {
        let _ = std::panic::catch_unwind(|| {
            let _guard = SYMBOLS.write();
            panic!("the panic of {}", black_box(7));
        });
        std::process::abort();
    }
}

fn allocate() {
    drop(black_box(Box::new(5)));
}

/// Where no handler waits, a thread may ask for memory.
#[test]
fn psrw_sections_that_keep_no_handler_waiting_may_allocate() {
    static SOUND: PsRwLock<u32, (Thread, NonPreemptible)> = PsRwLock::with_classes(5);
    static SOFT: PsRwLock<u32, (Thread, NonPreemptible, SoftIrq)> = PsRwLock::with_classes(5);
    static LOCK: Mutex<()> = Mutex::new(());
    let _guard = SYMBOLS.read();
    allocate();
    let masked = Masked::<Irq>::new();
    allocate();
    drop(masked);
    let sound = SOUND.write();
    allocate();
    drop(sound);
    let awake = SOFT.read_at(NonPreemptible);
    allocate();
    drop(awake);
    SOFT.update(|old| {
        allocate();
        drop(LOCK.lock());
        old + 1
    });
    let soft = SOFT.write();
    drop(soft);
    allocate();
}

/// Even a table may change, if its value is prepared outside.
#[test]
fn psrw_value_made_outside_may_own_memory() {
    static TABLE: PsRwLock<Vec<String>> = PsRwLock::new(Vec::new());
    for n in 0..100_usize {
        let old = TABLE.update(|old| old.iter().cloned().chain([n.to_string()]).collect());
        assert_eq!(old.len(), n);
    }
    let old = TABLE.replace(vec![String::from("alone")]);
    assert_eq!((old.len(), TABLE.read().len()), (100, 1));
    let mut guard = TABLE.write();
    guard[0].make_ascii_uppercase();
    drop(guard);
    assert_eq!(*TABLE.read(), ["ALONE"]);
}
