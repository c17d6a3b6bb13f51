//! The calling thread's rseq area, by which it and the kernel talk about its processor.
//!
//! glibc 2.35 and later register one for each thread.

use std::sync::atomic::{AtomicIsize, Ordering};

/// The rseq area's address, in a process that is prepared.
pub(super) fn area() -> Option<*const u32> {
    let offset = offset()?;
    thread_pointer().map(|tp| tp.wrapping_offset(offset).cast())
}

/// The area's distance from the thread pointer, the same in all threads. [`NO_OFFSET`]: there is no
/// area, or it was not asked for yet.
static OFFSET: AtomicIsize = AtomicIsize::new(NO_OFFSET);

const NO_OFFSET: isize = isize::MAX;

/// Asks once. Asking takes the loader's lock. A thread may hold that lock while its constructor
/// waits for a lock of ours.
pub(super) fn prepare() {
    // Relaxed, here and below: a number, and publishes nothing.
    OFFSET.store(ask_offset().unwrap_or(NO_OFFSET), Ordering::Relaxed);
}

fn offset() -> Option<isize> {
    let offset = OFFSET.load(Ordering::Relaxed);
    (offset != NO_OFFSET).then_some(offset)
}

/// Asks glibc.
fn ask_offset() -> Option<isize> {
    // SAFETY: the names are valid C strings; the answers are checked below.
    let (offset, size) = unsafe {
        (
            libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_offset".as_ptr()),
            libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()),
        )
    };
    if offset.is_null() || size.is_null() {
        return None;
    }
    // SAFETY: glibc defines these two with these types; they never change after start-up.
    let (offset, size) = unsafe { (*offset.cast::<isize>(), *size.cast::<u32>()) };
    // A size of 0: not registered, switched off by a tunable, or an old kernel.
    (size != 0).then_some(offset)
}

#[cfg(target_arch = "x86_64")]
fn thread_pointer() -> Option<*const u8> {
    let tp: *const u8;
    // SAFETY: by the ABI the word at %fs:0 holds the thread pointer.
    unsafe {
        std::arch::asm!("mov {}, fs:0", out(reg) tp, options(nostack, preserves_flags, readonly));
    }
    Some(tp)
}

#[cfg(target_arch = "aarch64")]
fn thread_pointer() -> Option<*const u8> {
    let tp: *const u8;
    // SAFETY: reads the thread pointer register.
    unsafe {
        std::arch::asm!("mrs {}, tpidr_el0", out(reg) tp, options(nostack, preserves_flags, nomem));
    }
    Some(tp)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn thread_pointer() -> Option<*const u8> {
    None
}
