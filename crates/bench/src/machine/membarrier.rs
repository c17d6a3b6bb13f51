//! The cost of `membarrier(2)`, the fence by which a writer reaches all readers, so that readers
//! need no fence.
//!
//! It interrupts each processor on which another thread of the process runs, and no other. So there
//! are two costs: with all other threads asleep, and with one running.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Instant;

use serde::Serialize;

use super::{Pinning, pinning};
use crate::stats::median;

/// Calls in a batch, which is timed as a whole, and the number of batches. The median counts.
const BATCH: u32 = 50;
const BATCHES: usize = 101;

/// Nanoseconds for one call.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Membarrier {
    /// No other thread of the process runs.
    pub(crate) idle_ns: f64,
    /// Another thread runs all the time; `None` on a machine with one processor.
    pub(crate) busy_ns: Option<f64>,
}

impl Membarrier {
    /// Measures both costs; `None` where the system does not have the call, or refuses it.
    pub(crate) fn measure() -> Option<Self> {
        register().then(|| Self {
            idle_ns: cost(),
            busy_ns: (pinning::processors().len() > 1).then(|| while_another_runs(cost)),
        })
    }
}

/// Runs `work` in a thread of its own while another thread computes on another processor, if there
/// is one. Left to the scheduler, both might share a processor, and a fence would interrupt no
/// thread.
pub(crate) fn while_another_runs<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let (runs, stop) = (AtomicBool::new(false), AtomicBool::new(false));
    let processors = Pinning::new(true).unwrap_or(Pinning::Off);
    thread::scope(|scope| {
        scope.spawn(|| {
            processors.settle(1).begin();
            runs.store(true, Relaxed);
            while !stop.load(Relaxed) {
                std::hint::spin_loop();
            }
        });
        let worker = scope.spawn(|| {
            processors.settle(0).begin();
            while !runs.load(Relaxed) {
                thread::yield_now();
            }
            work()
        });
        let out = worker.join();
        stop.store(true, Relaxed);
        out.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn cost() -> f64 {
    let batch = || {
        let start = Instant::now();
        for _ in 0..BATCH {
            call(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED);
        }
        start.elapsed().as_nanos() as f64 / f64::from(BATCH)
    };
    let batches: Vec<f64> = (0..BATCHES).map(|_| batch()).collect();
    median(&batches).unwrap_or_default()
}

fn register() -> bool {
    call(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
}

fn call(command: libc::c_int) -> bool {
    // SAFETY: touches no memory of ours.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}
