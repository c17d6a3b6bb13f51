//! What a report says, in the form of its JSON. All times are nanoseconds.

use serde::Serialize;

/// One process, from its start, or its fork, until the report.
#[derive(Serialize)]
pub(super) struct Report {
    /// Grows when a field changes its meaning.
    pub(super) version: u32,
    pub(super) program: String,
    pub(super) pid: u32,
    pub(super) elapsed_ns: u64,
    /// Threads that have used a lock.
    pub(super) threads: u32,
    /// The lock that was waited for most comes first, then that whose calls took most.
    pub(super) locks: Vec<Lock>,
}

/// A lock, or all ended locks that were created at one place.
#[derive(Serialize)]
pub(super) struct Lock {
    pub(super) address: String,
    /// How many locks this stands for.
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
    /// Of sections that were measured; the total is an estimate for all.
    pub(super) hold: Times,
    /// What the lock's calls took without waits: an estimate.
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

/// What was seen under one stack. The shares are of all stacks of the lock.
#[derive(Serialize)]
pub(super) struct Stack {
    pub(super) waited_ns: u64,
    pub(super) held_ns: u64,
    pub(super) calls_ns: u64,
    pub(super) samples: u64,
    /// The innermost frame comes first.
    pub(super) frames: Vec<String>,
}

impl Lock {
    /// How much of all operations this is.
    pub(super) fn share(&self, part: u64) -> f64 {
        part as f64 / (self.operations.max(1)) as f64
    }
}
