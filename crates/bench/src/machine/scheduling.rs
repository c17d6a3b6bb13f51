//! How the system schedules the threads of a test.

use serde::Serialize;

/// The scheduling of a test's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Scheduling {
    /// Whether each thread can have a processor, and one is left for all else.
    roomy: bool,
    class: Class,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Class {
    /// `SCHED_FIFO`: nothing but real-time threads takes the processor away.
    Fifo,
    /// Scheduled as every other thread: without room, spinners under FIFO would keep out the
    /// threads that they wait for.
    FairForWantOfRoom,
    /// Scheduled as every other thread, because the system does not permit more.
    FairForWantOfPermission,
    /// Scheduled as every other thread, as was asked for.
    FairAsAsked,
}

impl Scheduling {
    /// The scheduling of this many threads on this many processors.
    pub(crate) fn of(threads: usize, processors: usize, fifo: bool) -> Self {
        let roomy = threads < processors;
        let class = if !fifo {
            Class::FairAsAsked
        } else if !roomy {
            Class::FairForWantOfRoom
        } else if fifo_is_permitted() {
            Class::Fifo
        } else {
            Class::FairForWantOfPermission
        };
        Self { roomy, class }
    }

    /// Whether each thread can have a processor, and one is left for all else.
    pub(crate) fn is_roomy(self) -> bool {
        self.roomy
    }

    /// In words, to stand after "threads".
    pub(crate) fn words(self) -> &'static str {
        match self.class {
            Class::Fifo => "under SCHED_FIFO",
            Class::FairForWantOfRoom => {
                "scheduled fairly (SCHED_FIFO needs more CPUs than threads)"
            }
            Class::FairForWantOfPermission => "scheduled fairly (SCHED_FIFO is not permitted here)",
            Class::FairAsAsked => "scheduled fairly (as asked)",
        }
    }

    /// Schedules the calling thread like this. Its sleeps end when they are over, not up to 50 µs
    /// later, as a fair thread's sleeps would.
    pub(crate) fn settle(self) {
        // SAFETY: sets a number of the calling thread.
        unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1_u64) };
        if self.class == Class::Fifo {
            set_fifo();
        }
    }
}

/// Gives the calling thread the least real-time priority.
fn set_fifo() -> bool {
    let least = libc::sched_param { sched_priority: 1 };
    // SAFETY: `least` is read; the call is about the calling thread.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &least) == 0 }
}

/// Whether the system permits `SCHED_FIFO`: a thread tries it, and ends.
fn fifo_is_permitted() -> bool {
    std::thread::spawn(set_fifo).join().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheduling_leaves_a_processor_for_everybody_else() {
        assert_eq!(Scheduling::of(2, 2, true).class, Class::FairForWantOfRoom);
        assert_eq!(Scheduling::of(1, 2, false).class, Class::FairAsAsked);
        assert!(Scheduling::of(1, 2, true).is_roomy());
        assert!(!Scheduling::of(2, 2, false).is_roomy());
    }
}
