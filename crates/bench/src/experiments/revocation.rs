//! A writer's cost of taking a read bias back, by the number of threads that ever read by slot.
//!
//! One thread switches the bias on by a read and takes it back by a write, again and again. The
//! other threads, each of which has read by slot once, sleep. Timed: that write with its unlock,
//! minus the time of such a write to a lock without slots. The rest is the heavy fence and the look
//! through the slots. There are three cases: all others asleep; one more thread running, which the
//! fence interrupts; and all others asleep, after [`EVICTED`] bytes of other data were looked at,
//! so that the slots are not in the cache.

use std::hint::black_box;
use std::sync::{Arc, Barrier, mpsc};
use std::thread::{self, JoinHandle};

use serde::Serialize;

use crate::machine::clock::ticks;
use crate::machine::{Clock, while_another_runs};
use crate::run::Fault;
use crate::stats::median;
use crate::subjects::{Eager, Lock, Ours};
use crate::verify::handshake;
use siftlock::policy::Counted;

/// Revocations of one sample, whose median counts.
const TRIES: usize = 101;
/// Revocations of one sample where the cache is emptied before each.
const COLD_TRIES: usize = 9;
/// Bytes: more than the processor's own caches hold.
const EVICTED: usize = 16 << 20;
/// Bytes: enough for one read, and little enough for ten thousand threads.
const STACK: usize = 64 * 1024;

/// The numbers of threads, unless others are asked for.
pub(crate) const READERS: [usize; 4] = [1, 100, 1_000, 10_000];

/// The cost of one revocation, in nanoseconds; a sample for each round.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Cost {
    /// How many threads ever read by slot.
    pub(crate) readers: usize,
    /// All others asleep.
    pub(crate) idle: Vec<f64>,
    /// One more thread running, on another processor.
    pub(crate) busy: Vec<f64>,
    /// All others asleep, and the slots in no cache of the processor.
    pub(crate) cold: Vec<f64>,
}

/// Measures the cost for each of these numbers of threads, in ascending order: once a thread has
/// read by slot, writers look through its slots ever after.
pub(crate) fn costs(numbers: &[usize], rounds: usize, clock: &Clock) -> Result<Vec<Cost>, Fault> {
    let bench = Bench {
        lock: Arc::new(Ours::<Eager>::unlocked()),
        unbiased: Ours::<Counted>::unlocked(),
        clock,
        other: vec![0; EVICTED],
    };
    let mut sleepers = Sleepers::default();
    let mut out = Vec::new();
    for &readers in numbers {
        // The calling thread is one of the readers.
        sleepers.grow(readers - 1, &bench.lock)?;
        let mut cost = Cost { readers, ..Cost::default() };
        for _ in 0..rounds {
            cost.idle.push(bench.sample(TRIES, || ()));
            cost.busy.push(while_another_runs(|| bench.sample(TRIES, || ())));
            cost.cold.push(bench.sample(COLD_TRIES, || bench.evict()));
        }
        out.push(cost);
    }
    // With threads about that have read by slot.
    handshake(&*bench.lock)?;
    handshake(&bench.unbiased)?;
    Ok(out)
}

struct Bench<'a> {
    lock: Arc<Ours<Eager>>,
    unbiased: Ours<Counted>,
    clock: &'a Clock,
    other: Vec<u8>,
}

impl Bench<'_> {
    /// Nanoseconds of one revocation.
    fn sample(&self, tries: usize, before: impl Fn()) -> f64 {
        let biased = self.write(&*self.lock, tries, &before);
        let unbiased = self.write(&self.unbiased, tries, &before);
        (biased - unbiased).max(0.0)
    }

    fn write(&self, lock: &impl Lock, tries: usize, before: impl Fn()) -> f64 {
        let once = || {
            lock.reading(|| ());
            before();
            let start = ticks();
            lock.writing(|| ());
            self.clock.micros(self.clock.net(ticks().saturating_sub(start))) * 1e3
        };
        median(&(0..tries).map(|_| once()).collect::<Vec<_>>()).unwrap_or_default()
    }

    fn evict(&self) {
        for byte in self.other.iter().step_by(64) {
            black_box(*byte);
        }
    }
}

/// Threads that have read by slot, and sleep.
#[derive(Default)]
struct Sleepers {
    threads: Vec<(JoinHandle<()>, mpsc::Sender<()>)>,
}

impl Sleepers {
    /// Starts threads until there are `to`.
    fn grow(&mut self, to: usize, lock: &Arc<Ours<Eager>>) -> Result<(), Fault> {
        let more = to.saturating_sub(self.threads.len());
        let ready = Arc::new(Barrier::new(2));
        for _ in 0..more {
            let (stop, stopped) = mpsc::channel();
            let (lock, meet) = (Arc::clone(lock), Arc::clone(&ready));
            let body = move || {
                // The first read switches the bias on if it is off; the second is by slot.
                lock.reading(|| ());
                lock.reading(|| ());
                meet.wait();
                drop(lock);
                // Ends with an error when the sender goes, which is the sign to leave.
                let _ = stopped.recv();
            };
            let seat = self.threads.len();
            let handle = thread::Builder::new().stack_size(STACK).spawn(body);
            let handle = handle.map_err(|source| Fault::NoThread { seat, source })?;
            self.threads.push((handle, stop));
            ready.wait();
        }
        Ok(())
    }
}

impl Drop for Sleepers {
    fn drop(&mut self) {
        for (handle, stop) in self.threads.drain(..) {
            drop(stop);
            // A thread that panicked has printed its own message.
            let _ = handle.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revocation_is_measured_for_each_number_of_threads() {
        let costs = costs(&[1, 5], 2, &Clock::calibrate()).expect("costs");
        let shape = costs.iter().map(|cost| (cost.readers, cost.idle.len(), cost.cold.len()));
        assert_eq!(shape.collect::<Vec<_>>(), [(1, 2, 2), (5, 2, 2)]);
        // A system without membarrier has the symmetric form alone, which costs a look.
        let samples = costs.iter().flat_map(|cost| cost.idle.iter().chain(&cost.busy));
        assert!(samples.into_iter().all(|ns| (0.0..1e9).contains(ns)));
    }
}
