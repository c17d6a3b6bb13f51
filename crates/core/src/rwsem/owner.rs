//! The owner word: a hint for spinners about who holds the lock.
//!
//! | bits | content |
//! | --- | --- |
//! | 0–29 | record id of the owner, 0 = unknown |
//! | 30 `READER_OWNED` | the id is that of a reader, perhaps of one that has left; where reads by slot are possible there is none, but how often counted readers have asked for a bias since a writer signed |
//! | 31 with 30, `NONSPINNABLE` | readers have held the lock for too long to be spun on |
//! | 31 without 30, `PASSED` | the owner got in past waiters, and no read bias was on |
//!
//! `READER_OWNED` alone says that the lock's read bias is on: then readers need not look at
//! the count before they note the lock in a slot, which would cost counted ones a third of a read. The
//! next writer's name takes it away. `PASSED` tells the owner's own unlock that the count will not be
//! plain `WRITER`: while others sleep, one thread takes and releases the lock thousands of times, and an
//! atomic step that is sure to fail would cost it a fifth of a pair each time.
//!
//! The flags are on top, so that a writer finds with one comparison that its name stands already.
//!
//! Never more than a hint: the word names the last writer even when the lock is free or readers have
//! it, and the one before between the step that took the lock and the store that signs. Only a
//! holder writes it, and a spinner, whose own call is still going on, adds `NONSPINNABLE`. So no
//! access follows a releasing step (rule U). All accesses are Relaxed: nothing but an id is
//! published through a hint, and `Platform::record` finds the record of any id.

use crate::sync::{AtomicU32, Ordering, const_fn};
use crate::wait::RecordId;

const READER_OWNED: u32 = 1 << 30;
/// With `READER_OWNED`: how often counted readers have asked for a bias.
const ASKED: u32 = READER_OWNED - 1;
const NONSPINNABLE: u32 = 1 << 31;
const PASSED: u32 = NONSPINNABLE;

#[derive(Debug)]
pub(super) struct Owner(AtomicU32);

/// What a spinner can learn from the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hint(u32);

impl Owner {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self(AtomicU32::new(0))
        }
    }

    /// A writer that has just got in signs; `passed`: past waiters.
    #[inline]
    pub(super) fn sign_writer(&self, me: RecordId, passed: bool) {
        let mark = if passed { PASSED } else { 0 };
        self.0.store(me.get() | mark, Ordering::Relaxed);
    }

    /// A reader that has just got in signs.
    #[inline]
    pub(super) fn sign_reader(&self, me: RecordId) {
        self.0.store(me.get() | READER_OWNED, Ordering::Relaxed);
    }

    /// A counted reader inside asks whether a bias would pay; returns how often that was asked since a
    /// writer signed. Of two that ask at once one may go uncounted.
    pub(super) fn count_asking(&self) -> u32 {
        let hint = self.hint();
        let asked = (hint.0 & ASKED).min(ASKED - 1) + 1;
        let (mark, asked) = if hint.is_reader() { (hint.0 & NONSPINNABLE, asked) } else { (0, 1) };
        self.0.store(READER_OWNED | mark | asked, Ordering::Relaxed);
        asked
    }

    /// A reader inside has switched the bias on, or found it so.
    pub(super) fn show_bias(&self) {
        self.0.store(READER_OWNED, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn hint(&self) -> Hint {
        Hint(self.0.load(Ordering::Relaxed))
    }

    /// A spinner has seen enough of the readers that hold the lock. The mark lasts until the next
    /// owner signs. A writer's name goes: with `READER_OWNED` it would be a number of askings.
    pub(super) fn forbid_spinning(&self) {
        let seen = self.hint();
        let reader = if seen.is_reader() { seen.0 } else { READER_OWNED };
        // Lost to a new owner: then there is nothing to mark.
        let _ = self.0.compare_exchange(
            seen.0,
            reader | NONSPINNABLE,
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
    }
}

impl Hint {
    /// Whether the writer with this number has signed; 0, a thread without a record, and nobody are
    /// one.
    #[inline]
    pub(super) const fn is_writer(self, number: u32) -> bool {
        self.0 == number
    }

    /// The same for one that passed waiters.
    #[inline]
    pub(super) const fn is_passing_writer(self, number: u32) -> bool {
        self.0 == number | PASSED
    }

    /// The writer that owns the lock, if it took it past waiters.
    pub(super) const fn passing_writer(self) -> Option<RecordId> {
        if self.passed() { RecordId::new(self.0 & !PASSED) } else { None }
    }

    /// The writer that owns the lock took it past waiters.
    #[inline]
    pub(super) const fn passed(self) -> bool {
        self.0 & (PASSED | READER_OWNED) == PASSED
    }

    /// The writer that owns the lock, if it has signed.
    pub(super) const fn writer(self) -> Option<RecordId> {
        if self.0 & READER_OWNED == 0 { RecordId::new(self.0 & !PASSED) } else { None }
    }

    const fn is_reader(self) -> bool {
        self.0 & READER_OWNED != 0
    }

    /// Whether the lock's read bias is on, or was until just now.
    #[inline]
    pub(super) const fn shows_bias(self) -> bool {
        self.0 == READER_OWNED
    }

    /// Whether spinning on the readers was forbidden.
    pub(super) const fn forbids_spinning(self) -> bool {
        self.0 & (NONSPINNABLE | READER_OWNED) == NONSPINNABLE | READER_OWNED
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    #[test]
    fn owner_forbidden_to_spin_on_is_nobody_who_asked() {
        let me = RecordId::new(1_000).expect("an id");
        for passed in [false, true] {
            let owner = Owner::new();
            owner.sign_writer(me, passed);
            owner.forbid_spinning();
            assert!(owner.hint().forbids_spinning());
            assert_eq!((owner.count_asking(), owner.count_asking()), (1, 2));
            assert!(owner.hint().forbids_spinning(), "askings keep the mark");
            owner.forbid_spinning();
            assert_eq!(owner.count_asking(), 3, "and the mark keeps them");
        }
    }
}
