//! How many threads of this process can run at once, by the affinity mask and by the control
//! group's grant. Where it is less than two, no thread spins.
//!
//! [`prepare`](super::prepare) asks for it once. The control group's answer is in files, which no
//! lock call opens: a waiter may be in a sandbox by then, or about to be cancelled.

#[cfg(target_os = "linux")]
use super::signals::errno::kept;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of processors, as far as it is known.
#[derive(Debug)]
pub(super) struct Processors {
    /// 0: not known.
    number: AtomicU32,
}

/// The processors of this process.
pub(super) static PROCESSORS: Processors = Processors { number: AtomicU32::new(0) };

impl Processors {
    /// The number. In a process that is not prepared, it comes from the mask alone.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        // Relaxed, here and below: a number, which publishes nothing.
        match self.number.load(Ordering::Relaxed) {
            0 => self.ask(),
            number => number,
        }
    }

    #[cold]
    fn ask(&self) -> u32 {
        let number = by_mask();
        // `prepare` may have stored a better number meanwhile.
        let order = Ordering::Relaxed;
        self.number.compare_exchange(0, number, order, order).map_or_else(|now| now, |_| number)
    }

    /// Finds the number, by the control group as well.
    pub(super) fn prepare(&self) {
        // Rounded up: of one and a half processors, two run now and then. `std` would count one,
        // and no thread would spin.
        let granted = u32::try_from(num_cpus::get()).unwrap_or(u32::MAX);
        self.number.store(of_process(granted), Ordering::Relaxed);
    }
}

/// The process's number, from the one that is counted for the calling thread. A thread may have
/// bound itself to one processor, which says nothing about the others. A control group may grant
/// less than the thread's mask.
#[cfg(target_os = "linux")]
fn of_process(counted: u32) -> u32 {
    match mask(0) {
        Some(own) if counted >= own => by_mask(),
        _ => counted,
    }
}

#[cfg(not(target_os = "linux"))]
fn of_process(counted: u32) -> u32 {
    counted
}

/// By the masks of the calling thread and of the first thread, whose mask is the process's as a
/// rule.
#[cfg(target_os = "linux")]
fn by_mask() -> u32 {
    // SAFETY: touches no memory.
    let mask = mask(0).max(mask(unsafe { libc::getpid() }));
    // The system refuses if the mask does not fit into the set: more than 1,024 processors.
    mask.unwrap_or(libc::CPU_SETSIZE as u32).max(1)
}

/// Elsewhere `std` asks the system and no file.
#[cfg(not(target_os = "linux"))]
fn by_mask() -> u32 {
    let counted = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    u32::try_from(counted).unwrap_or(u32::MAX)
}

/// How many processors the thread with this id may run on.
#[cfg(target_os = "linux")]
fn mask(thread: libc::pid_t) -> Option<u32> {
    // SAFETY: an all-zero set is an empty one, and the call gets its true size.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        let got = kept(|| libc::sched_getaffinity(thread, size_of::<libc::cpu_set_t>(), &mut set));
        (got == 0).then(|| libc::CPU_COUNT(&set).unsigned_abs())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn processors_are_as_many_as_the_control_group_grants() {
        let own = mask(0).unwrap();
        assert_eq!(of_process(own), by_mask());
        if own > 1 {
            assert_eq!(of_process(1), 1, "less than the mask");
        }
    }

    #[test]
    fn processors_of_a_process_that_is_not_prepared_are_those_of_its_mask() {
        let processors = Processors { number: AtomicU32::new(0) };
        assert_eq!(processors.count(), by_mask());
        processors.number.store(1, Ordering::Relaxed);
        assert_eq!((processors.ask(), processors.count()), (1, 1), "what is known stays");
        processors.prepare();
        assert_eq!(processors.count(), PROCESSORS.count());
    }

    #[test]
    fn processors_are_those_of_the_process_and_not_of_a_bound_thread() {
        let first = by_mask();
        let bound = std::thread::spawn(|| {
            // SAFETY: an all-zero set is an empty one, and the call gets its true size.
            unsafe {
                let mut set: libc::cpu_set_t = std::mem::zeroed();
                libc::CPU_SET(libc::sched_getcpu().unsigned_abs() as usize, &mut set);
                assert_eq!(libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set), 0);
            }
            (mask(0), of_process(1))
        })
        .join()
        .unwrap();
        assert_eq!(bound, (Some(1), first));
    }
}
