//! The cost of taking and leaving a lock that no other thread wants.
//!
//! There is one thread, unless more are asked for. Each has two locks of its own: one that it only
//! reads, and one that it only writes. It takes them in batches, in turn: some locks read at
//! another price while they are not written (`readers` shows the cost of mixing the two). Timed: a
//! whole batch, from before its first pair to after its last. The cost of the two readings of the
//! counter is subtracted; the loop's own cost (about a cycle a pair) is not. The sample is the
//! median over the batches, so that an interrupt spoils one batch and not the figure.
//!
//! The pairs do not check exclusion, since no other thread could break it. The handshake that
//! follows every sample checks the written lock of the first thread.

use std::sync::Arc;

use super::{Experiment, pause};
use crate::machine::Clock;
use crate::machine::clock::ticks;
use crate::run::{Arena, Crew, Fault, Instances, Phase, Signal};
use crate::stats::{Metric, Reading, median};
use crate::subjects::Lock;

/// Pairs timed at once: long against a reading of the counter, short against a time slice.
const BATCH: u32 = 256;
/// Batches of each kind that a thread keeps; later ones replace the earliest.
const KEPT: usize = 4096;

/// The experiment and its parameters.
pub(crate) struct Uncontended {
    /// Pauses in each section.
    pub(crate) load: u32,
    pub(crate) clock: Clock,
}

impl Experiment for Uncontended {
    const NAME: &'static str = "uncontended";
    const INSTANCES: Instances = Instances::PerThread;

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let (arena, clock, load) = (Arc::clone(arena), self.clock.clone(), self.load);
        let shift = crew.run(move |seat, signal| work(arena.lock(seat), &clock, load, signal))?;
        let over_threads = |cost: fn(&Costs) -> Option<f64>| {
            median(&shift.members.iter().filter_map(cost).collect::<Vec<_>>())
        };
        let mut out = Reading::known([
            (Metric::ReadPair, over_threads(|costs| costs.read.median())),
            (Metric::WritePair, over_threads(|costs| costs.write.median())),
        ]);
        // No thread waits here, so no waits are taken.
        out.extend(shift.pressure(Costs::pairs, None));
        Ok(out)
    }
}

/// The costs of one thread's batches.
#[derive(Default)]
struct Costs {
    read: Batches,
    write: Batches,
}

impl Costs {
    /// How many pairs were timed.
    fn pairs(&self) -> u64 {
        (self.read.count + self.write.count) as u64 * u64::from(BATCH)
    }
}

/// Ticks per pair, of the latest batches.
#[derive(Default)]
struct Batches {
    kept: Vec<f64>,
    count: usize,
}

impl Batches {
    fn add(&mut self, per_pair: f64) {
        if self.kept.len() < KEPT {
            self.kept.push(per_pair);
        } else {
            self.kept[self.count % KEPT] = per_pair;
        }
        self.count += 1;
    }

    fn median(&self) -> Option<f64> {
        median(&self.kept)
    }
}

/// One thread: batches of reads and of writes until it is over.
fn work<L: Lock>(lock: &L, clock: &Clock, load: u32, signal: &Signal) -> Costs {
    let mut costs = Costs::default();
    // `black_box`: as far as the compiler knows, other code may look at the lock.
    let read_only = std::hint::black_box(Box::new(L::unlocked()));
    loop {
        let read = batch(clock, || read_only.reading(|| pause(load)));
        let write = batch(clock, || lock.writing(|| pause(load)));
        match signal.phase() {
            Phase::WarmUp => {}
            Phase::Measure => {
                costs.read.add(read);
                costs.write.add(write);
            }
            Phase::Over => return costs,
        }
    }
}

/// Ticks per pair in a batch.
#[inline]
fn batch(clock: &Clock, pair: impl Fn()) -> f64 {
    let start = ticks();
    for _ in 0..BATCH {
        pair();
    }
    clock.net(ticks().saturating_sub(start)) as f64 / f64::from(BATCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uncontended_keeps_the_latest_batches() {
        let mut batches = Batches::default();
        (0..KEPT).for_each(|_| batches.add(1.0));
        assert_eq!(batches.median(), Some(1.0));
        (0..KEPT).for_each(|_| batches.add(2.0));
        assert_eq!((batches.median(), batches.kept.len()), (Some(2.0), KEPT));
    }
}
