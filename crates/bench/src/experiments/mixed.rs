//! E2, after the whole-queue patch: readers and writers on one lock.
//!
//! Counted: sections that were left before time was up. Each acquisition's wait is taken with two
//! readings of the counter (30 to 40 cycles each on x86-64): one before the call, and one as the
//! first thing inside. The second reading lies inside the lock, as does the ward's look, for every
//! subject alike. A wait that the end cut short counts with the length that it had reached, so that
//! a thread that starved all along shows.
//!
//! A floor does not wait, and its writers overlap: its rate is only an upper bound. Its longest
//! "wait" is the time that the scheduler adds to any lock's wait.

use std::sync::Arc;

use clap::ValueEnum;
use serde::Serialize;

use super::company::Company;
use super::{Experiment, pause};
use crate::machine::Clock;
use crate::machine::clock::ticks;
use crate::run::{Arena, Crew, Fault, Phase, Shift, Signal};
use crate::stats::{Metric, Reading, Waits};
use crate::subjects::Lock;

/// Which threads read and which write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mix {
    /// Half of the threads only read, half only write (an odd one reads).
    Dedicated,
    /// Each thread does both, by coin.
    Each,
    /// Every thread writes.
    Writers,
}

/// The experiment and its parameters.
pub(crate) struct Mixed {
    /// Pauses in each section.
    pub(crate) load: u32,
    pub(crate) mix: Mix,
    pub(crate) clock: Clock,
    /// Measures only which reads begin beside another reader.
    pub(crate) together: bool,
}

impl Experiment for Mixed {
    const NAME: &'static str = "mixed";

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let (arena, load, threads) = (Arc::clone(arena), self.load, crew.threads);
        let (mix, clock) = (self.mix, self.clock.clone());
        let company = self.together.then(Company::new);
        let shift = crew.run(move |seat, signal| {
            let mut coin = Coin::new(mix, seat, threads);
            let (writes, section, rest) = (|| coin.writes(), || pause(load), |_| ());
            let habit = Habit { writes, section, rest, company: &company };
            work(&arena, seat, habit, &clock, signal)
        })?;
        Ok(if self.together { together(&shift) } else { readings(&shift, &self.clock) })
    }
}

/// The metrics of one sample.
pub(super) fn readings(shift: &Shift<Tally>, clock: &Clock) -> Vec<Reading> {
    let seconds = shift.elapsed.as_secs_f64();
    let reads = shift.members.iter().map(|tally| tally.reads).sum::<u64>() as f64;
    let writes = shift.members.iter().map(|tally| tally.writes).sum::<u64>() as f64;
    let waits = Waits::of_all(shift.members.iter().map(|tally| &tally.waits));
    let mut out = Reading::known([
        (Metric::Total, Some((reads + writes) / seconds)),
        (Metric::Reads, Some(reads / seconds)),
        (Metric::Writes, Some(writes / seconds)),
    ]);
    let sections = |tally: &Tally| tally.reads + tally.writes;
    out.extend(shift.pressure(sections, Some(waits.in_micros(clock))));
    out
}

/// The share of the reads that began beside another reader; nothing where no thread read.
pub(super) fn together(shift: &Shift<Tally>) -> Vec<Reading> {
    let sum = |count: fn(&Tally) -> u64| shift.members.iter().map(count).sum::<u64>() as f64;
    let share = sum(|tally| tally.together) / sum(|tally| tally.reads);
    Reading::known([(Metric::Together, Some(share))])
}

/// The counts of one thread in the measured phase.
pub(super) struct Tally {
    reads: u64,
    writes: u64,
    /// Reads that began beside another reader, where that is counted.
    together: u64,
    waits: Waits,
}

/// The work that a thread repeats.
pub(super) struct Habit<'a, W, S, R> {
    /// Before each section: whether it writes.
    pub(super) writes: W,
    /// Inside.
    pub(super) section: S,
    /// Called after each section, outside, with the phase to which the section belongs.
    pub(super) rest: R,
    /// Where readers are counted, if they are.
    pub(super) company: &'a Option<Company>,
}

/// One thread: sections, each with the lock held, until it is over.
pub(super) fn work<L: Lock>(
    arena: &Arena<L>,
    seat: usize,
    habit: Habit<'_, impl FnMut() -> bool, impl Fn(), impl FnMut(Phase)>,
    clock: &Clock,
    signal: &Signal,
) -> Tally {
    let Habit { mut writes, section, mut rest, company } = habit;
    let lock = arena.lock(seat);
    let mut witness = arena.ward().witness();
    let mut tally = Tally { reads: 0, writes: 0, together: 0, waits: Waits::new() };
    loop {
        let writing = writes();
        let mut beside = false;
        let asked = ticks();
        let got = if writing {
            lock.writing(|| inside(|| witness.write(&section)))
        } else {
            lock.reading(|| {
                inside(|| match company {
                    None => witness.read(&section),
                    Some(company) => beside = company.read(|| witness.read(&section)),
                })
            })
        };
        let phase = signal.phase();
        match phase {
            Phase::WarmUp => {}
            Phase::Measure => {
                tally.waits.add(clock.net(got.saturating_sub(asked)));
                tally.together += u64::from(beside);
                *(if writing { &mut tally.writes } else { &mut tally.reads }) += 1;
            }
            Phase::Over => {
                if let Some(wait) = signal.span().reached(asked, got) {
                    tally.waits.add(clock.net(wait));
                }
                return tally;
            }
        }
        rest(phase);
    }
}

/// Runs the section. Returns the moment at which the thread was inside, in ticks.
#[inline]
fn inside(section: impl FnOnce()) -> u64 {
    let got = ticks();
    section();
    got
}

/// The choice of a thread's next section.
pub(super) enum Coin {
    /// Always a write, or always a read.
    Fixed { writes: bool },
    /// Heads or tails of a xorshift generator: a few cycles, and another sequence for each thread.
    Tossed {
        state: u64,
        /// A section writes if the upper 32 bits are below this.
        below: u64,
    },
}

impl Coin {
    /// The coin of the `seat`-th of `threads` threads. The kinds go by halves, not by turns, so
    /// that pinned threads of both kinds meet on each processor.
    pub(super) fn new(mix: Mix, seat: usize, threads: usize) -> Self {
        match mix {
            Mix::Dedicated => Self::Fixed { writes: seat >= threads - threads / 2 },
            Mix::Writers => Self::Fixed { writes: true },
            Mix::Each => Self::with_writes(50.0, seat),
        }
    }

    /// The coin of the `seat`-th thread where this percentage of the sections write.
    pub(super) fn with_writes(percent: f64, seat: usize) -> Self {
        let below = (percent / 100.0 * (1_u64 << 32) as f64) as u64;
        Self::Tossed { state: (seat as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15), below }
    }

    #[inline]
    pub(super) fn writes(&mut self) -> bool {
        match self {
            Self::Fixed { writes } => *writes,
            Self::Tossed { state, below } => {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                *state >> 32 < *below
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::machine::Pinning;
    use crate::run::Instances;

    fn writers(threads: usize) -> usize {
        (0..threads).filter(|&seat| Coin::new(Mix::Dedicated, seat, threads).writes()).count()
    }

    #[test]
    fn mixed_has_as_many_writers_as_readers_and_an_odd_thread_reads() {
        assert_eq!((writers(1), writers(2), writers(5), writers(240)), (0, 1, 2, 120));
    }

    /// The second thread gets in long after the sample's end.
    #[test]
    fn mixed_cuts_a_wait_at_the_end() {
        const HOLD: Duration = Duration::from_millis(300);
        let clock = Clock::calibrate();
        let arena = Arena::<std::sync::RwLock<()>>::new(Instances::Shared, 2);
        let window = Duration::from_millis(20);
        let crew = Crew { threads: 2, window, pinning: Pinning::Off };
        let timer = clock.clone();
        let shift = crew.run(move |seat, signal| {
            let section = || std::thread::sleep(HOLD);
            let habit = Habit { writes: || true, section, rest: |_| (), company: &None };
            work(&arena, seat, habit, &timer, signal)
        });
        let shift = shift.expect("a shift");
        let waits = Waits::of_all(shift.members.iter().map(|tally| &tally.waits));
        let longest = waits.in_micros(&clock).max;
        assert!((10_000.0..250_000.0).contains(&longest), "{longest} µs");
    }

    #[test]
    fn mixed_tosses_a_fair_coin_in_each_thread() {
        for seat in [0, 1, 239] {
            let mut coin = Coin::new(Mix::Each, seat, 240);
            let heads = (0..10_000).filter(|_| coin.writes()).count();
            assert!((4_700..5_300).contains(&heads), "{heads} of seat {seat}");
        }
    }

    #[test]
    fn mixed_writes_as_often_as_asked() {
        for (percent, range) in [(0.0, 0..=0), (1.0, 70..=130), (10.0, 900..=1_100)] {
            let mut coin = Coin::with_writes(percent, 3);
            let writes = (0..10_000).filter(|_| coin.writes()).count();
            assert!(range.contains(&writes), "{writes} at {percent} %");
        }
        let mut coin = Coin::with_writes(100.0, 3);
        assert!((0..10_000).all(|_| coin.writes()));
    }
}
