//! The books of one thread.

use super::Role;
use crate::machine::Spell;
use crate::machine::masked::Masked;
use crate::run::Span;
use crate::stats::Part;

/// When a thread asked for the lock, in ticks, and how long it took to get in, and out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    pub(super) asked: u64,
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
pub(super) struct Ledger {
    books: Part,
    open: bool,
    /// The wait that the end cut short.
    cut: Option<Spell>,
}

impl Ledger {
    /// The ledger of a thread that has done nothing.
    pub(super) fn new((role, number): (Role, usize)) -> Self {
        Self { books: Part::new(role, number), open: false, cut: None }
    }

    /// Whether the thread has begun to count.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the books: the turns from here on count.
    pub(super) fn open(&mut self) {
        self.open = true;
    }

    /// Enters a turn that ended before the measured phase was over.
    #[inline]
    pub(super) fn enter(&mut self, done: Done) {
        let Self { books, open, .. } = self;
        if *open {
            books.tries += u64::from(done.tries);
            match done.passage {
                None => books.gave_up += u64::from(done.tries > 0),
                Some(Passage { lock, unlock, .. }) => {
                    books.passed += 1;
                    books.lock.add(lock);
                    books.unlock.add(unlock);
                }
            }
        }
    }

    /// Enters a turn that ended after the measured phase. Only its wait counts, with the length
    /// that it had reached: a thread that starved all along has to show.
    pub(super) fn cut(&mut self, span: Span, done: Done) {
        let reached = |Passage { asked, lock: Spell { wall, cpu }, .. }| {
            let wall = span.reached(asked, asked + wall)?;
            Some(Spell { wall, cpu: wall.min(cpu) })
        };
        self.cut = done.passage.and_then(reached);
    }

    /// Closes the books, and returns them.
    pub(super) fn close(self, masked: Option<Masked>) -> Part {
        let mut books = self.books;
        if let Some(wait) = self.cut {
            books.lock.add(wait);
        }
        Part { masked, ..books }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(ticks: u64) -> Done {
        let spell = Spell { wall: ticks, cpu: ticks };
        Done { tries: 1, passage: Some(Passage { asked: 0, lock: spell, unlock: spell }) }
    }

    #[test]
    fn ledger_counts_what_ended_in_time_and_keeps_the_wait_that_was_cut() {
        let mut ledger = Ledger::new((Role::Writer, 0));
        ledger.enter(passage(1));
        ledger.open();
        ledger.enter(passage(10));
        ledger.enter(Done { tries: 100, passage: None });
        ledger.cut(Span { begin: 0, end: 500 }, passage(1000));
        let part = ledger.close(None);
        assert_eq!((part.tries, part.passed, part.gave_up), (101, 1, 1));
        assert_eq!((part.lock.count(), part.unlock.count()), (2, 1));
        let longest = part.lock.figures().expect("waits").max;
        assert!((500..=505).contains(&longest), "{longest}: up to the end, and no further");
    }
}
