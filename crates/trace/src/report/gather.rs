//! Collects the figures of the registry and the threads, and orders them.

use super::figures::{Created, Lock, Report, Stack, Times, Total};
use super::names::{self, Names};
use crate::cell::Waits;
use crate::clock;
use crate::histogram::Histogram;
use crate::record::{Birth, Counts, Holds, Record, Weight};
use crate::registry::{self, Registry};
use crate::stacks::StackId;
use core::sync::atomic::Ordering::Relaxed;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A report has at most this many locks: living ones and groups of ended ones together.
const LOCKS: usize = 1000;

/// The report as of now.
pub(super) fn report() -> Report {
    let nanos_per_tick = clock::nanos_per_tick();
    // The mutex is not held while names are looked up: threads of the program go on meanwhile.
    let (mut found, threads) = {
        let registry = registry::lock();
        (Found::all(&registry), registry.threads_ever)
    };
    found.sort_by_key(Found::rank);
    let total = total(&found, nanos_per_tick);
    let left_out = found.len().saturating_sub(LOCKS) as u64;
    found.truncate(LOCKS);
    let mut names = Names::default();
    Report {
        version: 1,
        program: names::program(),
        pid: std::process::id(),
        elapsed_ns: clock::elapsed(),
        threads,
        total,
        locks: found.into_iter().map(|found| found.told(nanos_per_tick, &mut names)).collect(),
        left_out,
    }
}

fn total(found: &[Found], nanos_per_tick: f64) -> Total {
    Total {
        locks: found.iter().map(|found| found.locks).sum(),
        waited_ns: nanos(found.iter().map(Found::waited).sum(), nanos_per_tick),
        calls_ns: nanos(found.iter().map(|found| found.calls).sum(), nanos_per_tick),
    }
}

fn nanos(ticks: u64, nanos_per_tick: f64) -> u64 {
    (ticks as f64 * nanos_per_tick).round() as u64
}

/// A lock's figures, in ticks.
struct Found {
    address: usize,
    locks: u64,
    is_alive: bool,
    birth: Birth,
    created: Option<Vec<usize>>,
    threads: u64,
    counts: Counts,
    waits: Waits,
    holds: Holds,
    /// The time of all its calls without waits: an estimate.
    calls: u64,
    stacks: Vec<(Weight, Vec<usize>)>,
}

impl Found {
    fn all(registry: &Registry) -> Vec<Self> {
        let (alive, ended) = registry.records();
        let alive = alive.map(|record| Self::one(registry, record, true));
        let all = alive.chain(ended.map(|record| Self::one(registry, record, false)));
        all.filter(|found| found.counts.operations + found.counts.refused > 0).collect()
    }

    fn one(registry: &Registry, record: &Record, is_alive: bool) -> Self {
        let mut counts = record.counts;
        let waits = Waits::new();
        waits.merge(&record.waits);
        if is_alive {
            for cell in registry.cells(record.address) {
                counts.add(Counts::of(cell));
                cell.waits().inspect(|more| waits.merge(more));
            }
        }
        let mut holds = Holds::new();
        holds.merge(&record.holds);
        let calls = (holds.calls.usual() * counts.operations as f64) as u64;
        let frames = |stack: StackId| registry.stacks.frames(stack).to_vec();
        Self {
            address: record.address,
            locks: record.locks,
            is_alive,
            birth: record.birth,
            created: record.created.map(frames),
            threads: record.threads.len() as u64,
            counts,
            waits,
            holds,
            calls,
            stacks: record.stacks.iter().map(|(&stack, &weight)| (weight, frames(stack))).collect(),
        }
    }

    fn waited(&self) -> u64 {
        self.waits.total.load(Relaxed)
    }

    /// The key of the report's order.
    fn rank(&self) -> impl Ord + use<> {
        Reverse((self.waited(), self.calls, self.counts.operations, self.address))
    }

    fn told(self, nanos_per_tick: f64, names: &mut Names) -> Lock {
        let nanos = |ticks| nanos(ticks, nanos_per_tick);
        let times = |total, longest, lengths: &Histogram| Times {
            total_ns: nanos(total),
            // A class of lengths may end beyond the longest of them.
            p50_ns: nanos(lengths.percentile(0.5).min(longest)),
            p99_ns: nanos(lengths.percentile(0.99).min(longest)),
            longest_ns: nanos(longest),
        };
        let (holds, waits) = (&self.holds, &self.waits);
        Lock {
            address: format!("{:#x}", self.address),
            locks: self.locks,
            is_alive: self.is_alive,
            created: Created {
                by: match self.birth {
                    Birth::Init => "init",
                    Birth::FirstUse => "first use",
                },
                stack: self.created.as_ref().map(|frames| names.of_all(frames)),
            },
            operations: self.counts.operations,
            reads: self.counts.operations - self.counts.writes.min(self.counts.operations),
            writes: self.counts.writes,
            contended: self.counts.contended,
            refused: self.counts.refused,
            threads: self.threads,
            wait: times(self.waited(), waits.longest.load(Relaxed), &waits.lengths),
            hold: times(holds.total, holds.longest, &holds.lengths),
            calls_ns: nanos(self.calls),
            measured: holds.measured,
            stacks: told(self.stacks, nanos, names),
        }
    }
}

/// Names the stacks. Stacks that differ only by addresses become one.
fn told(
    stacks: Vec<(Weight, Vec<usize>)>,
    nanos: impl Fn(u64) -> u64,
    names: &mut Names,
) -> Vec<Stack> {
    let mut named = HashMap::<Vec<String>, Weight>::new();
    for (more, frames) in stacks {
        named.entry(names.of_all(&frames)).or_default().add(more);
    }
    let stack = |(frames, weight): (Vec<String>, Weight)| Stack {
        waited_ns: nanos(weight.waited),
        held_ns: nanos(weight.held),
        calls_ns: nanos(weight.calls),
        samples: weight.waits + weight.holds,
        frames,
    };
    let mut stacks: Vec<_> = named.into_iter().map(stack).collect();
    stacks.sort_by(|a, b| {
        let key = |stack: &Stack| Reverse((stack.waited_ns, stack.held_ns, stack.calls_ns));
        key(a).cmp(&key(b)).then_with(|| a.frames.cmp(&b.frames))
    });
    stacks
}
