//! The contents of a report, in the form of its JSON. All times are in nanoseconds.

use serde::Serialize;

/// One process, from its start, or its fork, until the report.
#[derive(Serialize)]
pub(super) struct Report {
    /// The version of the form: it grows when a field changes its meaning.
    pub(super) version: u32,
    pub(super) program: String,
    pub(super) pid: u32,
    pub(super) elapsed_ns: u64,
    /// Threads that have used a lock.
    pub(super) threads: u32,
    pub(super) total: Total,
    /// The lock with the longest waits comes first. Equal waits are ordered by the time in calls.
    pub(super) locks: Vec<Lock>,
    /// How many entries `locks` would have beyond these.
    pub(super) left_out: u64,
}

/// The figures of all locks together, also of those that are left out.
#[derive(Serialize)]
pub(super) struct Total {
    pub(super) locks: u64,
    pub(super) waited_ns: u64,
    pub(super) calls_ns: u64,
}

/// A lock, or all ended locks that began at one place.
#[derive(Serialize)]
pub(super) struct Lock {
    pub(super) address: String,
    /// How many locks these figures are of.
    pub(super) locks: u64,
    pub(super) is_alive: bool,
    pub(super) created: Created,
    /// Lock calls that got in.
    pub(super) operations: u64,
    pub(super) reads: u64,
    pub(super) writes: u64,
    /// Calls that had to wait.
    pub(super) contended: u64,
    /// Calls that did not get in: tries, time-outs, errors.
    pub(super) refused: u64,
    pub(super) threads: u64,
    pub(super) wait: Times,
    /// Times of the measured sections; the total is an estimate for all sections.
    pub(super) hold: Times,
    /// The time of all the lock's calls without waits: an estimate.
    pub(super) calls_ns: u64,
    /// How many sections were measured.
    pub(super) measured: u64,
    pub(super) stacks: Vec<Stack>,
}

#[derive(Serialize)]
pub(super) struct Created {
    pub(super) by: &'static str,
    pub(super) stack: Option<Vec<String>>,
}

#[derive(Serialize)]
pub(super) struct Times {
    pub(super) total_ns: u64,
    pub(super) p50_ns: u64,
    pub(super) p99_ns: u64,
    pub(super) longest_ns: u64,
}

/// The measurements under one stack. They are samples: a share is of the sum over the lock's
/// stacks.
#[derive(Serialize)]
pub(super) struct Stack {
    pub(super) waited_ns: u64,
    pub(super) held_ns: u64,
    pub(super) calls_ns: u64,
    pub(super) samples: u64,
    /// The innermost frame comes first.
    pub(super) frames: Vec<String>,
}
