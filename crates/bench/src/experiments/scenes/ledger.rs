//! What one thread has done.

use super::Role;
use crate::machine::Spell;
use crate::machine::masked::Masked;
use crate::run::Phase;
use crate::stats::{Interruption, Part, Times};

/// How long it took to get in, and out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    pub(super) lock: Spell,
    pub(super) unlock: Spell,
}

/// One turn of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    pub(super) tries: u32,
    pub(super) passage: Option<Passage>,
}

impl Done {
    /// The lock was left alone.
    pub(super) const NOTHING: Self = Self { tries: 0, passage: None };
}

/// The books of a thread, open in the measured phase.
#[derive(Default)]
pub(super) struct Ledger {
    books: Option<Box<Books>>,
    /// The wait that the end cut short.
    cut: Option<Spell>,
}

struct Books {
    tries: u64,
    passed: u64,
    gave_up: u64,
    lock: Times,
    unlock: Times,
}

impl Books {
    fn new() -> Self {
        Self { tries: 0, passed: 0, gave_up: 0, lock: Times::new(), unlock: Times::new() }
    }
}

impl Ledger {
    /// Whether the thread has begun to count.
    pub(super) fn is_open(&self) -> bool {
        self.books.is_some()
    }

    /// What follows counts.
    pub(super) fn open(&mut self) {
        self.books = Some(Box::new(Books::new()));
    }

    /// Enters a turn that ended in this phase. Of the one that the end cut short only the wait
    /// counts, with what it had become, so that a thread that starved all along shows.
    #[inline]
    pub(super) fn enter(&mut self, phase: Phase, done: Done) {
        match (phase, &mut self.books) {
            (Phase::Over, _) => self.cut = done.passage.map(|passage| passage.lock),
            (Phase::WarmUp, _) | (_, None) => {}
            (Phase::Measure, Some(books)) => {
                books.tries += u64::from(done.tries);
                match done.passage {
                    None => books.gave_up += u64::from(done.tries > 0),
                    Some(Passage { lock, unlock }) => {
                        books.passed += 1;
                        books.lock.add(lock);
                        books.unlock.add(unlock);
                    }
                }
            }
        }
    }

    /// All of it.
    pub(super) fn close(
        self,
        role: Role,
        number: usize,
        masked: Option<Masked>,
        interruptions: Vec<Interruption>,
    ) -> Part {
        let mut books = self.books.unwrap_or_else(|| Box::new(Books::new()));
        if let Some(wait) = self.cut {
            books.lock.add(wait);
        }
        let Books { tries, passed, gave_up, lock, unlock } = *books;
        Part { role, number, tries, passed, gave_up, lock, unlock, masked, interruptions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(ticks: u64) -> Done {
        let spell = Spell { wall: ticks, cpu: ticks };
        Done { tries: 1, passage: Some(Passage { lock: spell, unlock: spell }) }
    }

    #[test]
    fn ledger_counts_what_ended_in_time_and_keeps_the_wait_that_was_cut() {
        let mut ledger = Ledger::default();
        ledger.enter(Phase::WarmUp, passage(1));
        ledger.open();
        ledger.enter(Phase::Measure, passage(10));
        ledger.enter(Phase::Measure, Done { tries: 100, passage: None });
        ledger.enter(Phase::Over, passage(1000));
        let part = ledger.close(Role::Writer, 0, None, Vec::new());
        assert_eq!((part.tries, part.passed, part.gave_up), (101, 1, 1));
        assert_eq!((part.lock.count(), part.unlock.count()), (2, 1));
    }
}
