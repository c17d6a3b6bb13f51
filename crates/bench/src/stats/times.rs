//! Many short times: least, mean, most, and how they are distributed.

use hdrhistogram::Histogram;
use serde::Serialize;

use crate::machine::Spell;

/// Two digits: a bucket is at most 1 % wide, and recording touches few lines.
const DIGITS: u8 = 2;

/// Times in ticks: as they passed, and as CPU time of the thread.
///
/// Nearly all times are alike in both; they stand in one histogram. The others stand in two small
/// histograms, one for each way of counting.
#[derive(Clone)]
pub(crate) struct Times {
    count: u64,
    sum: u64,
    min: u64,
    max: u64,
    cpu_max: u64,
    alike: Histogram<u32>,
    wall: Histogram<u32>,
    cpu: Histogram<u32>,
}

/// The figures of [`Times`], in ticks.
#[derive(Clone, Copy, Debug, Serialize, PartialEq)]
pub(crate) struct Figures {
    pub(crate) count: u64,
    pub(crate) min: u64,
    pub(crate) avg: u64,
    pub(crate) max: u64,
    pub(crate) p50: u64,
    pub(crate) p99: u64,
    pub(crate) p999: u64,
    /// In the thread's own CPU time.
    pub(crate) cpu_p999: u64,
    pub(crate) cpu_max: u64,
}

impl Times {
    /// No times yet.
    pub(crate) fn new() -> Self {
        let empty = || Histogram::new(DIGITS).expect("a number of digits that it allows");
        let (alike, wall, cpu) = (empty(), empty(), empty());
        Self { count: 0, sum: 0, min: u64::MAX, max: 0, cpu_max: 0, alike, wall, cpu }
    }

    /// All these times together.
    pub(crate) fn of_all<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut out = Self::new();
        all.into_iter().for_each(|one| out.join(one));
        out
    }

    fn join(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.cpu_max = self.cpu_max.max(other.cpu_max);
        let pairs = [
            (&mut self.alike, &other.alike),
            (&mut self.wall, &other.wall),
            (&mut self.cpu, &other.cpu),
        ];
        for (ours, theirs) in pairs {
            ours.add(theirs).expect("histograms that grow take every value");
        }
    }

    /// Adds one time.
    #[inline]
    pub(crate) fn add(&mut self, Spell { wall, cpu }: Spell) {
        self.count += 1;
        self.sum += wall;
        self.min = self.min.min(wall);
        self.max = self.max.max(wall);
        self.cpu_max = self.cpu_max.max(cpu);
        if wall == cpu {
            enter(&mut self.alike, wall);
        } else {
            enter(&mut self.wall, wall);
            enter(&mut self.cpu, cpu);
        }
    }

    /// Forgets all times.
    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// How many there are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The figures of the times; `None` without times.
    pub(crate) fn figures(&self) -> Option<Figures> {
        let avg = self.sum.checked_div(self.count)?;
        let [wall, cpu] = [&self.wall, &self.cpu].map(|long| {
            let mut all = self.alike.clone();
            all.add(long).expect("histograms that grow take every value");
            all
        });
        let at = |share: f64| wall.value_at_quantile(share).min(self.max);
        Some(Figures {
            count: self.count,
            min: self.min,
            avg,
            max: self.max,
            p50: at(0.5),
            p99: at(0.99),
            p999: at(0.999),
            cpu_p999: cpu.value_at_quantile(0.999).min(self.cpu_max),
            cpu_max: self.cpu_max,
        })
    }

    /// The histogram of the times as they passed: the greatest value of each bucket that is not
    /// empty, and how many fell into it.
    pub(crate) fn buckets(&self) -> Vec<(u64, u64)> {
        let mut all = self.alike.clone();
        all.add(&self.wall).expect("histograms that grow take every value");
        let each = all.iter_recorded();
        each.map(|at| (at.value_iterated_to(), u64::from(at.count_at_value()))).collect()
    }
}

/// A histogram that grows takes every value.
#[inline]
fn enter(histogram: &mut Histogram<u32>, ticks: u64) {
    histogram.record(ticks).expect("memory for a histogram");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spell(wall: u64, cpu: u64) -> Spell {
        Spell { wall, cpu }
    }

    #[test]
    fn times_have_exact_extremes_and_mean() {
        let mut times = Times::new();
        [27, 33, 10_407].into_iter().for_each(|ticks| times.add(spell(ticks, ticks)));
        let figures = times.figures().expect("figures");
        assert_eq!((figures.min, figures.avg, figures.max), (27, 3_489, 10_407));
        assert_eq!((figures.count, figures.p50), (3, 33));
    }

    #[test]
    fn times_tell_what_passed_from_what_was_spent() {
        let mut times = Times::new();
        (0..999).for_each(|_| times.add(spell(100, 100)));
        (0..9).for_each(|_| times.add(spell(5_000_000, 30_000)));
        let figures = times.figures().expect("figures");
        assert_eq!((figures.max, figures.cpu_max), (5_000_000, 30_000));
        assert!(figures.p999 > 4_900_000 && figures.cpu_p999 <= 30_000, "{figures:?}");
    }

    #[test]
    fn times_of_many_threads_add_up() {
        let (mut one, mut other) = (Times::new(), Times::new());
        one.add(spell(10, 10));
        other.add(spell(1_000_000, 20));
        let all = Times::of_all([&one, &other]);
        let figures = all.figures().expect("figures");
        assert_eq!((figures.count, figures.min, figures.max), (2, 10, 1_000_000));
        assert_eq!(all.buckets().iter().map(|(_, count)| count).sum::<u64>(), 2);
        assert_eq!(Times::new().figures(), None);
    }
}
