//! The results of the tests of the 2008 lock.

use std::collections::BTreeMap;

use super::{Figures, Metric, Part, Reading, Times, What, median};
use crate::experiments::scenes::{Role, Test};
use crate::subjects::Subject;

/// One sample of one subject.
pub(crate) struct Take {
    pub(crate) subject: Subject,
    pub(crate) test: &'static Test,
    /// How long it was measured, in seconds.
    pub(crate) seconds: f64,
    pub(crate) parts: Vec<Part>,
    /// How the threads fared, and what they cost.
    pub(crate) pressure: Vec<Reading>,
}

/// The counts of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) tries: u64,
    pub(crate) passed: u64,
    pub(crate) gave_up: u64,
}

impl Take {
    /// The figures of these times, over all threads.
    fn figures(&self, what: What) -> Option<Figures> {
        let each: Vec<Times> = self.parts.iter().filter_map(|part| what.of(part)).collect();
        Times::of_all(&each).figures()
    }
}

/// All samples of an experiment, in their order.
#[derive(Default)]
pub(crate) struct Takes {
    pub(crate) takes: Vec<Take>,
}

impl Takes {
    /// The samples of one subject in one test.
    pub(crate) fn of<'a>(
        &'a self,
        test: &'a Test,
        subject: Subject,
    ) -> impl Iterator<Item = &'a Take> + Clone {
        self.takes.iter().filter(move |take| take.test == test && take.subject == subject)
    }

    /// The subjects that took part in a test, in the order of the roster.
    pub(crate) fn subjects(&self, test: &Test) -> Vec<Subject> {
        let took_part = |subject: &Subject| self.of(test, *subject).next().is_some();
        Subject::ALL.iter().copied().filter(took_part).collect()
    }

    /// The figures over all rounds: the extremes of all, the sum of the counts, the median of the
    /// rest.
    pub(crate) fn figures(&self, test: &Test, subject: Subject, what: What) -> Option<Figures> {
        let rounds: Vec<Figures> =
            self.of(test, subject).filter_map(|take| take.figures(what)).collect();
        let middle = |figure: fn(&Figures) -> u64| {
            let all: Vec<f64> = rounds.iter().map(|round| figure(round) as f64).collect();
            median(&all).map_or(0, |middle| middle.round() as u64)
        };
        Some(Figures {
            count: rounds.iter().map(|round| round.count).sum(),
            min: rounds.iter().map(|round| round.min).min()?,
            avg: middle(|round| round.avg),
            max: rounds.iter().map(|round| round.max).max()?,
            p50: middle(|round| round.p50),
            p99: middle(|round| round.p99),
            p999: middle(|round| round.p999),
            cpu_p999: middle(|round| round.cpu_p999),
            cpu_max: rounds.iter().map(|round| round.cpu_max).max()?,
        })
    }

    /// The samples of a metric of pressure, one for each round that has it.
    pub(crate) fn pressure(&self, test: &Test, subject: Subject, metric: Metric) -> Vec<f64> {
        let readings = self.of(test, subject).flat_map(|take| &take.pressure);
        readings.filter(|one| one.metric == metric).map(|one| one.value).collect()
    }

    /// Sections a second of each thread of a role, over all rounds.
    pub(crate) fn rates(&self, test: &Test, subject: Subject, role: Role) -> Vec<f64> {
        let takes = self.of(test, subject);
        let seconds: f64 = takes.clone().map(|take| take.seconds).sum();
        let number =
            test.cast.iter().find(|(one, _)| *one == role).map_or(0, |(_, number)| *number);
        let sections = |number: usize| {
            let parts = takes.clone().flat_map(|take| &take.parts);
            let mine = parts.filter(|part| part.role == role && part.number == number);
            mine.map(|part| part.passed).sum::<u64>() as f64
        };
        (0..number).map(|number| sections(number) / seconds).collect()
    }

    /// The times of the thread on one seat, over all rounds.
    pub(crate) fn thread(
        &self,
        test: &Test,
        subject: Subject,
        seat: usize,
        what: What,
    ) -> Option<Times> {
        let rounds = self.of(test, subject).filter_map(|take| what.of(take.parts.get(seat)?));
        let rounds: Vec<Times> = rounds.collect();
        (!rounds.is_empty()).then(|| Times::of_all(&rounds))
    }

    /// The counts of the thread on one seat, over all rounds.
    pub(crate) fn counts(&self, test: &Test, subject: Subject, seat: usize) -> Counts {
        let mut out = Counts::default();
        for part in self.of(test, subject).filter_map(|take| take.parts.get(seat)) {
            out.tries += part.tries;
            out.passed += part.passed;
            out.gave_up += part.gave_up;
        }
        out
    }

    /// Lock and unlock of the handlers by processor, over all rounds.
    pub(crate) fn interruptions(&self, test: &Test, subject: Subject) -> Vec<(u32, Times, Times)> {
        let mut by_cpu = BTreeMap::new();
        let parts = self.of(test, subject).flat_map(|take| &take.parts);
        for one in parts.flat_map(|part| &part.interruptions) {
            let fresh = || (Times::new(), Times::new());
            let (lock, unlock) = by_cpu.entry(one.cpu).or_insert_with(fresh);
            lock.add(one.lock);
            unlock.add(one.unlock);
        }
        by_cpu.into_iter().map(|(cpu, (lock, unlock))| (cpu, lock, unlock)).collect()
    }

    /// How long one subject was measured in a test.
    pub(crate) fn seconds(&self, test: &Test, subject: Subject) -> f64 {
        self.of(test, subject).map(|take| take.seconds).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::scenes::DELAYS;
    use crate::machine::Spell;
    use crate::stats::Interruption;

    /// A sample of the crowded test in which each writer took these locks.
    fn take(locks: &[u64]) -> Take {
        let test = &DELAYS[5];
        let part = |seat| {
            let (role, number) = test.role(seat);
            let mut part = Part::new(role, number);
            if role == Role::Writer {
                for &ticks in locks {
                    part.lock.add(Spell { wall: ticks, cpu: ticks });
                }
                part.passed = locks.len() as u64 * (number as u64 + 1);
            }
            part
        };
        let parts = (0..test.threads()).map(part).collect();
        Take { subject: Subject::Psrw, test, seconds: 2.0, parts, pressure: Vec::new() }
    }

    #[test]
    fn takes_keep_the_extremes_and_the_middle_of_everything_else() {
        let takes = Takes { takes: vec![take(&[10, 30]), take(&[20, 4000]), take(&[20, 60])] };
        let what = What::Lock(Role::Writer);
        let figures = takes.figures(&DELAYS[5], Subject::Psrw, what).expect("figures");
        assert_eq!((figures.count, figures.min, figures.max), (12, 10, 4000));
        assert_eq!(figures.avg, 40);
        let none = takes.figures(&DELAYS[5], Subject::Psrw2008, what);
        assert_eq!(none, None);
    }

    #[test]
    fn takes_have_a_rate_for_each_thread_of_a_role() {
        let takes = Takes { takes: vec![take(&[10, 30]), take(&[20])] };
        let rates = takes.rates(&DELAYS[5], Subject::Psrw, Role::Writer);
        assert_eq!(rates, [0.75, 1.5]);
        assert!(takes.rates(&DELAYS[0], Subject::Psrw, Role::TrylockReader).is_empty());
    }

    #[test]
    fn takes_sort_interruptions_by_processor() {
        let mut one = take(&[]);
        let spell = |ticks| Spell { wall: ticks, cpu: ticks };
        for (seat, cpu, ticks) in [(0, 1, 10), (3, 0, 20), (4, 1, 30)] {
            let (lock, unlock) = (spell(ticks), spell(1));
            one.parts[seat].interruptions.push(Interruption { cpu, lock, unlock });
        }
        let by_cpu = Takes { takes: vec![one] }.interruptions(&DELAYS[5], Subject::Psrw);
        let told = by_cpu.iter().map(|(cpu, lock, _)| (*cpu, lock.figures().expect("some").max));
        assert_eq!(told.collect::<Vec<_>>(), [(0, 20), (1, 30)]);
    }
}
