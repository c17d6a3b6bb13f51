//! One lock at any place of a plane: how long a section lasts, how long a thread stays outside
//! between two sections, how many threads there are, and how many sections write.
//!
//! Each thread reads and writes, by a coin. It stays inside for the hold and outside for the pause,
//! awake, by the clock. These times go on while the thread has no processor. A time that has passed
//! meanwhile is over when the thread runs again.
//!
//! A sample either measures, or counts which reads begin beside another reader: the count would
//! disturb the other figures.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::Experiment;
use super::company::Company;
use super::mixed::{Coin, Habit, Tally, readings, together, work};
use crate::machine::Clock;
use crate::machine::clock::stay_awake;
use crate::run::{Arena, Crew, Fault, Shift};
use crate::stats::{Metric, Reading};
use crate::subjects::Lock;

/// A place of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cell {
    /// How long a section lasts.
    pub(crate) hold: Duration,
    /// How long a thread is outside between two sections.
    pub(crate) pause: Duration,
    pub(crate) threads: usize,
    /// Writes, in per cent of the sections; 0 to 100.
    pub(crate) writes: f64,
}

/// Shows all but the number of threads.
impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hold, pause, writes, .. } = self;
        write!(out, "holds {hold:?}, pauses {pause:?}, {writes} % writes")
    }
}

/// The experiment and its parameters.
pub(crate) struct Plane {
    pub(crate) cell: Cell,
    pub(crate) clock: Clock,
    /// Measures only which reads begin beside another reader.
    pub(crate) together: bool,
}

impl Experiment for Plane {
    const NAME: &'static str = "plane";

    fn place(&self, threads: usize) -> String {
        format!("{}, {threads} threads", self.cell)
    }

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let (arena, clock, cell) = (Arc::clone(arena), self.clock.clone(), self.cell);
        let company = self.together.then(Company::new);
        let shift = crew.run(move |seat, signal| {
            let Stays { hold, pause, mut coin } = Stays::of(cell, &clock, seat);
            let (section, rest) = (|| stay_awake(hold), |_| stay_awake(pause));
            let habit = Habit { writes: || coin.writes(), section, rest, company: &company };
            work(&arena, seat, habit, &clock, signal)
        })?;
        if self.together {
            return Ok(together(&shift));
        }
        Ok(figures(&shift, &self.clock))
    }
}

/// The times and the coin of one thread in a cell.
pub(super) struct Stays {
    /// How long it stays inside, in ticks.
    pub(super) hold: u64,
    /// How long it stays outside, in ticks.
    pub(super) pause: u64,
    /// Whether it writes.
    pub(super) coin: Coin,
}

impl Stays {
    /// The stays of the `seat`-th thread.
    pub(super) fn of(cell: Cell, clock: &Clock, seat: usize) -> Self {
        let (hold, pause) = (clock.in_ticks(cell.hold), clock.in_ticks(cell.pause));
        Self { hold, pause, coin: Coin::with_writes(cell.writes, seat) }
    }
}

/// The metrics of one sample, and how many processors were busy.
pub(super) fn figures(shift: &Shift<Tally>, clock: &Clock) -> Vec<Reading> {
    let mut out = readings(shift, clock);
    let busy = shift.usage.map(|usage| usage.cpu().as_secs_f64() / shift.elapsed.as_secs_f64());
    out.extend(Reading::known([(Metric::ProcessorsBusy, busy)]));
    out
}
