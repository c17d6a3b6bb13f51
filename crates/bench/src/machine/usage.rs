//! The cost of a run to the system: processor time and context switches.

use std::time::Duration;

/// Use of the system, so far or between two moments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Usage {
    /// Time in the program.
    pub(crate) user: Duration,
    /// Time in the system.
    pub(crate) system: Duration,
    /// Voluntary and involuntary context switches together.
    pub(crate) switches: u64,
}

impl Usage {
    /// The usage of this process so far, all its threads together.
    #[cfg(unix)]
    pub(crate) fn so_far() -> Option<Self> {
        Self::of(libc::RUSAGE_SELF)
    }

    /// The usage so far of the processes that this one has started and waited for.
    #[cfg(target_os = "linux")]
    pub(crate) fn of_children() -> Option<Self> {
        Self::of(libc::RUSAGE_CHILDREN)
    }

    #[cfg(unix)]
    fn of(whose: libc::c_int) -> Option<Self> {
        use std::mem::MaybeUninit;

        let mut usage = MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: `usage` is writable and large enough.
        if unsafe { libc::getrusage(whose, usage.as_mut_ptr()) } != 0 {
            return None;
        }
        // SAFETY: the call succeeded, so it has filled it in.
        let usage = unsafe { usage.assume_init() };
        let switches = usage.ru_nvcsw.max(0) as u64 + usage.ru_nivcsw.max(0) as u64;
        Some(Self { user: time(usage.ru_utime), system: time(usage.ru_stime), switches })
    }

    /// Not known on this system.
    #[cfg(not(unix))]
    pub(crate) fn so_far() -> Option<Self> {
        None
    }

    /// User and system time together.
    pub(crate) fn cpu(self) -> Duration {
        self.user + self.system
    }

    /// The usage from `earlier` to this moment.
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self {
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
            switches: self.switches.saturating_sub(earlier.switches),
        }
    }
}

/// The system's form of a time as Rust's.
#[cfg(unix)]
fn time(time: libc::timeval) -> Duration {
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
    seconds + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn usage_grows_and_its_difference_never_goes_below_nothing() {
        let before = Usage::so_far().expect("this system counts");
        let after = Usage::so_far().expect("this system counts");
        assert!(after.cpu() >= before.cpu() && after.switches >= before.switches);
        let later = Usage { user: Duration::MAX, system: Duration::MAX, switches: u64::MAX };
        assert_eq!(before.since(later), Usage::default());
    }
}
