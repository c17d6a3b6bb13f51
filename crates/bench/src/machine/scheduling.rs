//! How the system schedules the threads of a test.

use serde::Serialize;

/// What the system lets a test's threads be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Scheduling {
    /// `SCHED_FIFO`: nothing but real-time threads takes the processor away.
    Fifo,
    /// As every other thread, because there are not fewer processors than threads: under FIFO those
    /// that spin would keep those that they wait for away.
    FairForWantOfProcessors,
    /// As every other thread, because the system does not permit more.
    FairForWantOfPermission,
    /// As every other thread, as was asked for.
    FairAsAsked,
}

impl Scheduling {
    /// For so many threads on so many processors. One processor has to be left for everybody else.
    pub(crate) fn of(threads: usize, processors: usize, fifo: bool) -> Self {
        if !fifo {
            Self::FairAsAsked
        } else if threads >= processors {
            Self::FairForWantOfProcessors
        } else if fifo_is_permitted() {
            Self::Fifo
        } else {
            Self::FairForWantOfPermission
        }
    }

    /// In words, to stand after "threads".
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Fifo => "under SCHED_FIFO",
            Self::FairForWantOfProcessors => {
                "scheduled fairly (not FIFO: no fewer threads than CPUs)"
            }
            Self::FairForWantOfPermission => "scheduled fairly (SCHED_FIFO is not permitted here)",
            Self::FairAsAsked => "scheduled fairly (as asked)",
        }
    }

    /// Makes the calling thread one of these. Its sleeps end when they are over, not up to 50 µs
    /// later, as those of a fair thread would.
    pub(crate) fn settle(self) {
        // SAFETY: sets a number of the calling thread.
        unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1_u64) };
        if self == Self::Fifo {
            set_fifo();
        }
    }
}

/// The least priority above all that is not real-time.
fn set_fifo() -> bool {
    let least = libc::sched_param { sched_priority: 1 };
    // SAFETY: `least` is read; the call is about the calling thread.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &least) == 0 }
}

/// Asked by trying, in a thread that then ends.
fn fifo_is_permitted() -> bool {
    std::thread::spawn(set_fifo).join().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheduling_leaves_a_processor_for_everybody_else() {
        assert_eq!(Scheduling::of(2, 2, true), Scheduling::FairForWantOfProcessors);
        assert_eq!(Scheduling::of(1, 2, false), Scheduling::FairAsAsked);
        assert_ne!(Scheduling::of(1, 2, true), Scheduling::FairForWantOfProcessors);
    }
}
