//! The owner word: who wrote last, a hint for spinners; and the one thread that the lock is biased to.
//!
//! | bits | content |
//! | --- | --- |
//! | 0–23 | record id of the owner, 0 = unknown |
//! | 24–28 | how often that thread, and no other, has asked for a bias since it signed; with `BIASED`, how often somebody has since another did: if at all, the thread gives up its bias when it writes next |
//! | 29 `BIASED` | the thread may be inside by a slot |
//! | 30 `READER_OWNED` | the id is that of a reader, perhaps of one that has left; where reads by slot are possible there is none, but bits 0 to 29 say how often counted readers have asked for a bias since a writer signed |
//! | 31 with 30, `NONSPINNABLE` | readers have held the lock for too long to be spun on |
//! | 31 without 30, `PASSED` | the owner got in past waiters, and no read bias was on |
//!
//! `READER_OWNED` alone says that the lock's read bias is on: then readers need not look at
//! the count before they note the lock in a slot, which would cost counted ones a third of a read. The
//! next writer's name takes it away. `PASSED` tells the owner's own unlock that the count will not be
//! plain `WRITER`: while others sleep, one thread takes and releases the lock thousands of times, and an
//! atomic step that is sure to fail would cost it a fifth of a pair each time.
//!
//! Never more than a hint, but for `BIASED` (see `owner_bias`): the word names the last writer even
//! when the lock is free or readers have it, and the one before between the step that took the lock and
//! the store that signs. Only a holder writes it, and a spinner, whose own call is still going on, adds
//! `NONSPINNABLE`. So no access follows a releasing step (rule U). Accesses are Relaxed: nothing but
//! an id is published through the word, `Platform::record` finds the record of any id, and what a name
//! with `BIASED` means to a writer was stored by a reader that has left, in the count, before.

#[cfg(siftlock_model)]
use crate::sync::Cell;
use crate::sync::{AtomicU32, Ordering, const_fn, mutated, ordered};
use crate::wait::RecordId;

const ID: u32 = RecordId::MAX;
/// How often the bias was asked for, beside a name.
const ASKED_ONCE: u32 = ID + 1;
const ASKED: u32 = BIASED - ASKED_ONCE;
/// More are not counted beside a name.
pub(super) const MOST_ASKED: u32 = ASKED / ASKED_ONCE;
const BIASED: u32 = 1 << 29;
const READER_OWNED: u32 = 1 << 30;
/// The same without a name, with `READER_OWNED`.
const ASKED_BY_ALL: u32 = READER_OWNED - 1;
const NONSPINNABLE: u32 = 1 << 31;
const PASSED: u32 = NONSPINNABLE;

#[derive(Debug)]
pub(super) struct Owner(
    AtomicU32,
    /// Written with each name: a model reports two that no step of the count has ordered.
    #[cfg(siftlock_model)]
    Cell<()>,
);

/// What a spinner can learn from the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hint(u32);

/// How often a bias was asked for so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// By the last writer alone, since another wrote.
    ByOwner(u32),
    /// By anybody, since the last write.
    ByAll(u32),
}

impl Owner {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self(
                AtomicU32::new(0),
                #[cfg(siftlock_model)]
                Cell::new(()),
            )
        }
    }

    /// A writer that has just got in signs; `passed`: past waiters.
    #[inline]
    pub(super) fn sign_writer(&self, me: RecordId, passed: bool) {
        let mark = if passed { PASSED } else { 0 };
        self.name(me.get() | mark);
    }

    /// The one that the lock is biased to has written: the name stays, with a mark if it came past waiters,
    /// and without the bias if others have asked for one.
    pub(super) fn sign_owner(&self, me: RecordId, passed: bool) {
        let mark = if passed { PASSED } else { 0 };
        let bias = if self.hint().0 & ASKED == 0 { BIASED } else { 0 };
        self.name(me.get() | bias | mark);
    }

    /// By a writer that is inside.
    #[inline]
    fn name(&self, word: u32) {
        #[cfg(siftlock_model)]
        // SAFETY: WRITER is its own.
        unsafe {
            self.1.set(());
        }
        self.0.store(word, Ordering::Relaxed);
    }

    /// A reader that has just got in signs.
    #[inline]
    pub(super) fn sign_reader(&self, me: RecordId) {
        self.0.store(me.get() | READER_OWNED, Ordering::Relaxed);
    }

    /// A counted reader inside, the thread with this number, asks whether a bias would pay. Of two that
    /// ask at once one may go uncounted, and then has no answer.
    pub(super) fn count_asking(&self, me: RecordId) -> Option<Asked> {
        let hint = self.hint();
        let most = hint.0 & ASKED == ASKED;
        let more = if most { hint.0 } else { hint.0.wrapping_add(ASKED_ONCE) };
        let mine = hint.0 & ID == me.get();
        let (to, asked) = if hint.is_reader() {
            let asked = (hint.0 & ASKED_BY_ALL).min(ASKED_BY_ALL - 1) + 1;
            (hint.0 & !ASKED_BY_ALL | asked, Asked::ByAll(asked))
        } else if hint.is_biased_alone() && mine {
            // It has no slot left.
            return None;
        } else if hint.is_biased() && !mutated!(BiasedNameTakenAway) {
            let asked = if most { u32::MAX } else { (more & ASKED) / ASKED_ONCE };
            (more, Asked::ByAll(asked))
        } else if mine {
            (more, Asked::ByOwner((more & ASKED) / ASKED_ONCE))
        } else {
            (READER_OWNED | 1, Asked::ByAll(1))
        };
        self.change(hint, to).then_some(asked)
    }

    /// The last writer, inside as a counted reader, has the lock's bias from now on. The name stays until
    /// the next writer is in.
    pub(super) fn show_owner_bias(&self, me: RecordId) -> bool {
        let hint = self.hint();
        let mine = hint.0 & (READER_OWNED | BIASED | ID) == me.get();
        mine && self.change(hint, me.get() | BIASED)
    }

    /// One step of somebody who is inside as a reader, or whose call still goes on. A name with a bias is
    /// not theirs to take away: its thread may be in a slot.
    fn change(&self, from: Hint, to: u32) -> bool {
        let takes_name = from.is_biased() && !Hint(to).is_biased();
        (!takes_name || mutated!(BiasedNameTakenAway))
            && self.0.compare_exchange(from.0, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// A reader inside has switched the bias on, or found it so.
    pub(super) fn show_bias(&self) {
        // Release: pairs with the acquire in `hint_before_count`.
        self.0.store(READER_OWNED, ordered!(Release, unless BiasShownRelaxed));
    }

    /// The word as it was before what the caller sees of the count next.
    pub(super) fn hint_before_count(&self) -> Hint {
        // Acquire: pairs with the release in `show_bias`.
        Hint(self.0.load(Ordering::Acquire))
    }

    #[inline]
    pub(super) fn hint(&self) -> Hint {
        Hint(self.0.load(Ordering::Relaxed))
    }

    /// A spinner has seen enough of the readers that hold the lock. The mark lasts until the next
    /// owner signs. A mere writer's name goes: with `READER_OWNED` it would be a number of askings.
    pub(super) fn forbid_spinning(&self) {
        let seen = self.hint();
        let reader = if seen.is_reader() { seen.0 } else { READER_OWNED };
        // Lost to a new owner: then there is nothing to mark.
        self.change(seen, reader | NONSPINNABLE);
    }
}

impl Hint {
    /// Whether the writer with this number has signed; 0, a thread without a record, and nobody are
    /// one.
    #[inline]
    pub(super) const fn is_writer(self, number: u32) -> bool {
        self.0 & !ASKED == number
    }

    /// The same for one that passed waiters.
    #[inline]
    pub(super) const fn is_passing_writer(self, number: u32) -> bool {
        let as_owner = self.0 == number | BIASED | PASSED;
        as_owner || self.0 & !ASKED == number | PASSED
    }

    /// The writer that owns the lock, if it took it past waiters.
    pub(super) const fn passing_writer(self) -> Option<RecordId> {
        if self.passed() { RecordId::new(self.0 & ID) } else { None }
    }

    /// Whether the lock's bias is to the thread with this number, and used.
    #[inline]
    pub(super) const fn is_biased_to(self, number: u32) -> bool {
        self.0 & !PASSED == number | BIASED
    }

    /// The same, and it has not come past waiters.
    #[inline]
    pub(super) const fn is_biased_and_signed(self, number: u32) -> bool {
        self.0 == number | BIASED
    }

    /// Whether the lock's bias is or was to the thread with this number, whoever has asked since.
    #[inline]
    pub(super) const fn was_biased_to(self, number: u32) -> bool {
        self.0 & (BIASED | READER_OWNED | ID) == number | BIASED
    }

    /// Whether the lock's bias is to one thread, and nobody else has asked.
    #[inline]
    pub(super) const fn is_biased_alone(self) -> bool {
        self.0 & (BIASED | READER_OWNED | ASKED) == BIASED
    }

    /// The thread that the lock's bias is to, if to one.
    pub(super) const fn biased_to(self) -> Option<RecordId> {
        if self.is_biased() { RecordId::new(self.0 & ID) } else { None }
    }

    /// Whether the lock's bias is to one thread.
    pub(super) const fn is_biased(self) -> bool {
        self.0 & (BIASED | READER_OWNED) == BIASED
    }

    /// The writer that owns the lock took it past waiters.
    #[inline]
    pub(super) const fn passed(self) -> bool {
        self.0 & (PASSED | READER_OWNED) == PASSED
    }

    /// The writer that owns the lock, if it has signed.
    pub(super) const fn writer(self) -> Option<RecordId> {
        if self.0 & READER_OWNED == 0 { RecordId::new(self.0 & ID) } else { None }
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
    fn owner_that_signs_is_named_as_it_came() {
        let [me, other] = [1_000, 7].map(|id| RecordId::new(id).expect("an id"));
        for passed in [false, true] {
            let owner = Owner::new();
            owner.sign_writer(me, passed);
            let hint = owner.hint();
            assert_eq!((hint.writer(), hint.passed(), hint.is_biased()), (Some(me), passed, false));
            assert_eq!(hint.passing_writer(), passed.then_some(me));

            owner.sign_owner(me, passed);
            let hint = owner.hint();
            assert_eq!((hint.biased_to(), hint.passed()), (Some(me), passed));
            assert!(hint.is_biased_to(me.get()) && !hint.is_biased_to(other.get()));
            assert_eq!(owner.count_asking(other), Some(Asked::ByAll(1)));
            assert_eq!(owner.hint().biased_to(), Some(me), "its slots are looked at");
            let was = |id: RecordId| owner.hint().was_biased_to(id.get());
            assert!(was(me) && !was(other) && !owner.hint().is_biased_to(me.get()));
            owner.sign_owner(me, passed);
            let hint = owner.hint();
            assert_eq!((hint.writer(), hint.is_biased()), (Some(me), false), "others have asked");
        }
    }

    #[test]
    fn owner_shows_a_bias_for_all_until_a_writer_signs() {
        let owner = Owner::new();
        assert!(!owner.hint().shows_bias());
        owner.show_bias();
        assert!(owner.hint().shows_bias() && owner.hint().writer().is_none());
        owner.sign_writer(RecordId::new(3).expect("an id"), false);
        assert!(!owner.hint().shows_bias());
    }

    #[test]
    fn owner_forbidden_to_spin_on_is_nobody_who_asked() {
        let [me, other] = [1_000, 7].map(|id| RecordId::new(id).expect("an id"));
        for passed in [false, true] {
            let owner = Owner::new();
            owner.sign_writer(me, passed);
            owner.forbid_spinning();
            assert!(owner.hint().forbids_spinning());
            let ask = || owner.count_asking(other);
            assert_eq!((ask(), ask()), (Some(Asked::ByAll(1)), Some(Asked::ByAll(2))));
            assert!(owner.hint().forbids_spinning(), "askings keep the mark");
            owner.forbid_spinning();
            assert_eq!(ask(), Some(Asked::ByAll(3)), "and the mark keeps them");
        }
    }
}
