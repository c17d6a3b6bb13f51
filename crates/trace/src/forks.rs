//! A forked child begins with empty figures. The forking thread holds the library's mutexes during
//! the fork, so that the child finds their data whole.
//!
//! Other handlers of forks must not run meanwhile. Before a fork they may wait for a mutex, and
//! another thread, which holds that mutex, may wait for the library's. The handler that is
//! registered first runs last before a fork. So the library registers its handlers before any other
//! handler: it stands between the program and the function that registers them.

use crate::inside::Inside;
use crate::registry::{self, Registry};
use crate::report::NoReport;
use crate::{clock, report, settings};
use core::cell::UnsafeCell;
use core::ffi::{c_int, c_void};
use core::mem::transmute;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicUsize};
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

type Handler = Option<unsafe extern "C" fn()>;
type Register = unsafe extern "C" fn(Handler, Handler, Handler, *mut c_void) -> c_int;

/// The function behind `pthread_atfork`, which passes on what belongs to the caller's library.
#[unsafe(no_mangle)]
unsafe extern "C" fn __register_atfork(
    before: Handler,
    in_parent: Handler,
    in_child: Handler,
    library: *mut c_void,
) -> c_int {
    if settings::asks_for_report() {
        prepare();
    }
    // SAFETY: a C string. Every glibc has the function, with this type. The caller gives what it
    // takes.
    unsafe {
        let next = libc::dlsym(libc::RTLD_NEXT, c"__register_atfork".as_ptr());
        transmute::<*mut c_void, Register>(next)(before, in_parent, in_child, library)
    }
}

/// Registers the handlers that run at every fork, once.
pub(crate) fn prepare() {
    static IS_DONE: AtomicBool = AtomicBool::new(false);
    // Relaxed: constructors, which come here first, run in one thread.
    if IS_DONE.swap(true, Relaxed) {
        return;
    }
    // SAFETY: the allocator's handlers are registered before ours, so the allocator's mutex is
    // taken last.
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
