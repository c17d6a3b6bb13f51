//! The processor on which a thread runs.

use core_affinity::CoreId;

/// The binding of a run's threads to processors.
#[derive(Clone, Debug)]
pub(crate) enum Pinning {
    /// The scheduler decides.
    Off,
    /// Thread n on processor n, beginning again after the last.
    On(Vec<CoreId>),
}

/// The processors that this process may use.
pub(crate) fn processors() -> Vec<CoreId> {
    core_affinity::get_core_ids().unwrap_or_default()
}

impl Pinning {
    /// On, if that is wanted. `None` if this system cannot pin.
    pub(crate) fn new(wanted: bool) -> Option<Self> {
        if !wanted {
            return Some(Self::Off);
        }
        let processors = processors();
        (!processors.is_empty()).then_some(Self::On(processors))
    }

    /// Whether threads are bound.
    pub(crate) fn is_on(&self) -> bool {
        matches!(self, Self::On(_))
    }

    /// Puts the calling thread, the `seat`-th of its run, on the processor where it begins. A
    /// processor that has gone away since is no reason to stop: the thread then runs where the
    /// scheduler puts it.
    pub(crate) fn settle(&self, seat: usize) -> Settled {
        match self {
            Self::On(processors) => {
                core_affinity::set_for_current(processors[seat % processors.len()]);
                Settled::Bound
            }
            Self::Off => Settled::until_it_begins(seat),
        }
    }
}

/// A thread on the processor where it begins.
///
/// Some schedulers start all threads of a program on one processor, and spread them only tens of
/// milliseconds later. A short sample would measure that instead of the lock. So threads that are
/// not pinned begin spread out.
#[must_use = "a thread that is not pinned stays bound until it begins"]
pub(crate) enum Settled {
    /// The thread stays where it is: it is pinned, or the system does not say where it may run.
    Bound,
    /// The thread may run on these processors once it has begun.
    #[cfg(target_os = "linux")]
    For(rustix::thread::CpuSet),
}

impl Settled {
    #[cfg(target_os = "linux")]
    fn until_it_begins(seat: usize) -> Self {
        let all = rustix::thread::sched_getaffinity(None);
        let (Ok(all), Some(spread)) = (all, Pinning::new(true)) else { return Self::Bound };
        spread.settle(seat).begin();
        Self::For(all)
    }

    #[cfg(not(target_os = "linux"))]
    fn until_it_begins(_seat: usize) -> Self {
        Self::Bound
    }

    /// The thread begins. If it is not pinned, the scheduler decides from now on.
    pub(crate) fn begin(self) {
        match self {
            Self::Bound => {}
            #[cfg(target_os = "linux")]
            Self::For(all) => {
                let _ = rustix::thread::sched_setaffinity(None, &all);
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::thread::sched_getaffinity;

    use super::*;

    #[test]
    fn pinning_off_binds_a_thread_until_it_begins() {
        let all = sched_getaffinity(None).expect("a set of processors");
        let begins = |seat| {
            let settled = Pinning::Off.settle(seat);
            let own = sched_getaffinity(None).expect("a set of processors");
            settled.begin();
            assert_eq!(sched_getaffinity(None), Ok(all));
            own
        };
        let each: Vec<_> = (0..all.count() as usize).map(begins).collect();
        assert!(each.iter().all(|own| own.count() == 1));
        assert!(each.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(begins(each.len()), each[0], "from the first again");
    }
}
