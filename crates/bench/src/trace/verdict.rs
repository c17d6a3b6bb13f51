//! Whether our lock under a program is worth it.
//!
//! Each round gives a ratio of the two runs. Ratios multiply, so their logarithms are averaged;
//! Student's t gives the interval in which the mean ratio lies with 95 % confidence.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::compare::{Part, Round};
use crate::report::Grid;

/// The share of such intervals that hold the true ratio.
const CONFIDENCE: f64 = 0.95;
/// Seconds. At worst the system counts processor time by some milliseconds: ratios of shorter times
/// say nothing.
const SHORTEST: f64 = 0.01;

/// A figure with our lock over the figure without it.
#[derive(Serialize)]
pub(super) struct Ratio {
    name: &'static str,
    /// Medians, in seconds.
    without: f64,
    with: f64,
    /// The mean ratio and its interval; `None` where the times are too short.
    interval: Option<Interval>,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Interval {
    low: f64,
    mean: f64,
    high: f64,
}

impl Ratio {
    pub(super) fn of(name: &'static str, rounds: &[Round], part: Part) -> Self {
        let without: Vec<_> = rounds.iter().map(|round| part(&round.without)).collect();
        let with: Vec<_> = rounds.iter().map(|round| part(&round.with)).collect();
        let is_long = without.iter().chain(&with).all(|&seconds| seconds >= SHORTEST);
        let logarithms = without.iter().zip(&with).map(|(without, with)| (with / without).ln());
        let interval = is_long.then(|| Interval::of(&logarithms.collect::<Vec<_>>()));
        Self { name, without: median(without), with: median(with), interval }
    }
}

impl Interval {
    /// From at least two logarithms.
    fn of(logarithms: &[f64]) -> Self {
        let count = logarithms.len() as f64;
        let mean = logarithms.iter().sum::<f64>() / count;
        let squares: f64 = logarithms.iter().map(|one| (one - mean).powi(2)).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        let student = StudentsT::new(0.0, 1.0, count - 1.0).expect("there are two rounds or more");
        let margin = student.inverse_cdf(f64::midpoint(CONFIDENCE, 1.0)) * error;
        Self { low: (mean - margin).exp(), mean: mean.exp(), high: (mean + margin).exp() }
    }
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    let middle = all.len() / 2;
    if all.len() % 2 == 1 { all[middle] } else { f64::midpoint(all[middle - 1], all[middle]) }
}

/// The table of the figures.
pub(super) fn table(program: &str, ratios: &[Ratio], rounds: usize) -> String {
    let head = ["", "without, s", "with, s", "ratio", "95 % interval"];
    let mut grid = Grid::of_numbers(&head.map(String::from));
    for ratio in ratios {
        let interval = ratio.interval.map(|of| {
            let Interval { low, mean, high } = of;
            (format!("{mean:.3}"), format!("{low:.3} to {high:.3}"))
        });
        let (mean, interval) = interval.unwrap_or_else(|| ("-".into(), "too short".into()));
        let seconds = |time: f64| format!("{time:.3}");
        grid.row(ratio.name, [seconds(ratio.without), seconds(ratio.with), mean, interval]);
    }
    grid.titled(&format!("{program}: medians of {rounds} rounds, without and with siftlock's lock"))
}

/// The answer, by wall time.
pub(super) fn in_words(ratios: &[Ratio]) -> String {
    let Some((wall, of)) = ratios.first().and_then(|wall| Some((wall, wall.interval?))) else {
        return "The program ends too soon to compare: give it more to do.".to_owned();
    };
    let percent = |ratio: f64| format!("{:.1} %", (ratio - 1.0).abs() * 100.0);
    let between = |a: f64, b: f64| format!("{} to {}", percent(a), percent(b));
    let name = wall.name;
    if of.high < 1.0 {
        format!("Worth it: with siftlock {name} time is {} shorter.", between(of.high, of.low))
    } else if of.low > 1.0 {
        format!("Not worth it: with siftlock {name} time is {} longer.", between(of.low, of.high))
    } else {
        format!(
            "No difference is shown: {name} time is between {} shorter and {} longer. More --rounds narrow that.",
            percent(of.low),
            percent(of.high)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::compare::Cost;

    fn rounds(ratios: &[f64]) -> Vec<Round> {
        let cost = |wall| Cost { wall, user: wall, system: 0.0 };
        ratios.iter().map(|&ratio| Round { without: cost(2.0), with: cost(2.0 * ratio) }).collect()
    }

    fn wall(ratios: &[f64]) -> Ratio {
        Ratio::of("wall", &rounds(ratios), |cost| cost.wall)
    }

    #[test]
    fn interval_is_that_of_student() {
        // Logarithms -0.1, 0 and 0.1: the error is 0.1 / √3, and t is 4.3027 for two degrees of
        // freedom.
        let of = Interval::of(&[-0.1, 0.0, 0.1]);
        let margin = 4.302_653 * 0.1 / 3f64.sqrt();
        assert!((of.low.ln() + margin).abs() < 1e-5 && (of.high.ln() - margin).abs() < 1e-5);
        assert!((of.mean - 1.0).abs() < 1e-12);
    }

    #[test]
    fn verdict_follows_the_interval() {
        assert!(in_words(&[wall(&[0.80, 0.81, 0.79])]).starts_with("Worth it"));
        assert!(in_words(&[wall(&[1.20, 1.21, 1.19])]).starts_with("Not worth it"));
        assert!(in_words(&[wall(&[0.9, 1.1, 1.0])]).starts_with("No difference"));
    }

    #[test]
    fn times_that_are_too_short_have_no_ratio() {
        let system = Ratio::of("system", &rounds(&[1.0, 1.0, 1.0]), |cost| cost.system);
        assert!(system.interval.is_none());
        assert!(in_words(&[system]).contains("too soon"));
    }
}
