//! The operating system: which thread has which processor, sleep and wake, idle processors,
//! interrupts, and fences in all threads.
//!
//! A processor is idle only while no thread waits for any processor. Handlers run on top of its
//! thread. A thread that raised its level cannot be preempted, nor interrupted by classes up to
//! that level.

mod barrier;
mod idle;
mod interrupt;
mod park;
mod schedule;

use self::idle::Idle;
use crate::machine::{Cycles, Machine};
use crate::queue::ThreadId;
use std::ops::Range;

/// A processor as the system sees it.
#[derive(Debug)]
pub(crate) struct Processor {
    /// The thread, or handler, that has it.
    current: Option<ThreadId>,
    /// When the present turn began.
    since: Cycles,
    /// The number of the turn: the slice ends of earlier turns are stale.
    epoch: u64,
    /// The threads that wait for it.
    ready: Vec<ThreadId>,
    /// Whether another thread's turn came while the present one could not be preempted.
    is_overdue: bool,
    /// The threads below the present handler, the lowest first.
    interrupted: Vec<ThreadId>,
    /// Handlers that the present thread keeps out.
    kept_out: Vec<ThreadId>,
    idle: Idle,
}

impl Processor {
    pub(crate) fn new(machine: &Machine) -> Self {
        Self {
            current: None,
            since: 0,
            epoch: 0,
            ready: Vec::new(),
            is_overdue: false,
            interrupted: Vec::new(),
            kept_out: Vec::new(),
            idle: Idle::new(machine),
        }
    }

    fn is_idle(&self) -> bool {
        self.current.is_none()
    }

    /// How long the processor was idle in the measured part until `at`.
    pub(crate) fn idle_until(&self, at: Cycles, measured: &Range<Cycles>) -> Cycles {
        self.idle.total(self.is_idle(), at, measured)
    }
}
