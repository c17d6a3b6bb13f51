//! Readers that scale: one lock, any number of threads, and a given share of writes.
//!
//! Each thread reads and writes. How many reads lie between two of its writes is drawn anew each
//! time, evenly from 0 to twice the mean. Counted: sections that were left before time was up.
//!
//! A read by slot takes a few cycles. So the code around it is small, and shares no line that is
//! written while no thread writes: it looks at the ward without a trace, by
//! [`read_unseen`](crate::verify::Witness::read_unseen). The same code surrounds every subject,
//! also the floors. [`LimitPrivate`](crate::subjects::Subject::LimitPrivate) shows the cost of that
//! code.

use std::sync::Arc;

use siftlock::events::Event;

use super::{Experiment, pause};
use crate::run::{Arena, Crew, Fault, Phase, Shift, Signal};
use crate::stats::{Metric, Pressure, Reading};
use crate::subjects::Lock;
use crate::verify::Witness;

/// The experiment and its parameters.
pub(crate) struct Readers {
    /// Pauses in each section.
    pub(crate) load: u32,
    pub(crate) mixture: Mixture,
}

/// How reads and writes follow each other in a thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mixture {
    /// Writes, in per cent of the sections; 0 to 100.
    pub(crate) writes: f64,
    /// Whether all numbers of reads between two writes are equal; otherwise they vary about the
    /// mean.
    pub(crate) even: bool,
}

impl Experiment for Readers {
    const NAME: &'static str = "readers";

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let (arena, load, mixture) = (Arc::clone(arena), self.load, self.mixture);
        let before = Biases::so_far();
        let shift =
            crew.run(move |seat, signal| work(&arena, seat, mixture.turns(seat), load, signal))?;
        Ok(readings(&shift, Biases::so_far().since(before)))
    }
}

/// The read biases that the locks' own counters counted; all 0 without the feature `events`.
#[derive(Clone, Copy)]
struct Biases {
    on: u64,
    revoked: u64,
}

impl Biases {
    fn so_far() -> Self {
        Self { on: Event::RwsemBiasOn.total(), revoked: Event::RwsemBiasRevoke.total() }
    }

    fn since(self, before: Self) -> Self {
        Self { on: self.on - before.on, revoked: self.revoked - before.revoked }
    }
}

/// The metrics of one sample. The biases include those of the warm-up.
fn readings(shift: &Shift<Tally>, biases: Biases) -> Vec<Reading> {
    let seconds = shift.elapsed.as_secs_f64();
    let sum = |count: fn(&Tally) -> u64| shift.members.iter().map(count).sum::<u64>() as f64;
    let (reads, writes) = (sum(|tally| tally.reads), sum(|tally| tally.writes));
    let each: Vec<u64> = shift.members.iter().map(|tally| tally.reads + tally.writes).collect();
    let per_mop = |events: u64| {
        let mops = (reads + writes) / 1e6;
        (cfg!(feature = "events") && mops > 0.0).then_some(events as f64 / mops)
    };
    let mut readings = Reading::known([
        (Metric::Total, Some((reads + writes) / seconds)),
        (Metric::Reads, Some(reads / seconds)),
        (Metric::Writes, Some(writes / seconds)),
        (Metric::BiasesOn, per_mop(biases.on)),
        (Metric::Revocations, per_mop(biases.revoked)),
    ]);
    let pressure = Pressure { each: &each, waits: None, seconds, usage: shift.usage };
    readings.extend(pressure.readings());
    readings
}

/// The counts of one thread in the measured phase.
#[derive(Default)]
struct Tally {
    reads: u64,
    writes: u64,
}

/// One thread: sections until it is over.
fn work<L: Lock>(
    arena: &Arena<L>,
    seat: usize,
    mut turns: Turns,
    load: u32,
    signal: &Signal,
) -> Tally {
    let lock = arena.lock(seat);
    let mut witness = arena.ward().witness();
    let mut tally = Tally::default();
    loop {
        lock.reading(|| witness.compare_unseen());
        let mut until_look = SECTIONS_A_LOOK;
        while until_look > 0 {
            let row = turns.reads_left.min(until_look);
            let reads = reads(lock, &mut witness, row, load, signal);
            tally.reads += reads.counted;
            if reads.over {
                return tally;
            }
            turns.reads_left -= row;
            until_look -= row;
            if turns.reads_left == 0 && until_look > 0 {
                lock.writing(|| witness.write(|| pause(load)));
                match signal.phase() {
                    Phase::WarmUp => {}
                    Phase::Measure => tally.writes += 1,
                    Phase::Over => return tally,
                }
                turns.reads_left = turns.draw();
                until_look -= 1;
            }
        }
    }
}

/// After this many sections with the short look only, a thread has one that compares the words.
const SECTIONS_A_LOOK: u64 = 1024;

/// The result of a row of reads.
struct Reads {
    counted: u64,
    over: bool,
}

/// Makes `row` reads, or fewer if the run is over. It is a function of its own, so that its
/// counters stay in registers: a counter in memory would cost more than a read by slot.
#[inline(never)]
fn reads<L: Lock>(
    lock: &L,
    witness: &mut Witness<'_>,
    row: u64,
    load: u32,
    signal: &Signal,
) -> Reads {
    let mut counted = 0;
    for _ in 0..row {
        lock.reading(|| witness.read_unseen(|| pause(load)));
        match signal.phase() {
            Phase::WarmUp => {}
            Phase::Measure => counted += 1,
            Phase::Over => return Reads { counted, over: true },
        }
    }
    Reads { counted, over: false }
}

/// Numbers of reads are drawn in parts; this many parts make one read. So the mean is right even
/// below one read.
const ONE: u64 = 1 << 20;

/// The order of reads and writes in one thread.
struct Turns {
    reads_left: u64,
    /// Twice the mean number of reads between two writes, in parts of [`ONE`]; `None`: no writes at
    /// all.
    span: Option<u64>,
    /// The remainder of the last draw, in parts of [`ONE`].
    rest: u64,
    even: bool,
    /// State of a xorshift generator: another sequence for each thread.
    state: u64,
}

impl Mixture {
    fn turns(self, seat: usize) -> Turns {
        let mean = (100.0 - self.writes) / self.writes;
        let span = (self.writes > 0.0).then_some((2.0 * mean * ONE as f64) as u64);
        let state = (seat as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut turns = Turns { reads_left: 0, span, rest: 0, even: self.even, state };
        turns.reads_left = turns.draw();
        turns
    }
}

impl Turns {
    /// How many reads come next.
    #[inline]
    fn draw(&mut self) -> u64 {
        let Some(span) = self.span else { return u64::MAX };
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        // A share of the span between 0 and 1, in 32 bits.
        let share = if self.even { 1 << 31 } else { self.state >> 32 };
        self.rest += ((u128::from(span) * u128::from(share)) >> 32) as u64;
        let reads = self.rest / ONE;
        self.rest %= ONE;
        reads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writes(writes: f64, even: bool) -> f64 {
        let mut turns = Mixture { writes, even }.turns(3);
        let reads: u64 = (0..10_000).map(|_| turns.draw()).sum();
        100.0 * 10_000.0 / (reads as f64 + 10_000.0)
    }

    #[test]
    fn readers_write_as_often_as_they_are_asked_to() {
        for share in [0.1, 1.0, 10.0, 50.0, 75.0, 100.0] {
            let (drawn, even) = (writes(share, false), writes(share, true));
            assert!((drawn - share).abs() < share / 20.0, "{drawn} of {share}");
            assert!((even - share).abs() < share / 100.0, "{even} of {share}");
        }
        assert_eq!(Mixture { writes: 0.0, even: false }.turns(0).reads_left, u64::MAX);
    }

    #[test]
    fn readers_of_an_even_half_alternate() {
        let mut turns = Mixture { writes: 50.0, even: true }.turns(0);
        let rows: Vec<u64> = (0..6).map(|_| turns.draw()).collect();
        assert_eq!(rows, [1; 6]);
    }

    #[test]
    fn readers_of_two_seats_write_at_other_times() {
        let row = |seat| {
            let mut turns = Mixture { writes: 10.0, even: false }.turns(seat);
            (0..100).map(|_| turns.draw()).collect::<Vec<_>>()
        };
        assert_ne!(row(0), row(1));
    }
}
