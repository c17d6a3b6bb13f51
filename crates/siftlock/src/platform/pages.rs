//! Memory that does not come from the program's allocator: that may be waiting for a lock, or be
//! built on one.

use std::alloc::Layout;

/// Memory for so many values, to be filled and never given back.
///
/// # Panics
/// Never: ends the process where there is no memory, as an allocation does.
#[cfg(unix)]
pub(super) fn make<T>(number: usize) -> *mut T {
    let layout = Layout::array::<T>(number).expect("fits the address space");
    const { assert!(align_of::<T>() <= 4096) }
    // SAFETY: asks for new memory.
    let memory = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            layout.size(),
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANON,
            -1,
            0,
        )
    };
    if memory == libc::MAP_FAILED {
        std::alloc::handle_alloc_error(layout);
    }
    memory.cast()
}

/// Gives memory back that [`make`] has made for so many values, and that nobody has seen.
///
/// # Safety
/// That is so.
#[cfg(unix)]
pub(super) unsafe fn give_back<T>(memory: *mut T, number: usize) {
    // SAFETY: the caller's promise.
    unsafe { libc::munmap(memory.cast(), number * size_of::<T>()) };
}

/// Elsewhere there is nothing but the allocator.
#[cfg(not(unix))]
pub(super) fn make<T>(number: usize) -> *mut T {
    let layout = Layout::array::<T>(number).expect("fits the address space");
    // SAFETY: a record is larger than nothing.
    let memory = unsafe { std::alloc::alloc(layout) };
    if memory.is_null() {
        std::alloc::handle_alloc_error(layout);
    }
    memory.cast()
}

/// As above.
///
/// # Safety
/// As above.
#[cfg(not(unix))]
pub(super) unsafe fn give_back<T>(memory: *mut T, number: usize) {
    let layout = Layout::array::<T>(number).expect("as it was made");
    // SAFETY: the caller's promise.
    unsafe { std::alloc::dealloc(memory.cast(), layout) };
}
