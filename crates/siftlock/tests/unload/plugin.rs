//! A plugin that uses locks, as a host sees it. Compiled by tests/unload.

#![cfg(target_os = "linux")]
#![allow(clippy::missing_panics_doc, reason = "a panic is the test's failure")]

use siftlock::context::{Handler, Interrupt, Irq, Masked};
use siftlock::{PsRwLock, RawRwSem, RwSem, lock_api, policy};
use std::sync::atomic::{AtomicU32, Ordering};

static SLEEPING: RwSem<u32> = RwSem::new(0);
static SIFTING: PsRwLock<u32> = PsRwLock::new(0);
static HANDLED: AtomicU32 = AtomicU32::new(0);

/// Uses both locks, by counted reads and by slot.
#[unsafe(no_mangle)]
pub extern "C" fn plugin_lock() {
    *SLEEPING.write() += 1;
    for _ in 0..1_000 {
        assert!(*SLEEPING.read() > 0);
    }
    *SIFTING.write() += 1;
    assert!(*SIFTING.read() > 0);
}

fn handle(interrupt: &Interrupt<'_, Irq>) {
    let _seen = *SIFTING.read_at(interrupt);
    HANDLED.fetch_add(1, Ordering::Relaxed);
}

/// Handles the signal from now on.
#[unsafe(no_mangle)]
pub extern "C" fn plugin_register(signal: libc::c_int) {
    // SAFETY: the handler reads a lock and counts; a thread uses the plugin before it gets the
    // signal.
    let handler = unsafe { Handler::new(handle).in_prepared_threads() };
    handler.register(signal).expect("registered once");
}

/// Has the signal noted in the calling thread, and handled.
#[unsafe(no_mangle)]
pub extern "C" fn plugin_note(signal: libc::c_int) {
    let before = HANDLED.load(Ordering::Relaxed);
    let masked = Masked::<Irq>::new();
    // SAFETY: the signal is registered.
    unsafe { libc::raise(signal) };
    assert_eq!(HANDLED.load(Ordering::Relaxed), before);
    drop(masked);
    assert_eq!(HANDLED.load(Ordering::Relaxed), before + 1);
}

type Counted = lock_api::RwLock<RawRwSem<policy::Counted>, u64>;

/// Adds so many to a number under a lock that another copy of the plugin uses as well. Uses try
/// forms alone. Returns the number.
///
/// # Safety
/// `number` was all-zero before its first use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plugin_add(number: *const (), turns: u64) -> u64 {
    // SAFETY: by the caller's promise; all-zero is unlocked.
    let number = unsafe { &*number.cast::<Counted>() };
    for _ in 0..turns {
        *tried(|| number.try_write()) += 1;
        assert!(*tried(|| number.try_read()) > 0);
    }
    *tried(|| number.try_read())
}

fn tried<G>(lock: impl Fn() -> Option<G>) -> G {
    loop {
        match lock() {
            Some(guard) => return guard,
            None => std::thread::yield_now(),
        }
    }
}
