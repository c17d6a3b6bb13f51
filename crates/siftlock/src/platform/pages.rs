//! Memory for records that does not come from the program's allocator: the allocator may be waiting
//! for a lock, or be built on one.

use siftlock_core::record::Memory;
use std::alloc::Layout;
use std::ptr::NonNull;

/// Pages of the system, or the allocator's memory where `std` offers nothing else.
#[derive(Debug)]
pub(super) struct Pages;

#[cfg(unix)]
// SAFETY: new pages, which nobody else has.
unsafe impl Memory for Pages {
    fn map(chunk: Layout) -> NonNull<u8> {
        assert!(chunk.align() <= 4096, "pages are aligned to their size");
        // SAFETY: asks for new memory.
        let memory = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                chunk.size(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANON,
                -1,
                0,
            )
        };
        match NonNull::new(memory.cast()) {
            Some(pages) if memory != libc::MAP_FAILED => pages,
            _ => std::alloc::handle_alloc_error(chunk),
        }
    }

    unsafe fn unmap(memory: NonNull<u8>, chunk: Layout) {
        // SAFETY: the caller's promise.
        unsafe { libc::munmap(memory.as_ptr().cast(), chunk.size()) };
    }
}

#[cfg(not(unix))]
// SAFETY: as the allocator promises.
unsafe impl Memory for Pages {
    fn map(chunk: Layout) -> NonNull<u8> {
        // SAFETY: a chunk is larger than nothing.
        let memory = unsafe { std::alloc::alloc(chunk) };
        NonNull::new(memory).unwrap_or_else(|| std::alloc::handle_alloc_error(chunk))
    }

    unsafe fn unmap(memory: NonNull<u8>, chunk: Layout) {
        // SAFETY: the caller's promise.
        unsafe { std::alloc::dealloc(memory.as_ptr(), chunk) };
    }
}
