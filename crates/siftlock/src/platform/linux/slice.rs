//! A longer time slice for threads that must not lose their processor just now.
//!
//! From Linux 7.0 a thread can say in its rseq area that it is about to be done. The scheduler then
//! lets it run on for some microseconds, once, and the thread gives the processor up as soon as it
//! is done. Where the kernel, or the C library's rseq area, does not offer that, a thread only
//! looks at a thread-local variable here.
//!
//! Threads that are raised to a class that must not be preempted ask for it.

mod control;

use self::control::Control;
use super::{kept, rseq};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// `prctl` to switch it on for the calling thread, as documented in `linux/prctl.h`.
const PR_RSEQ_SLICE_EXTENSION: libc::c_int = 79;
const SET: libc::c_ulong = 2;
const ENABLE: libc::c_ulong = 1;
/// The system call that gives the processor up.
const SYS_RSEQ_SLICE_YIELD: libc::c_long = 471;

/// The kernel's part of the rseq area.
const FLAGS_WORD: usize = 4;
const AVAILABLE: u32 = 1 << 4;
/// Two bytes: the thread's request, and the kernel's grant.
const CONTROL_BYTE: usize = 28;

#[derive(Clone, Copy)]
enum Slice {
    Unknown,
    NotOffered,
    Offered(&'static Control),
}

thread_local! {
    /// Without a destructor: used in handlers.
    static MINE: Cell<Slice> = const { Cell::new(Slice::Unknown) };
}

/// Some thread has found that the extension is not offered.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Asks for it, from now on until [`withdraw`].
#[inline]
pub(in crate::platform) fn request() {
    match MINE.get() {
        Slice::NotOffered => {}
        Slice::Offered(control) => control.request(),
        Slice::Unknown => {
            find();
            request();
        }
    }
}

/// The thread can do without. If it was let run on, it gives the processor up.
#[inline]
pub(in crate::platform) fn withdraw() {
    if let Slice::Offered(control) = MINE.get()
        && control.withdraw()
    {
        give_up();
    }
}

#[cold]
fn give_up() {
    // SAFETY: touches no memory.
    kept(|| unsafe { libc::syscall(SYS_RSEQ_SLICE_YIELD) });
}

/// Whether the calling thread is offered it.
pub(in crate::platform) fn is_offered() -> bool {
    if let Slice::Unknown = MINE.get() {
        find();
    }
    matches!(MINE.get(), Slice::Offered(_))
}

/// Finds out for the calling thread. In a process that is not prepared it is not offered.
#[cold]
pub(in crate::platform) fn find() {
    // Relaxed: publishes nothing.
    let mine = if REFUSED.load(Ordering::Relaxed) { None } else { switch_on() };
    REFUSED.fetch_or(mine.is_none() && rseq::area().is_some(), Ordering::Relaxed);
    MINE.set(mine.map_or(Slice::NotOffered, Slice::Offered));
}

fn switch_on() -> Option<&'static Control> {
    let area = rseq::area()?;
    // SAFETY: the thread's rseq area, 32 bytes at least; the kernel writes it, so it is atomic.
    let (flags, control) = unsafe {
        let flags = area.add(FLAGS_WORD).read_volatile();
        (flags, &*area.cast::<u8>().add(CONTROL_BYTE).cast::<Control>())
    };
    if flags & AVAILABLE == 0 {
        return None;
    }
    // SAFETY: touches no memory.
    let switch = || unsafe { libc::prctl(PR_RSEQ_SLICE_EXTENSION, SET, ENABLE, 0_u64, 0_u64) };
    let answer = kept(switch);
    (answer == 0).then_some(control)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On every kernel: its answer to the query (`GET`) agrees with what was found.
    #[test]
    fn slice_is_found_if_the_kernel_offers_it() {
        const GET: libc::c_ulong = 1;
        std::thread::spawn(|| {
            request();
            let offered = is_offered();
            // SAFETY: touches no memory.
            let on = unsafe { libc::prctl(PR_RSEQ_SLICE_EXTENSION, GET, 0_u64, 0_u64, 0_u64) };
            assert_eq!(offered, on == 1);
            withdraw();
            assert!(!matches!(MINE.get(), Slice::Unknown));
        })
        .join()
        .unwrap();
    }

    /// More busy threads than processors, each of which asks, works for some microseconds and
    /// withdraws.
    #[test]
    fn slice_is_granted_to_busy_threads_where_it_is_offered() {
        const SECTIONS: u32 = 100_000;
        static GRANTED: AtomicBool = AtomicBool::new(false);
        let works = || {
            let Slice::Offered(control) = MINE.get() else { return };
            for _ in 0..SECTIONS {
                control.request();
                (0..1_000).for_each(|_| std::hint::spin_loop());
                if control.withdraw() {
                    give_up();
                    GRANTED.store(true, Ordering::Relaxed);
                }
                if GRANTED.load(Ordering::Relaxed) {
                    return;
                }
            }
        };
        let offered = std::thread::scope(|s| {
            let threads = 2 * std::thread::available_parallelism().map_or(1, usize::from);
            let all: Vec<_> = (0..threads)
                .map(|_| {
                    s.spawn(move || {
                        let offered = is_offered();
                        works();
                        offered
                    })
                })
                .collect();
            all.into_iter().all(|thread| thread.join().unwrap())
        });
        if !offered {
            println!("skipped: this kernel or C library does not offer longer time slices");
        }
        assert_eq!(GRANTED.load(Ordering::Relaxed), offered);
    }
}
