//! One lock at any place of a plane: how long a section lasts, how long a thread does without the
//! lock between two sections, how many threads there are, and how many sections write.
//!
//! Each thread reads and writes, by a coin. It stays inside for the hold and outside for the pause,
//! awake, by the clock. A thread that loses its processor counts on: its time is over when it runs
//! again.
//!
//! A sample either measures, or counts which reads begin beside another reader: the count would
//! disturb the other figures.

use std::sync::Arc;
use std::time::Duration;

use super::Experiment;
use super::company::Company;
use super::holds::stay_awake;
use super::mixed::{Coin, Habit, readings, together, work};
use crate::machine::Clock;
use crate::run::{Arena, Crew, Fault};
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

/// The experiment and its parameters.
pub(crate) struct Plane {
    pub(crate) cell: Cell,
    pub(crate) clock: Clock,
    /// Instead of all else: which reads begin beside another reader.
    pub(crate) together: bool,
}

impl Experiment for Plane {
    const NAME: &'static str = "plane";

    fn place(&self, threads: usize) -> String {
        let Cell { hold, pause, writes, .. } = self.cell;
        format!("holds {hold:?}, pauses {pause:?}, {writes} % writes, {threads} threads")
    }

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let (arena, clock, writes) = (Arc::clone(arena), self.clock.clone(), self.cell.writes);
        let (hold, pause) = (clock.in_ticks(self.cell.hold), clock.in_ticks(self.cell.pause));
        let company = self.together.then(Company::new);
        let shift = crew.run(move |seat, signal| {
            let coin = Coin::with_writes(writes, seat);
            let (section, rest) = (|| stay_awake(hold), || stay_awake(pause));
            work(&arena, seat, Habit { coin, section, rest, company: &company }, &clock, signal)
        })?;
        if self.together {
            return Ok(together(&shift));
        }
        let mut out = readings(&shift, &self.clock);
        let busy = shift.usage.map(|usage| usage.cpu().as_secs_f64() / shift.elapsed.as_secs_f64());
        out.extend(Reading::known([(Metric::ProcessorsBusy, busy)]));
        Ok(out)
    }
}
