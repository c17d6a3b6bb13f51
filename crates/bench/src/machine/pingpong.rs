//! How long a cache line takes from one processor to another.
//!
//! Two threads, each bound to its processor, hand one word back and forth. Two hyperthreads of one
//! core share its cache, so a shared line costs them next to nothing. A machine, above all a
//! virtual one, does not always tell that its processors are hyperthreads. Then contention cannot
//! be judged, and the head of each run says so.

use std::sync::Barrier;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use core_affinity::CoreId;
use crossbeam_utils::CachePadded;
use serde::Serialize;

use super::pinning;

/// Pairs are taken among the first processors, at most this many.
const MOST_PROCESSORS: usize = 16;
/// Round trips timed at once; the fastest such stretch counts.
const TRIPS: u32 = 500;
/// How long one pair is tried.
const PER_PAIR: Duration = Duration::from_millis(4);
/// One way in less than this (ns) is a way inside one core. Hyperthreads of one core take 4 to 9;
/// the quickest way between cores that share a cache 16 to 25, others 35 and more.
const ONE_CORE_BELOW: f64 = 12.0;

/// The way between two processors.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Way {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Nanoseconds, one way.
    pub(crate) ns: f64,
}

/// Whether contention can be judged here, by the ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// One processor, or pairs could not be measured.
    Alone,
    /// Each pair is inside one core.
    OneCore,
    /// There are cores that a line has to travel between.
    Cores,
}

/// The ways between all pairs of processors.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Lines {
    pub(crate) ways: Vec<Way>,
}

impl Lines {
    /// Measures each pair.
    pub(crate) fn measure() -> Self {
        let mut processors = pinning::processors();
        processors.truncate(MOST_PROCESSORS);
        let mut ways = Vec::new();
        for (at, &from) in processors.iter().enumerate() {
            for &to in &processors[at + 1..] {
                if let Some(ns) = one_way(from, to) {
                    ways.push(Way { from: from.id, to: to.id, ns });
                }
            }
        }
        Self { ways }
    }

    /// Whether contention can be judged here.
    pub(crate) fn sharing(&self) -> Sharing {
        if self.ways.is_empty() {
            Sharing::Alone
        } else if self.ways.iter().all(Way::is_inside_one_core) {
            Sharing::OneCore
        } else {
            Sharing::Cores
        }
    }
}

impl Way {
    /// Whether both processors are hyperthreads of one core.
    pub(crate) fn is_inside_one_core(&self) -> bool {
        self.ns < ONE_CORE_BELOW
    }
}

/// Nanoseconds for one way between two processors; `None` if a thread could not be bound.
fn one_way(from: CoreId, to: CoreId) -> Option<f64> {
    let ball = CachePadded::new(AtomicBool::new(false));
    let stop = CachePadded::new(AtomicBool::new(false));
    let bound = Barrier::new(2);
    thread::scope(|scope| {
        let partner = scope.spawn(|| {
            let pinned = core_affinity::set_for_current(to);
            bound.wait();
            while !stop.load(Relaxed) {
                // A hint to pause would take longer than the way that is measured.
                let _ = ball.compare_exchange(true, false, AcqRel, Relaxed);
            }
            pinned
        });
        let caller = scope.spawn(|| {
            let pinned = core_affinity::set_for_current(from);
            bound.wait();
            let fastest = fastest_stretch(&ball);
            stop.store(true, Relaxed);
            fastest.filter(|_| pinned)
        });
        let pinned = partner.join().unwrap_or(false);
        caller.join().ok().flatten().filter(|_| pinned)
    })
}

/// The caller's side: the fastest stretch of round trips, halved.
fn fastest_stretch(ball: &AtomicBool) -> Option<f64> {
    let end = Instant::now() + PER_PAIR;
    let mut fastest: Option<f64> = None;
    loop {
        let start = Instant::now();
        if start >= end {
            return fastest;
        }
        for _ in 0..TRIPS {
            while ball.compare_exchange(false, true, AcqRel, Relaxed).is_err() {}
        }
        let ns = start.elapsed().as_nanos() as f64 / f64::from(TRIPS) / 2.0;
        fastest = Some(fastest.map_or(ns, |least| least.min(ns)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(ways: &[f64]) -> Lines {
        let ways = ways.iter().map(|&ns| Way { from: 0, to: 1, ns }).collect();
        Lines { ways }
    }

    #[test]
    fn lines_tell_cores_from_hyperthreads_of_one() {
        assert_eq!(lines(&[]).sharing(), Sharing::Alone);
        assert_eq!(lines(&[7.5]).sharing(), Sharing::OneCore);
        assert_eq!(lines(&[7.5, 55.0]).sharing(), Sharing::Cores);
    }
}
