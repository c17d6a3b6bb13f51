//! Stacks of coroutines, kept from one execution to the next.
//!
//! loom makes a coroutine for each thread of each execution. The crate `generator` maps a stack for
//! each of them and unmaps it again, and the system clears its pages: two fifths of the time of a
//! model. So this program has an `mmap` and a `munmap` of its own, which keep the stacks.

use libc::{c_int, c_void, off_t, size_t};
use std::cell::Cell;
use std::ptr::null_mut;

/// Stands at the upper end of a stack that is not in use.
struct Kept {
    next: *mut Kept,
}

thread_local! {
    /// The kept stacks of this OS thread, which runs all threads of its models.
    static KEPT: Cell<*mut Kept> = const { Cell::new(null_mut()) };
    /// The length of every kept stack. Nothing else is mapped in that length.
    static LEN: Cell<size_t> = const { Cell::new(0) };
}

/// Makes sure that the linker takes the two functions.
pub(super) fn keep() {
    std::hint::black_box((mmap as *const (), munmap as *const ()));
}

/// The system's `mmap`, but a kept stack is used again.
///
/// # Safety
/// Those of the system's `mmap`.
#[unsafe(no_mangle)]
unsafe extern "C" fn mmap(
    at: *mut c_void,
    len: size_t,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: off_t,
) -> *mut c_void {
    let kept = KEPT.get();
    if flags & libc::MAP_STACK != 0 {
        if LEN.replace(len) == len && !kept.is_null() {
            // SAFETY: the stack is mapped, and nobody else uses it.
            return unsafe {
                KEPT.set((*kept).next);
                kept.add(1).byte_sub(len).cast()
            };
        }
        KEPT.set(null_mut());
    }
    // SAFETY: the caller's own request.
    unsafe {
        libc::syscall(libc::SYS_mmap, at, len, protection, flags, file, offset) as *mut c_void
    }
}

/// The system's `munmap`, but a stack is kept.
///
/// # Safety
/// Those of the system's `munmap`.
#[unsafe(no_mangle)]
unsafe extern "C" fn munmap(at: *mut c_void, len: size_t) -> c_int {
    if len != LEN.get() {
        // SAFETY: the caller's own request.
        return unsafe { libc::syscall(libc::SYS_munmap, at, len) as c_int };
    }
    // SAFETY: the caller has no more use for it, and a stack may be written.
    unsafe {
        let kept = at.byte_add(len).cast::<Kept>().sub(1);
        kept.write(Kept { next: KEPT.get() });
        KEPT.set(kept);
    }
    0
}
