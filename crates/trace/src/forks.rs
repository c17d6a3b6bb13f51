//! A forked child begins with empty figures. The mutexes are held while the process forks, so that
//! the child has them whole.

use crate::inside::Inside;
use crate::registry::{self, Registry};
use crate::report::NoReport;
use crate::{clock, report};
use core::cell::UnsafeCell;
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::Relaxed;
use std::sync::MutexGuard;

/// What the forking thread holds from before the fork until after it. Dropped in this order.
struct Held {
    registry: MutexGuard<'static, Registry>,
    no_report: NoReport,
    inside: Inside,
}

/// Where it is kept, and the `pthread_self` of that thread.
struct Place {
    held: UnsafeCell<Option<Held>>,
    thread: AtomicUsize,
}

// SAFETY: `held` is used by the thread alone that has the mutexes of which it keeps the guards:
// only that one finds its own number in `thread`.
unsafe impl Sync for Place {}

static PLACE: Place = Place { held: UnsafeCell::new(None), thread: AtomicUsize::new(0) };

/// Asks for all forks to be noticed.
pub(crate) fn prepare() {
    // SAFETY: called once, and before the handlers of ours: the allocator's mutex is taken last.
    unsafe {
        dlmalloc::enable_alloc_after_fork();
        libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child));
    }
}

unsafe extern "C" fn before() {
    // A thread without a table is not measured, and forks as it is.
    let Some(inside) = Inside::enter() else { return };
    let no_report = NoReport::begin();
    let held = Held { registry: registry::lock(), no_report, inside };
    // Relaxed: who reads the own number has written it.
    PLACE.thread.store(this_thread(), Relaxed);
    // SAFETY: the calling thread has the mutexes.
    unsafe { *PLACE.held.get() = Some(held) };
}

unsafe extern "C" fn in_parent() {
    drop(take());
}

unsafe extern "C" fn in_child() {
    if let Some(Held { mut registry, no_report, inside }) = take() {
        registry.forget_all();
        clock::begin();
        drop(registry);
        report::in_child(no_report);
        drop(inside);
    }
}

/// What the calling thread has put there before the fork.
fn take() -> Option<Held> {
    if PLACE.thread.load(Relaxed) != this_thread() {
        return None;
    }
    PLACE.thread.store(0, Relaxed);
    // SAFETY: the calling thread has the mutexes; in a child it is the only one.
    unsafe { (*PLACE.held.get()).take() }
}

fn this_thread() -> usize {
    // SAFETY: no conditions.
    unsafe { libc::pthread_self() as usize }
}
