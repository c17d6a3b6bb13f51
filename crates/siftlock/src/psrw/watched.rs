//! An allocator that notices where it must not be asked.

use super::held;
use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::Cell;
use std::{fmt, thread};

/// The allocator `A`, which ends a debug build's process at a forbidden call: a call that allocates
/// or frees [while signal handlers may wait](crate::psrw#in-a-write-section) for the calling
/// thread. That is so in a write section of a lock that handlers read, and under a read guard of
/// their class.
///
/// Without it, such a call hangs only on the day when a handler has interrupted a thread in the
/// middle of the allocator. With it, the first test that makes the call ends there, with a
/// backtrace. A panic allocates as well, and is let pass, so that it is seen. A release build pays
/// nothing, and notices nothing.
///
/// ```
/// use siftlock::psrw::WatchedAllocator;
/// use std::alloc::System;
///
/// #[global_allocator]
/// static ALLOCATOR: WatchedAllocator = WatchedAllocator(System);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WatchedAllocator<A = System>(
    /// Does the work.
    pub A,
);

// SAFETY: each call is `A`'s own, after a look at the thread.
unsafe impl<A: GlobalAlloc> GlobalAlloc for WatchedAllocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        look();
        // SAFETY: as the caller promises.
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        look();
        // SAFETY: as the caller promises.
        unsafe { self.0.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        look();
        // SAFETY: as the caller promises.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        look();
        // SAFETY: as the caller promises.
        unsafe { self.0.realloc(memory, layout, size) }
    }
}

#[inline]
fn look() {
    if held::keeps_handlers_waiting() {
        report();
    }
}

thread_local! {
    /// Set for good once the thread reports: the report's own allocations must pass.
    static REPORTS: Cell<bool> = const { Cell::new(false) };
}

#[cold]
fn report() {
    if thread::panicking() || REPORTS.replace(true) {
        return;
    }
    #[cfg(target_os = "linux")]
    crate::platform::signals::abort(format_args!(
        "memory is allocated or freed in a section that keeps signal handlers waiting. A thread that \
         one of them has interrupted may hold the allocator's lock, and then neither goes on. Make the \
         new value outside, and drop the old one there: PsRwLock::update or replace\n{Trace}"
    ));
    #[cfg(not(target_os = "linux"))]
    unreachable!("no handlers are registered\n{Trace}")
}

/// The caller's backtrace, taken where it is shown: that allocates, and may never end here.
struct Trace;

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Backtrace::force_capture().fmt(f)
    }
}
