//! How much processor time a thread of this process has used. If that stands still, the thread does
//! not run.

use super::{Linux, kept};
use siftlock_core::platform::Platform;
use std::sync::atomic::{AtomicBool, Ordering};

/// The calling thread's number in the system, or 0.
pub(in crate::platform) fn thread_number() -> u32 {
    if cfg!(miri) {
        return 0;
    }
    // SAFETY: touches no memory.
    let number = kept(|| unsafe { libc::syscall(libc::SYS_gettid) });
    u32::try_from(number).unwrap_or(0)
}

/// Nanoseconds used by the thread with this number. `None` where the system does not tell: for a
/// thread of another process, as after a fork, and in some sandboxes.
pub(super) fn of(number: u32) -> Option<u64> {
    // Relaxed, here and below: a hint.
    let clock = clock_of(number).filter(|_| !IS_COARSE.load(Ordering::Relaxed))?;
    // SAFETY: plain numbers, and a place for the time.
    let (answer, used) = kept(|| unsafe {
        let mut used: libc::timespec = std::mem::zeroed();
        (libc::clock_gettime(clock, &mut used), used)
    });
    (answer == 0).then_some(used.tv_sec as u64 * 1_000_000_000 + used.tv_nsec as u64)
}

/// Whether the clock goes by ticks, as in an emulated kernel, and stands still while a thread runs.
static IS_COARSE: AtomicBool = AtomicBool::new(false);

/// Looks once whether the calling thread's clock goes while it runs, for two microseconds.
pub(super) fn prepare() {
    let (me, end) = (thread_number(), Linux::now().after(2_000));
    let before = of(me);
    while Linux::now() < end {}
    IS_COARSE.store(before.is_some() && of(me) == before, Ordering::Relaxed);
}

/// The kernel's id for a thread's clock: the complement of the thread's number, above three bits
/// that say "of one thread" (4) and "as the scheduler counts" (2).
fn clock_of(number: u32) -> Option<libc::clockid_t> {
    let number = libc::clockid_t::try_from(number).ok()?;
    (number != 0).then_some(!number << 3 | 6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn processor_time_grows_while_a_thread_runs_and_only_then() {
        let me = thread_number();
        let before = of(me).expect("known");
        while of(me).expect("known") == before {}
        let (number, its_number) = channel();
        let (end, waits_for_end) = channel::<()>();
        let asleep = std::thread::spawn(move || {
            number.send(thread_number()).unwrap();
            waits_for_end.recv().unwrap();
        });
        let number = its_number.recv().unwrap();
        // It may still be on its way to sleep.
        let stands_still = || {
            let before = of(number);
            std::thread::sleep(std::time::Duration::from_millis(2));
            of(number) == before
        };
        while !stands_still() {}
        end.send(()).unwrap();
        asleep.join().unwrap();
        assert!(Linux::processor_time(Linux::current()).is_some(), "a thread has its number");
        assert_eq!(of(0), None, "no thread");
        assert_eq!(of(1), None, "of another process");
    }
}
