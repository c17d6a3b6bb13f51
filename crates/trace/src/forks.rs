//! A forked child begins with empty figures. The mutex is held while the process forks, so that the child has it whole.

use crate::inside::Inside;
use crate::registry::{self, Registry};
use crate::{clock, report};
use core::cell::UnsafeCell;
use std::sync::MutexGuard;

/// What the forking thread holds from before the fork until after it.
struct Held(UnsafeCell<Option<(MutexGuard<'static, Registry>, Inside)>>);

// SAFETY: it is used by the thread alone that has the mutex of which it holds the guard.
unsafe impl Sync for Held {}

static HELD: Held = Held(UnsafeCell::new(None));

/// Asks for all forks to be noticed.
pub(crate) fn prepare() {
    // SAFETY: called once, and before the handlers of ours: the allocator's mutex is taken last.
    unsafe {
        dlmalloc::enable_alloc_after_fork();
        libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child));
    }
}

unsafe extern "C" fn before() {
    // A handler that interrupts the slow path may fork; its thread may have the mutex already.
    let Some(inside) = Inside::enter() else { return };
    // SAFETY: the calling thread has the mutex.
    unsafe { *HELD.0.get() = Some((registry::lock(), inside)) };
}

unsafe extern "C" fn in_parent() {
    // SAFETY: as above.
    drop(unsafe { (*HELD.0.get()).take() });
}

unsafe extern "C" fn in_child() {
    // SAFETY: as above; the child's only thread is the one that forked.
    if let Some((mut registry, inside)) = unsafe { (*HELD.0.get()).take() } {
        registry.forget_all();
        clock::begin();
        drop(registry);
        report::in_child();
        drop(inside);
    }
}
