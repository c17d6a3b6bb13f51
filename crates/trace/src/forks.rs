//! A forked child begins with empty figures. The forking thread holds the library's mutexes during
//! the fork, so that the child finds their data whole.

use crate::inside::Inside;
use crate::registry::{self, Registry};
use crate::report::NoReport;
use crate::{clock, report};
use core::cell::UnsafeCell;
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::Relaxed;
use std::sync::MutexGuard;

/// What the forking thread holds during the fork. The fields are dropped in this order.
struct Held {
    registry: MutexGuard<'static, Registry>,
    no_report: NoReport,
    inside: Inside,
}

/// The place of [`Held`], and the `pthread_self` of the forking thread.
struct Place {
    held: UnsafeCell<Option<Held>>,
    thread: AtomicUsize,
}

// SAFETY: only the thread that has the mutexes uses `held`, which keeps their guards. No other
// thread finds its own number in `thread`.
unsafe impl Sync for Place {}

static PLACE: Place = Place { held: UnsafeCell::new(None), thread: AtomicUsize::new(0) };

/// Registers the handlers that run at every fork.
pub(crate) fn prepare() {
    // SAFETY: called once. The allocator's handlers are registered before ours, so the allocator's
    // mutex is taken last.
    unsafe {
        dlmalloc::enable_alloc_after_fork();
        libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child));
    }
}

unsafe extern "C" fn before() {
    // A thread that is inside, or has no table, forks without the mutexes.
    let Some(inside) = Inside::enter() else { return };
    let no_report = NoReport::begin();
    let held = Held { registry: registry::lock(), no_report, inside };
    // Relaxed: a thread that reads its own number wrote it.
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

/// What the calling thread stored before the fork.
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
