//! The owner word: who wrote last, a hint for spinners; and the lock's bias, that is, whether readers may be
//! inside by a slot, and how they note the lock there.
//!
//! | bits | content |
//! | --- | --- |
//! | 0–23 | record id of the owner, 0 = unknown |
//! | 28 `SYMMETRIC`, with 30 | the bias is on: readers note the lock by a swap, and writers only look |
//! | 29 `ASYMMETRIC`, with 30 | the bias is on: readers note it by a store, and writers make a heavy fence |
//! | 30 `READER_OWNED` | there is no id: bits 0 to 23 say, plus one, for how many reads counted readers have asked for a bias since a writer signed; or, beside `SYMMETRIC`, how many reads are left over to pay for writes |
//! | 31 with 30, `NONSPINNABLE` | readers have held the lock for too long to be spun on |
//! | 31 without 30, `PASSED` | others waited when the owner signed |
//!
//! A bias comes by a compare-and-swap of a reader that has a share. It goes when the next writer has looked
//! through the slots and leaves its name; or that writer leaves the symmetric form on.
//!
//! `PASSED` tells the owner's own unlock that the count will not be plain `WRITER`: while others sleep, one
//! thread takes and releases the lock thousands of times, and an atomic step that is sure to fail would cost
//! it a fifth of a pair each time.
//!
//! Apart from the bias the word is a hint. It names the last writer even when the lock is free or readers
//! have it, and the writer before while one is inside that has not signed yet. Only a holder writes it, and
//! a spinner, whose own call is still going on, adds `NONSPINNABLE` to a word without a bias. So no access
//! follows a releasing step (rule U).
//!
//! Accesses are Relaxed, but for the steps that show a bias and a slot reader's second look. Nothing else is
//! published through the word: `Platform::record` finds the record of any id; and a writer sees each bias that
//! it has to see, since the reader that switched it on had a share until after that.

use crate::record::RecordId;
#[cfg(siftlock_model)]
use crate::sync::Cell;
use crate::sync::{AtomicU32, Ordering, const_fn, mutated, ordered};

/// A name, or a number of reads.
const ASKED: u32 = RecordId::MAX;
const SYMMETRIC: u32 = 1 << 28 | READER_OWNED;
const ASYMMETRIC: u32 = 1 << 29 | READER_OWNED;
const BIASED: u32 = (SYMMETRIC | ASYMMETRIC) & !READER_OWNED;
const READER_OWNED: u32 = 1 << 30;
const NONSPINNABLE: u32 = 1 << 31;
const PASSED: u32 = NONSPINNABLE;

#[derive(Debug)]
pub(in crate::rwsem) struct Owner(
    AtomicU32,
    /// Written with each name: a model reports two that no step of the count has ordered.
    #[cfg(siftlock_model)]
    Cell<()>,
);

/// What the word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rwsem) struct Hint(u32);

/// How readers by slot note the lock, and so what a writer has to do to see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rwsem) enum Form {
    /// By a store: the writer makes a heavy fence.
    Asymmetric,
    /// By a swap: the writer only looks. So many reads pay for it.
    Symmetric(u32),
}

impl Owner {
    const_fn! {
        pub(in crate::rwsem) const fn new() -> Self {
            Self(
                AtomicU32::new(0),
                #[cfg(siftlock_model)]
                Cell::new(()),
            )
        }
    }

    /// A writer that has just got in signs; `passed`: past waiters.
    #[inline]
    pub(in crate::rwsem) fn sign(&self, me: RecordId, passed: bool) {
        let mark = if passed { PASSED } else { 0 };
        self.write(me.get() | mark, Ordering::Relaxed);
    }

    /// A writer that has looked through the slots leaves the bias on.
    pub(in crate::rwsem) fn stay(&self, reads: u32) {
        // Release: pairs with the acquire in `second_look`, as in `switch_on`.
        self.write(Form::Symmetric(reads).word(), Ordering::Release);
    }

    /// By a writer that is inside.
    #[inline]
    fn write(&self, word: u32, order: Ordering) {
        #[cfg(siftlock_model)]
        // SAFETY: WRITER is its own.
        unsafe {
            self.1.set(());
        }
        self.0.store(word, order);
        Hint(word).tell();
    }

    /// A counted reader inside asks whether a bias would pay, and stands for so many reads: how many there were
    /// since a writer signed, or, where the bias is symmetric, how many are left over. Of two that ask at once one
    /// may go uncounted, and then has no answer.
    pub(in crate::rwsem) fn count_asking(&self, reads: u32) -> Option<u32> {
        let hint = self.hint();
        if mutated!(BiasTakenAway) && hint.is_on() {
            self.change(hint, READER_OWNED | 1);
            return None;
        }
        if hint.is_asymmetric() {
            // There is nothing to ask for.
            return None;
        }
        // The first since a writer signed tells nothing: that may have been just before.
        let (kept, asked) = match hint.is_reader() {
            true if hint.is_symmetric() || hint.asked() != 0 => {
                (hint.0 & !ASKED, hint.asked().saturating_add(reads).min(ASKED))
            }
            true => (hint.0, 1),
            false => (READER_OWNED, 1),
        };
        let before = if hint.is_symmetric() { 0 } else { 1 };
        self.change(hint, kept | asked).then_some(asked - before)
    }

    /// One step of somebody who is inside as a reader, or whose call still goes on. A bias is not theirs to
    /// take away: somebody may be in a slot.
    fn change(&self, from: Hint, to: u32) -> bool {
        let takes_bias = from.is_on() && !Hint(to).is_on();
        (!takes_bias || mutated!(BiasTakenAway)) && self.swap(from, to, Ordering::Relaxed)
    }

    fn swap(&self, from: Hint, to: u32, order: Ordering) -> bool {
        let swapped = self.0.compare_exchange(from.0, to, order, Ordering::Relaxed).is_ok();
        if swapped {
            Hint(to).tell();
        }
        swapped
    }

    /// Readers have the lock's bias from now on, in this form. By one that is inside by a share, so that no
    /// writer changes the word meanwhile. From asymmetric to symmetric it does not go that way: a reader that
    /// is inside may have its store to a slot under way still, and no writer would make a fence for it.
    pub(in crate::rwsem) fn switch_on(&self, form: Form) -> bool {
        let hint = self.hint();
        let goes_on = match form {
            Form::Asymmetric => !hint.is_asymmetric(),
            Form::Symmetric(_) => !hint.is_on() || mutated!(SymmetricAgainByReader),
        };
        if mutated!(SwitchedOnByStore) && goes_on {
            self.0.store(form.word(), Ordering::Release);
            Hint(form.word()).tell();
            return true;
        }
        // Release: pairs with the acquire in `second_look`.
        goes_on && self.swap(hint, form.word(), ordered!(Release, unless BiasShownRelaxed))
    }

    /// The word after a slot reader's look at the count; `first` is what it was before that.
    #[inline]
    pub(in crate::rwsem) fn second_look(&self, first: Hint) -> Hint {
        if mutated!(BiasNotLookedAtAgain) {
            return first;
        }
        // Acquire: pairs with the release in `switch_on` and `stay`. The slot reader may have seen an old count,
        // which a writer has changed since; what that has written comes before the switch.
        Hint(self.0.load(Ordering::Acquire))
    }

    #[inline]
    pub(in crate::rwsem) fn hint(&self) -> Hint {
        Hint(self.0.load(Ordering::Relaxed))
    }

    /// A spinner has seen enough of the readers that hold the lock. The mark lasts until the next
    /// owner signs. A mere writer's name goes: with `READER_OWNED` it would be a number of askings.
    pub(in crate::rwsem) fn forbid_spinning(&self) {
        let seen = self.hint();
        let reader = if seen.is_reader() { seen.0 } else { READER_OWNED };
        // A bias stays, without the mark; nor has a lock that a new owner has.
        self.change(seen, reader & !BIASED | NONSPINNABLE);
    }
}

impl Form {
    const fn word(self) -> u32 {
        match self {
            Self::Asymmetric => ASYMMETRIC,
            Self::Symmetric(reads) if reads < ASKED => SYMMETRIC | reads,
            Self::Symmetric(_) => SYMMETRIC | ASKED,
        }
    }
}

impl Hint {
    /// Tells a model what the word is from now on.
    #[inline]
    fn tell(self) {
        #[cfg(siftlock_model)]
        crate::sync::watch::biased(self.is_on());
    }

    /// Whether the writer with this number has signed; 0, a thread without a record, and nobody are
    /// one.
    #[inline]
    pub(in crate::rwsem) const fn is_writer(self, number: u32) -> bool {
        self.0 == number
    }

    /// The same for one that passed waiters.
    #[inline]
    pub(in crate::rwsem) const fn is_passing_writer(self, number: u32) -> bool {
        self.0 == number | PASSED
    }

    /// Whether readers may be inside by slots that they note by a store.
    #[inline]
    pub(in crate::rwsem) const fn is_asymmetric(self) -> bool {
        self.0 == ASYMMETRIC
    }

    /// Whether readers may be inside by slots that they note by a swap.
    #[inline]
    pub(in crate::rwsem) const fn is_symmetric(self) -> bool {
        self.0 & SYMMETRIC == SYMMETRIC
    }

    /// Whether anybody may be inside by a slot.
    #[inline]
    pub(in crate::rwsem) const fn is_on(self) -> bool {
        self.0 & BIASED != 0
    }

    /// The number of reads that the word tells of, where it names nobody.
    pub(in crate::rwsem) const fn asked(self) -> u32 {
        self.0 & ASKED
    }

    /// The writer that owns the lock took it past waiters.
    #[inline]
    pub(in crate::rwsem) const fn passed(self) -> bool {
        self.0 & (PASSED | READER_OWNED) == PASSED
    }

    /// The writer that owns the lock, if it has signed.
    pub(in crate::rwsem) const fn writer(self) -> Option<RecordId> {
        if self.is_reader() { None } else { RecordId::new(self.0 & !PASSED) }
    }

    const fn is_reader(self) -> bool {
        self.0 & READER_OWNED != 0
    }

    /// Whether spinning on the readers was forbidden.
    pub(in crate::rwsem) const fn forbids_spinning(self) -> bool {
        self.0 & (NONSPINNABLE | READER_OWNED) == NONSPINNABLE | READER_OWNED
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    const FORMS: [Form; 2] = [Form::Asymmetric, Form::Symmetric(5)];

    fn ids() -> [RecordId; 2] {
        [1_000, 7].map(|id| RecordId::new(id).expect("an id"))
    }

    #[test]
    fn owner_that_signs_is_named_as_it_came() {
        let [me, other] = ids();
        for passed in [false, true] {
            let owner = Owner::new();
            owner.sign(me, passed);
            let hint = owner.hint();
            assert_eq!((hint.writer(), hint.passed(), hint.is_on()), (Some(me), passed, false));
            assert_eq!(
                (hint.is_writer(me.get()), hint.is_passing_writer(me.get())),
                (!passed, passed)
            );
            assert!(!hint.is_writer(other.get()) && !hint.is_passing_writer(other.get()));
        }
    }

    #[test]
    fn owner_shows_a_bias_until_a_writer_signs() {
        let [me, _] = ids();
        for form in FORMS {
            let owner = Owner::new();
            owner.sign(me, false);
            assert!(owner.switch_on(form) && !owner.switch_on(form));
            let hint = owner.hint();
            assert!(hint.is_on() && hint.writer().is_none() && !hint.passed());
            assert_eq!(hint.is_asymmetric(), form == Form::Asymmetric);
            assert_eq!(hint.is_symmetric(), form != Form::Asymmetric);
            owner.forbid_spinning();
            assert_eq!(owner.hint(), hint, "nobody but a writer takes it away");
            assert!(!hint.forbids_spinning());
            owner.sign(me, false);
            assert!(!owner.hint().is_on());
        }
    }

    #[test]
    fn owner_bias_goes_from_form_to_form() {
        let owner = Owner::new();
        assert!(owner.switch_on(Form::Symmetric(u32::MAX)));
        assert_eq!(owner.hint().asked(), ASKED, "as often as can be");
        assert!(owner.switch_on(Form::Asymmetric) && !owner.switch_on(Form::Symmetric(1)));
        assert_eq!(owner.hint(), Hint(ASYMMETRIC));
        owner.stay(3);
        assert!(owner.hint().is_symmetric() && !owner.hint().is_asymmetric());
        assert_eq!(owner.hint().asked(), 3);
    }

    #[test]
    fn owner_is_asked_again_and_again() {
        let [me, _] = ids();
        let owner = Owner::new();
        for _ in 0..2 {
            owner.sign(me, true);
            let asked = [(); 4].map(|()| owner.count_asking(8));
            assert_eq!(asked, [0, 8, 16, 24].map(Some), "the first tells nothing");
        }
        assert!(owner.switch_on(Form::Symmetric(3)));
        assert_eq!([(); 2].map(|()| owner.count_asking(8)), [Some(11), Some(19)]);
        assert!(owner.hint().is_symmetric(), "asking takes no bias away");
        owner.stay(ASKED - 1);
        assert_eq!(owner.count_asking(8), Some(ASKED), "no more are counted");
        assert!(owner.switch_on(Form::Asymmetric));
        assert_eq!(owner.count_asking(8), None);
        assert_eq!(owner.hint(), Hint(ASYMMETRIC));
    }

    #[test]
    fn owner_is_looked_at_twice() {
        let [me, _] = ids();
        let owner = Owner::new();
        let free = owner.hint();
        assert!(owner.switch_on(Form::Asymmetric));
        assert!(owner.second_look(free).is_asymmetric());
        let biased = owner.hint();
        owner.sign(me, false);
        assert_eq!(owner.second_look(biased).writer(), Some(me));
    }

    #[test]
    fn owner_forbidden_to_spin_on_is_nobody_who_asked() {
        let [me, _] = ids();
        for passed in [false, true] {
            let owner = Owner::new();
            owner.sign(me, passed);
            owner.forbid_spinning();
            assert!(owner.hint().forbids_spinning() && owner.hint().writer().is_none());
            let ask = || owner.count_asking(8);
            assert_eq!((ask(), ask()), (Some(0), Some(8)));
            assert!(owner.hint().forbids_spinning(), "askings keep the mark");
            owner.forbid_spinning();
            assert_eq!(ask(), Some(16), "and the mark keeps them");
        }
    }
}
