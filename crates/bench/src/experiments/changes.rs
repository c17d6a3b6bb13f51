//! A load that changes: all threads go from one cell of the plane to another at the same moments.
//!
//! A thread reads the clock before each section, outside of the timed part. It takes the hold, the
//! pause and the share of writes of the corner where the load is then. A section counts for the
//! corner in which it began. A corner alone is the same experiment with a single corner, so that
//! the threads do the same beside the lock.
//!
//! The load's clock starts with the measured phase. Before that the load is at the last corner of
//! the order: the measured phase begins with a change.

use std::cell::Cell as Slot;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::Experiment;
use super::mixed::{Habit, work};
use super::plane::{Cell, Stays, figures};
use crate::machine::Clock;
use crate::machine::clock::{stay_awake, ticks};
use crate::run::{Arena, Crew, Fault, Phase};
use crate::stats::{Metric, Reading};
use crate::subjects::Lock;

/// The experiment and its parameters.
pub(crate) struct Changes {
    /// Where the load goes. Each corner has the plan's window.
    pub(crate) corners: Vec<Cell>,
    /// How long the load stays at a corner.
    pub(crate) every: Duration,
    pub(crate) clock: Clock,
}

impl Experiment for Changes {
    const NAME: &'static str = "changes";

    fn place(&self, threads: usize) -> String {
        match self.corners.as_slice() {
            [alone] => format!("{alone}, {threads} threads"),
            corners => format!("{} corners in turn, {threads} threads", corners.len()),
        }
    }

    fn window(&self, part: Duration) -> Duration {
        part.saturating_mul(u32::try_from(self.corners.len()).unwrap_or(u32::MAX))
    }

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let (arena, clock, corners) = (Arc::clone(arena), self.clock.clone(), self.corners.clone());
        let schedule = Schedule::new(corners.len(), clock.in_ticks(self.every));
        let sums: Arc<[AtomicU64]> = corners.iter().map(|_| AtomicU64::new(0)).collect();
        let counted = Arc::clone(&sums);
        let shift = crew.run(move |seat, signal| {
            let (mut holds, mut pauses, mut coins) = (Vec::new(), Vec::new(), Vec::new());
            for &corner in &corners {
                let Stays { hold, pause, coin } = Stays::of(corner, &clock, seat);
                holds.push(hold);
                pauses.push(pause);
                coins.push(coin);
            }
            let mut counts = vec![0; corners.len()];
            let now = Slot::new(0);
            let writes = || {
                now.set(schedule.corner(ticks()));
                coins[now.get()].writes()
            };
            let section = || stay_awake(holds[now.get()]);
            let rest = |phase| {
                if phase == Phase::Measure {
                    schedule.start();
                    counts[now.get()] += 1;
                }
                stay_awake(pauses[now.get()]);
            };
            let habit = Habit { writes, section, rest, company: &None };
            let tally = work(&arena, seat, habit, &clock, signal);
            for (sum, count) in counted.iter().zip(counts) {
                // Relaxed: the thread that reads the sums has waited for this one.
                sum.fetch_add(count, Relaxed);
            }
            tally
        })?;
        let mut out = figures(&shift, &self.clock);
        if self.corners.len() < 2 {
            return Ok(out);
        }
        let share = shift.elapsed.as_secs_f64() / self.corners.len() as f64;
        let rate = |sum: &AtomicU64| sum.load(Relaxed) as f64 / share;
        let rates = sums.iter().enumerate().map(|(at, sum)| (Metric::AtCorner(at), rate(sum)));
        out.extend(Reading::known(rates.map(|(metric, rate)| (metric, Some(rate)))));
        Ok(out)
    }
}

/// Where the load is at each moment, for all threads alike.
struct Schedule {
    order: Vec<usize>,
    /// How long the load stays at a corner, in ticks.
    every: u64,
    /// When the load left for the first corner, in ticks; 0 before that.
    start: AtomicU64,
}

impl Schedule {
    fn new(corners: usize, every: u64) -> Self {
        Self { order: order(corners), every: every.max(1), start: AtomicU64::new(0) }
    }

    /// Starts the load's clock, if no thread has done so.
    fn start(&self) {
        // Relaxed, here and below: nothing is published with it.
        if self.start.load(Relaxed) == 0 {
            let _ = self.start.compare_exchange(0, ticks(), Relaxed, Relaxed);
        }
    }

    /// The corner at this time.
    #[inline]
    fn corner(&self, now: u64) -> usize {
        let visits = match self.start.load(Relaxed) {
            0 => self.order.len() - 1,
            start => (now.saturating_sub(start) / self.every) as usize % self.order.len(),
        };
        self.order[visits]
    }
}

/// The order of a load's visits, by the corners' numbers: pass after pass, each to every corner
/// once. Then it begins again.
///
/// In as many passes as there are corners, each corner follows each other corner once within a
/// pass, if their number is even (E. J. Williams, 1949, for trials in which one treatment has an
/// effect on the next). The first pass goes 0, 1, n-1, 2, n-2 …; the next goes one further at each
/// place.
fn order(corners: usize) -> Vec<usize> {
    let zigzag = |at: usize| if at % 2 == 1 { at.div_ceil(2) } else { corners - at / 2 };
    let pass = |pass| (0..corners).map(move |at| (zigzag(at) + pass) % corners);
    (0..corners).flat_map(pass).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn changes_of_all_passes_meet_each_change_and_none_to_the_same_corner() {
        let order = order(8);
        let met: BTreeSet<_> = order.windows(2).map(|pair| (pair[0], pair[1])).collect();
        assert_eq!((order.len(), met.len()), (64, 56));
        assert!(met.iter().all(|(from, to)| from != to) && order[0] != order[63]);
    }

    #[test]
    fn changes_visit_each_corner_once_in_each_pass() {
        for pass in order(8).chunks(8) {
            assert_eq!(pass.iter().collect::<BTreeSet<_>>().len(), 8, "{pass:?}");
        }
        assert_eq!(order(1), [0]);
    }

    #[test]
    fn changes_happen_at_the_same_moments_and_begin_with_the_measured_phase() {
        let schedule = Schedule::new(4, 100);
        assert_eq!(schedule.order[..6], [0, 1, 3, 2, 1, 2]);
        assert_eq!((schedule.corner(0), schedule.corner(1 << 40)), (1, 1), "the warm-up");
        schedule.start.store(1_000, Relaxed);
        schedule.start();
        let visits =
            [1_000, 1_099, 1_100, 1_250, 1_300, 1_400, 2_600].map(|at| schedule.corner(at));
        assert_eq!(visits, [0, 0, 1, 3, 2, 1, 0]);
    }
}
