//! How many threads of this process can run at once: by the affinity mask and by what the control
//! group grants. Where it is one, or less than two, nobody spins.
//!
//! The mask is asked for once. What is granted is changed while programs run (`cpu.max`), so it is read
//! again at times, by a thread that is about to sleep anyway, at most once a second.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What is known so far.
#[derive(Debug)]
pub(super) struct Processors {
    /// By the mask and whatever else does not change; 0: not asked for yet.
    most: AtomicU32,
    /// By the control group as well.
    now: AtomicU32,
    /// The second in which that was looked at.
    looked: AtomicU64,
}

/// Of this process.
pub(super) static PROCESSORS: Processors = Processors::unknown();

impl Processors {
    const fn unknown() -> Self {
        Self { most: AtomicU32::new(0), now: AtomicU32::new(0), looked: AtomicU64::new(0) }
    }

    /// The answer. Asked for on the first call, or on a few where threads call together: no
    /// `OnceLock`, on which a child forked meanwhile would wait for ever.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        // Relaxed, here and below: numbers, which publish nothing.
        match self.now.load(Ordering::Relaxed) {
            0 => self.ask(),
            now => now,
        }
    }

    #[cold]
    fn ask(&self) -> u32 {
        let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        #[cfg(target_os = "linux")]
        let (most, now) = by_mask(count, super::linux::quota::granted());
        #[cfg(not(target_os = "linux"))]
        let (most, now) = (count, count);
        self.most.store(most, Ordering::Relaxed);
        self.now.store(now, Ordering::Relaxed);
        now
    }

    /// In this second, counted from 1: looks once more at what is granted, unless that was done in it
    /// already. `granted` says so, if it can.
    #[cfg(target_os = "linux")]
    pub(super) fn look_again(&self, second: u64, granted: impl FnOnce() -> Option<u32>) {
        let looked = self.looked.load(Ordering::Relaxed);
        let (most, order) = (self.most.load(Ordering::Relaxed), Ordering::Relaxed);
        if second == looked || most == 0 {
            return;
        }
        let mine = self.looked.compare_exchange(looked, second, order, order).is_ok();
        // The first look was when the answer was asked for.
        if mine
            && looked != 0
            && let Some(granted) = granted()
        {
            self.now.store(most.min(granted), order);
        }
    }
}

/// From what `std` counts for the calling thread, and what its control group grants: by the mask
/// alone, and with both.
#[cfg(target_os = "linux")]
fn by_mask(count: u32, granted: Option<u32>) -> (u32, u32) {
    // A thread may have bound itself to one processor, which says nothing about the others. The
    // first thread's mask is the process's, as a rule.
    // SAFETY: touches no memory.
    let masks = [mask(0), mask(unsafe { libc::getpid() })];
    let most = match masks {
        // Something else limits it: another kind of control group, which `std` knows.
        [Some(own), _] if count < own && granted != Some(count) => count,
        [own, first] => own.max(first).unwrap_or(count).max(1),
    };
    (most, most.min(granted.unwrap_or(u32::MAX)))
}

/// How many processors the thread with this id may run on.
#[cfg(target_os = "linux")]
fn mask(thread: libc::pid_t) -> Option<u32> {
    // SAFETY: an all-zero set is an empty one, and the call gets its true size.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        let got = libc::sched_getaffinity(thread, size_of::<libc::cpu_set_t>(), &mut set);
        (got == 0).then(|| libc::CPU_COUNT(&set).unsigned_abs())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn known(most: u32) -> Processors {
        let processors = Processors::unknown();
        processors.most.store(most, Ordering::Relaxed);
        processors.now.store(most, Ordering::Relaxed);
        processors.look_again(1, || unreachable!("just asked for"));
        processors
    }

    #[test]
    fn processors_follow_what_is_granted_once_a_second() {
        let processors = known(4);
        processors.look_again(2, || Some(1));
        assert_eq!(processors.count(), 1);
        processors.look_again(2, || unreachable!("in the same second"));
        processors.look_again(3, || Some(u32::MAX));
        assert_eq!(processors.count(), 4);
    }

    #[test]
    fn processors_stay_as_they_are_where_nothing_can_be_read() {
        let processors = known(4);
        processors.look_again(2, || Some(2));
        processors.look_again(3, || None);
        assert_eq!(processors.count(), 2);
    }

    #[test]
    fn processors_by_another_limit_stay_below_it() {
        let own = mask(0).unwrap();
        assert_eq!(by_mask(own, Some(u32::MAX)).1, own.max(mask(process()).unwrap()));
        assert_eq!(by_mask(own, Some(1)).1, 1);
        if own > 1 {
            assert_eq!(by_mask(1, Some(u32::MAX)), (1, 1), "limited by what is not read here");
            assert!(by_mask(1, Some(1)).0 > 1, "limited by what is");
        }
    }

    fn process() -> libc::pid_t {
        // SAFETY: touches no memory.
        unsafe { libc::getpid() }
    }

    #[test]
    fn processors_are_those_of_the_process_and_not_of_a_bound_thread() {
        let (first, bound) = std::thread::spawn(|| {
            // SAFETY: an all-zero set is an empty one, and the call gets its true size.
            unsafe {
                let mut set: libc::cpu_set_t = std::mem::zeroed();
                libc::CPU_SET(libc::sched_getcpu().unsigned_abs() as usize, &mut set);
                assert_eq!(libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set), 0);
            }
            (mask(process()).unwrap(), by_mask(1, Some(u32::MAX)).0)
        })
        .join()
        .unwrap();
        assert_eq!(bound, first);
    }
}
