//! What came of the tests of seed `003`.

use std::collections::BTreeMap;

use super::median;
use crate::experiments::scenes::{Role, Test};
use crate::machine::Spell;
use crate::machine::masked::Masked;
use crate::stats::{Figures, Times};
use crate::subjects::Subject;

/// What one thread did in one sample.
pub(crate) struct Part {
    pub(crate) role: Role,
    /// Which of its role.
    pub(crate) number: usize,
    pub(crate) tries: u64,
    /// Sections.
    pub(crate) passed: u64,
    /// Rounds of tries that failed all.
    pub(crate) gave_up: u64,
    /// How long it took to get in: where it was measured.
    pub(crate) lock: Times,
    /// How long it took to get out.
    pub(crate) unlock: Times,
    /// How long it kept each class out: where it was measured.
    pub(crate) masked: Option<Masked>,
    /// Reads in its handler.
    pub(crate) interruptions: Vec<Interruption>,
}

/// One read in a handler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interruption {
    pub(crate) cpu: u32,
    pub(crate) lock: Spell,
    pub(crate) unlock: Spell,
}

/// One sample of one subject.
pub(crate) struct Take {
    pub(crate) subject: Subject,
    pub(crate) test: &'static Test,
    /// How long it was measured, in seconds.
    pub(crate) seconds: f64,
    pub(crate) parts: Vec<Part>,
}

/// What a thread did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) tries: u64,
    pub(crate) passed: u64,
    pub(crate) gave_up: u64,
}

/// A time that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// How long threads of this role took to get in.
    Lock(Role),
    /// How long they took to get out.
    Unlock(Role),
    /// How long handlers took to get in.
    InterruptLock,
    /// How long they took to get out.
    InterruptUnlock,
    /// How long one of [`Class::HIGH`](siftlock_core::platform::Class::HIGH) was kept out.
    Masked(usize),
    /// How long threads of this role kept it out.
    MaskedBy(Role, usize),
}

impl What {
    /// These times of one thread.
    pub(crate) fn of(self, part: &Part) -> Option<Times> {
        let handlers = |spell: fn(&Interruption) -> Spell| {
            let mut times = Times::new();
            part.interruptions.iter().for_each(|one| times.add(spell(one)));
            times
        };
        match self {
            Self::Lock(role) => (part.role == role).then(|| part.lock.clone()),
            Self::Unlock(role) => (part.role == role).then(|| part.unlock.clone()),
            Self::InterruptLock => Some(handlers(|one| one.lock)),
            Self::InterruptUnlock => Some(handlers(|one| one.unlock)),
            Self::Masked(class) => part.masked.as_ref().map(|masked| masked[class].clone()),
            Self::MaskedBy(role, class) => {
                (part.role == role).then(|| Self::Masked(class).of(part)).flatten()
            }
        }
    }
}

impl Take {
    /// What these times come to, over all threads.
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

    /// The figures of the rounds: the extremes of all, of everything else the median.
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

    /// What the thread on one seat did, over all rounds.
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
