//! The number of the processor that the calling thread runs on.
//!
//! glibc 2.35 and later register an rseq area for each thread. The kernel keeps the number there up to date,
//! and reading it is two loads. Where there is no area, or the process is not prepared, `sched_getcpu` asks
//! the kernel or its vDSO.

use crate::platform::signals::errno::kept;
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicIsize, Ordering};

thread_local! {
    /// The word with this thread's processor number. It is null until it was asked for, and never dangles.
    static WORD: Cell<*const u32> = const { Cell::new(ptr::null()) };
}

/// In place of a word, where there is no rseq area.
static NO_AREA: u32 = u32::MAX;

/// The processor's number, or a number that is out of date by the time it is used.
#[inline]
pub(super) fn current() -> u32 {
    let word = WORD.get();
    if word.is_null() {
        return find();
    }
    // SAFETY: `find` set it to a word of this thread's rseq area, which lives as long as the
    // thread, or to `NO_AREA`. Volatile: the kernel writes it.
    let cpu = unsafe { ptr::read_volatile(word) };
    if cpu > i32::MAX as u32 { ask() } else { cpu }
}

#[cold]
fn find() -> u32 {
    WORD.set(area().map_or(&raw const NO_AREA, |area| area.wrapping_add(CPU_ID_WORD)));
    current()
}

/// Index of `cpu_id` in the rseq area, a part of the kernel's interface.
const CPU_ID_WORD: usize = 1;

/// The rseq area's address.
pub(super) fn area() -> Option<*const u32> {
    let offset = offset()?;
    thread_pointer().map(|tp| tp.wrapping_offset(offset).cast())
}

/// The area's distance from the thread pointer, the same in all threads. [`NO_OFFSET`]: there is no area, or
/// it was not asked for yet.
static OFFSET: AtomicIsize = AtomicIsize::new(NO_OFFSET);

const NO_OFFSET: isize = isize::MAX;

/// Asks once. Asking takes the loader's lock. A thread may hold that lock while its constructor waits for a
/// lock of ours.
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

fn ask() -> u32 {
    if cfg!(miri) {
        // It knows neither the call nor processors.
        return u32::MAX;
    }
    // SAFETY: touches no memory.
    u32::try_from(kept(|| unsafe { libc::sched_getcpu() })).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_number_is_that_of_the_only_processor_allowed() {
        std::thread::spawn(|| {
            let here = ask();
            // SAFETY: an all-zero set is an empty one, and both calls get its true size.
            let pinned = unsafe {
                let mut set: libc::cpu_set_t = std::mem::zeroed();
                libc::CPU_SET(here as usize, &mut set);
                libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set)
            };
            assert_eq!(pinned, 0, "{}", std::io::Error::last_os_error());
            assert_eq!(current(), ask());
        })
        .join()
        .unwrap();
    }

    #[test]
    fn cpu_number_without_an_area_comes_from_the_system() {
        std::thread::spawn(|| {
            WORD.set(&raw const NO_AREA);
            let cpus = std::thread::available_parallelism().unwrap().get().max(1024);
            assert!((current() as usize) < cpus);
        })
        .join()
        .unwrap();
    }
}
