//! Which processor a thread runs on.

use core_affinity::CoreId;

/// Where the threads of a run are bound.
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
    /// Pinning as asked for. `None` if this system cannot pin.
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

    /// Binds the calling thread, the `seat`-th of its run. A processor that has gone away since is
    /// no reason to stop: the thread then runs where the scheduler puts it.
    pub(crate) fn settle(&self, seat: usize) {
        if let Self::On(processors) = self {
            core_affinity::set_for_current(processors[seat % processors.len()]);
        }
    }
}
