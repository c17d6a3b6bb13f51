//! Sleeping readers behind one writer, and the cost of letting them all in.
//!
//! A writer holds the lock until all readers of the round sleep, and leaves. Measured: how long its
//! unlock takes, and how long it takes from there until the last reader is inside. Where a lock
//! counts them, also the system calls that wake: of all threads, per reader, and of the thread that
//! made the most. Medians of the rounds.
//!
//! The readers of a round all come at once. So a lock whose waiters never sleep needs a time slice
//! for each of them before the round can begin.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use super::Experiment;
use crate::machine::Clock;
use crate::machine::clock::ticks;
use crate::run::{Arena, Crew, Fault, Phase, Signal};
use crate::stats::{Metric, Reading, Waits, median};
use crate::subjects::Lock;

/// How long readers get to fall asleep once all are on their way, and how much longer for each.
const SETTLE: Duration = Duration::from_millis(2);
const SETTLE_EACH: Duration = Duration::from_micros(20);

/// The experiment and its parameters.
pub(crate) struct Wakeups {
    pub(crate) clock: Clock,
}

impl Experiment for Wakeups {
    const NAME: &'static str = "wakeups";

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let readers = crew.threads;
        let crew = Crew { threads: readers + 1, ..crew.clone() };
        let (arena, gate) = (Arc::clone(arena), Gate::new(readers));
        let clock = self.clock.clone();
        let shift = crew.run(move |seat, signal| match seat {
            0 => wake(&arena, &gate, signal),
            _ => sleep(&arena, &gate, seat, &clock),
        })?;
        let rounds: Vec<&Round> = shift.members.iter().flat_map(|tally| &tally.rounds).collect();
        let middle = |figure: &dyn Fn(&Round) -> Option<f64>| {
            median(&rounds.iter().filter_map(|round| figure(round)).collect::<Vec<_>>())
        };
        let micros = |ticks| self.clock.micros(self.clock.net(ticks));
        let each = readers as f64;
        let waits = Waits::of_all(shift.members.iter().map(|tally| &tally.waits));
        let mut out = Reading::known([
            (Metric::WakerUnlock, middle(&|round| Some(micros(round.unlock)))),
            (Metric::LastReader, middle(&|round| Some(micros(round.last)))),
            (Metric::WakesPerReader, middle(&|round| Some(round.wakes?.0 as f64 / each))),
            (Metric::MostWakes, middle(&|round| Some(round.wakes?.1 as f64))),
        ]);
        out.extend(shift.pressure(|tally| tally.entered, Some(waits.in_micros(&self.clock))));
        Ok(out)
    }
}

/// One round, as the writer saw it. Ticks.
struct Round {
    unlock: u64,
    last: u64,
    /// System calls that wake: of all threads, of the one that made the most.
    wakes: Option<(u64, u64)>,
}

/// The counts of one thread, without the warm-up.
struct Tally {
    /// The writer's rounds; a reader has none.
    rounds: Vec<Round>,
    /// Sections.
    entered: u64,
    /// From the writer's release until this reader was in.
    waits: Waits,
}

impl Tally {
    fn new() -> Self {
        Self { rounds: Vec::new(), entered: 0, waits: Waits::new() }
    }
}

/// The place where the threads meet before and after a round, and the data that they share.
///
/// All accesses are Relaxed: the barriers order the rounds, and the lock orders the moment of the
/// release.
struct Gate {
    readers: usize,
    start: Barrier,
    end: Barrier,
    over: AtomicBool,
    /// Whether the round counts.
    counts: AtomicBool,
    /// Readers that are about to call for the lock.
    coming: AtomicUsize,
    /// When the writer left.
    released: AtomicU64,
    /// How long after the release the last reader was in.
    last: AtomicU64,
    wakes: AtomicU64,
    most_wakes: AtomicU64,
}

impl Gate {
    fn new(readers: usize) -> Self {
        Self {
            readers,
            start: Barrier::new(readers + 1),
            end: Barrier::new(readers + 1),
            over: AtomicBool::new(false),
            counts: AtomicBool::new(false),
            coming: AtomicUsize::new(0),
            released: AtomicU64::new(0),
            last: AtomicU64::new(0),
            wakes: AtomicU64::new(0),
            most_wakes: AtomicU64::new(0),
        }
    }

    /// Lets the readers go for the lock, and waits until they sleep, as well as can be known.
    fn gather(&self) {
        self.start.wait();
        while self.coming.load(Relaxed) < self.readers {
            thread::sleep(SETTLE / 20);
        }
        thread::sleep(SETTLE + SETTLE_EACH * u32::try_from(self.readers).unwrap_or(u32::MAX));
    }

    /// Accounts for the wake-up calls that this thread has made since `before`.
    fn count_wakes<L: Lock>(&self, before: Option<u64>) {
        if let Some((now, before)) = L::wakes().zip(before) {
            self.wakes.fetch_add(now - before, Relaxed);
            self.most_wakes.fetch_max(now - before, Relaxed);
        }
    }

    /// Ends the round: returns its figures, and clears them for the next round.
    fn settle<L: Lock>(&self, unlock: u64) -> Round {
        self.coming.store(0, Relaxed);
        let (wakes, most) = (self.wakes.swap(0, Relaxed), self.most_wakes.swap(0, Relaxed));
        Round { unlock, last: self.last.swap(0, Relaxed), wakes: L::wakes().map(|_| (wakes, most)) }
    }
}

/// The writer: one round after the other, at least one.
fn wake<L: Lock>(arena: &Arena<L>, gate: &Gate, signal: &Signal) -> Tally {
    let lock = arena.lock(0);
    let mut witness = arena.ward().witness();
    let mut tally = Tally::new();
    loop {
        let (left, wakes) = lock.writing(|| {
            witness.write(|| gate.gather());
            let wakes = L::wakes();
            let now = ticks();
            gate.released.store(now, Relaxed);
            (now, wakes)
        });
        let unlock = ticks().saturating_sub(left);
        gate.count_wakes::<L>(wakes);
        let phase = signal.phase();
        let counts = counts(phase, tally.rounds.len());
        gate.counts.store(counts, Relaxed);
        gate.end.wait();
        let round = gate.settle::<L>(unlock);
        if counts {
            tally.rounds.push(round);
            tally.entered += 1;
        }
        if phase == Phase::Over {
            gate.over.store(true, Relaxed);
            gate.start.wait();
            return tally;
        }
    }
}

/// Whether a round that ended in this phase counts. The process's usage is that of the measured
/// phase, so a round that ended later counts only where there would be none.
const fn counts(phase: Phase, so_far: usize) -> bool {
    match phase {
        Phase::WarmUp => false,
        Phase::Measure => true,
        Phase::Over => so_far == 0,
    }
}

/// A reader: one section a round.
fn sleep<L: Lock>(arena: &Arena<L>, gate: &Gate, seat: usize, clock: &Clock) -> Tally {
    let lock = arena.lock(seat);
    let mut witness = arena.ward().witness();
    let mut tally = Tally::new();
    loop {
        gate.start.wait();
        if gate.over.load(Relaxed) {
            return tally;
        }
        gate.coming.fetch_add(1, Relaxed);
        let wakes = L::wakes();
        let got = lock.reading(|| {
            let got = ticks();
            witness.read(|| ());
            got
        });
        let late = got.saturating_sub(gate.released.load(Relaxed));
        gate.last.fetch_max(late, Relaxed);
        gate.count_wakes::<L>(wakes);
        gate.end.wait();
        if gate.counts.load(Relaxed) {
            tally.waits.add(clock.net(late));
            tally.entered += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wakeups_count_a_round_that_ends_late_only_where_there_is_no_other() {
        assert!(!counts(Phase::WarmUp, 0) && counts(Phase::Measure, 3));
        assert!(counts(Phase::Over, 0) && !counts(Phase::Over, 1));
    }
}
