//! The table of thread records. Its first chunk is part of the library, the others are pages from
//! the kernel.

use crate::system::call;
use core::alloc::Layout;
use core::ptr::{self, NonNull};
use siftlock_core::record::{Memory, Record, Table};

/// The records of all threads.
pub(crate) static RECORDS: Records = Records::beginning_with(&FIRST_CHUNK);

static FIRST_CHUNK: [Record; FIRST] = Records::first_chunk();

type Records = Table<Record, Pages, FIRST>;

/// How many records the library has without memory from the kernel.
const FIRST: usize = 256;

/// Chunks of pages from the kernel.
#[derive(Debug)]
pub(crate) struct Pages;

// SAFETY: `map` returns new pages, which nobody else has, and only `unmap` gives them back.
unsafe impl Memory for Pages {
    fn map(chunk: Layout) -> NonNull<u8> {
        let (protection, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let args = [0, chunk.size(), protection as usize, flags as usize, usize::MAX, 0];
        // SAFETY: asks for new memory.
        let pages = match unsafe { call(libc::SYS_mmap, args) } {
            -4095..0 => None,
            at => NonNull::new(ptr::with_exposed_provenance_mut(at.cast_unsigned())),
        };
        pages.unwrap_or_else(|| no_memory())
    }

    unsafe fn unmap(memory: NonNull<u8>, chunk: Layout) {
        // SAFETY: the caller's promise.
        unsafe { call(libc::SYS_munmap, [memory.addr().get(), chunk.size(), 0, 0, 0, 0]) };
    }
}

/// A record that no thread has. Ends the process if 2^24 threads use locks at once.
pub(crate) fn take() -> &'static Record {
    RECORDS.take().unwrap_or_else(|| no_memory())
}

#[cold]
fn no_memory() -> ! {
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}
