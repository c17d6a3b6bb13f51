//! The owner word: who wrote last, a hint for spinners; and the lock's bias, that is, who may be inside by
//! a slot: nobody, one thread, or all.
//!
//! | bits | content |
//! | --- | --- |
//! | 0–23 | record id of the owner, 0 = unknown |
//! | 24–28 | how often that thread, and no other, has asked for a bias since it signed; with `BIASED`, how often somebody has since another did: if at all, the thread gives up its bias when it writes next |
//! | 29 `BIASED` | the thread may be inside by a slot |
//! | 30 `READER_OWNED` | there is no id: bits 0 to 29 say how often counted readers have asked for a bias since a writer signed |
//! | 30 alone, `ALL` | the bias is to all readers |
//! | 31 with 30, `NONSPINNABLE` | readers have held the lock for too long to be spun on |
//! | 31 without 30, `PASSED` | others waited when the owner signed |
//!
//! `ALL` comes by a compare-and-swap of a reader that has a share. It goes when the next writer has looked
//! through the slots and leaves its name.
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
//! Accesses are Relaxed, but for the step to `ALL` and a slot reader's second look. Nothing else is published
//! through the word: `Platform::record` finds the record of any id; and a writer sees each bias that it has
//! to see, since the reader that switched it on had a share until after that.

#[cfg(siftlock_model)]
use crate::sync::Cell;
use crate::sync::{AtomicU32, Ordering, const_fn, mutated, ordered};
use crate::wait::RecordId;

const ID: u32 = RecordId::MAX;
/// How often the bias was asked for, beside a name.
const ASKED_ONCE: u32 = ID + 1;
const ASKED: u32 = BIASED - ASKED_ONCE;
/// More are not counted beside a name.
pub(in crate::rwsem) const MOST_ASKED: u32 = ASKED / ASKED_ONCE;
const BIASED: u32 = 1 << 29;
const READER_OWNED: u32 = 1 << 30;
const ALL: u32 = READER_OWNED;
/// The same without a name, with `READER_OWNED`.
const ASKED_BY_ALL: u32 = READER_OWNED - 1;
const NONSPINNABLE: u32 = 1 << 31;
const PASSED: u32 = NONSPINNABLE;

#[derive(Debug)]
pub(in crate::rwsem) struct Owner(
    AtomicU32,
    /// Written with each name: a model reports two that no step of the count has ordered.
    #[cfg(siftlock_model)]
    Cell<()>,
);

/// What a spinner can learn from the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rwsem) struct Hint(u32);

/// How often a bias was asked for so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rwsem) enum Asked {
    /// By the last writer alone, since another wrote.
    ByOwner(u32),
    /// By anybody, since the last write.
    ByAll(u32),
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
    pub(in crate::rwsem) fn sign_writer(&self, me: RecordId, passed: bool) {
        let mark = if passed { PASSED } else { 0 };
        self.name(me.get() | mark);
    }

    /// The one that the lock is biased to has written: the name stays, with a mark if it came past waiters,
    /// and without the bias if others have asked for one.
    pub(in crate::rwsem) fn sign_owner(&self, me: RecordId, passed: bool) {
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
        Hint(word).tell();
    }

    /// A counted reader inside, the thread with this number, asks whether a bias would pay. Of two that
    /// ask at once one may go uncounted, and then has no answer.
    pub(in crate::rwsem) fn count_asking(&self, me: RecordId) -> Option<Asked> {
        let hint = self.hint();
        let most = hint.0 & ASKED == ASKED;
        let more = if most { hint.0 } else { hint.0.wrapping_add(ASKED_ONCE) };
        let mine = hint.0 & ID == me.get();
        if mutated!(BiasTakenAway) && !mine {
            self.change(hint, READER_OWNED | 1);
            return None;
        }
        if hint.is_biased_to_all() {
            // A counted reader of a lock that has a bias has nothing to ask for.
            return None;
        }
        let (to, asked) = if hint.is_reader() {
            let asked = (hint.0 & ASKED_BY_ALL).min(ASKED_BY_ALL - 1) + 1;
            (hint.0 & !ASKED_BY_ALL | asked, Asked::ByAll(asked))
        } else if hint.is_biased_alone() && mine {
            // As above.
            return None;
        } else if hint.is_biased_to_one() {
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
    pub(in crate::rwsem) fn bias_to_writer(&self, me: RecordId) -> bool {
        let hint = self.hint();
        let mine = hint.0 & (READER_OWNED | BIASED | ID) == me.get();
        if mine && mutated!(SwitchedOnByStore) {
            self.0.store(me.get() | BIASED, Ordering::Relaxed);
            Hint(me.get() | BIASED).tell();
            return true;
        }
        mine && self.change(hint, me.get() | BIASED)
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

    /// All readers have the lock's bias from now on. By one that is inside by a share, so that no writer
    /// changes the word meanwhile.
    pub(in crate::rwsem) fn bias_to_all(&self) -> bool {
        let hint = self.hint();
        // Release: pairs with the acquire in `second_look`.
        let order = ordered!(Release, unless BiasShownRelaxed);
        !hint.is_biased_to_all() && self.swap(hint, ALL, order)
    }

    /// The word after a slot reader's look at the count; `first` is what it was before that.
    #[inline]
    pub(in crate::rwsem) fn second_look(&self, first: Hint) -> Hint {
        match first.is_biased_to_all() {
            true if mutated!(BiasNotLookedAtAgain) => return first,
            false if mutated!(OwnerNotLookedAtAgain) => return first,
            _ => {}
        }
        // Acquire: pairs with the release in `bias_to_all`. The slot reader may have seen an old count, which
        // a writer has changed since; what that has written comes before the switch.
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
        // A bias stays, and then the lock has no mark; nor has one that a new owner has.
        self.change(seen, reader | NONSPINNABLE);
    }
}

impl Hint {
    /// The bias to all readers.
    pub(in crate::rwsem) const ALL: Self = Self(ALL);

    /// Tells a model what the word is from now on.
    #[inline]
    fn tell(self) {
        #[cfg(siftlock_model)]
        {
            use crate::sync::watch::{Bias, biased};
            biased(match self.biased_to() {
                Some(id) => Bias::To(id.get()),
                None if self.is_biased_to_all() => Bias::All,
                None => Bias::Nobody,
            });
        }
    }

    /// Whether the writer with this number has signed; 0, a thread without a record, and nobody are
    /// one.
    #[inline]
    pub(in crate::rwsem) const fn is_writer(self, number: u32) -> bool {
        self.0 & !ASKED == number
    }

    /// The same for one that passed waiters.
    #[inline]
    pub(in crate::rwsem) const fn is_passing_writer(self, number: u32) -> bool {
        let as_owner = self.0 == number | BIASED | PASSED;
        as_owner || self.0 & !ASKED == number | PASSED
    }

    /// The writer that owns the lock, if it took it past waiters.
    pub(in crate::rwsem) const fn passing_writer(self) -> Option<RecordId> {
        if self.passed() { RecordId::new(self.0 & ID) } else { None }
    }

    /// Whether the lock's bias is to the thread with this number, and used.
    #[inline]
    pub(in crate::rwsem) const fn is_biased_to(self, number: u32) -> bool {
        self.0 & !PASSED == number | BIASED
    }

    /// The same, and it has not come past waiters.
    #[inline]
    pub(in crate::rwsem) const fn is_biased_and_signed(self, number: u32) -> bool {
        self.0 == number | BIASED
    }

    /// Whether the lock's bias is or was to the thread with this number, whoever has asked since.
    #[inline]
    pub(in crate::rwsem) const fn was_biased_to(self, number: u32) -> bool {
        self.0 & (BIASED | READER_OWNED | ID) == number | BIASED
    }

    /// Whether the lock's bias is to one thread, and nobody else has asked.
    #[inline]
    pub(in crate::rwsem) const fn is_biased_alone(self) -> bool {
        self.0 & (BIASED | READER_OWNED | ASKED) == BIASED
    }

    /// The thread that the lock's bias is to, if to one.
    pub(in crate::rwsem) const fn biased_to(self) -> Option<RecordId> {
        if self.is_biased_to_one() { RecordId::new(self.0 & ID) } else { None }
    }

    const fn is_biased_to_one(self) -> bool {
        self.0 & (BIASED | READER_OWNED) == BIASED
    }

    /// Whether the lock's bias is to all readers.
    #[inline]
    pub(in crate::rwsem) const fn is_biased_to_all(self) -> bool {
        self.0 == ALL
    }

    /// Whether anybody may be inside by a slot.
    #[inline]
    pub(in crate::rwsem) const fn is_on(self) -> bool {
        self.is_biased_to_all() || self.is_biased_to_one()
    }

    /// Whether the thread with this number may be inside by a slot.
    #[inline]
    pub(in crate::rwsem) const fn admitted(self, number: u32) -> bool {
        self.is_biased_to_all() || self.was_biased_to(number)
    }

    /// The writer that owns the lock took it past waiters.
    #[inline]
    pub(in crate::rwsem) const fn passed(self) -> bool {
        self.0 & (PASSED | READER_OWNED) == PASSED
    }

    /// The writer that owns the lock, if it has signed.
    pub(in crate::rwsem) const fn writer(self) -> Option<RecordId> {
        if self.0 & READER_OWNED == 0 { RecordId::new(self.0 & ID) } else { None }
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

    #[test]
    fn owner_that_signs_is_named_as_it_came() {
        let [me, other] = [1_000, 7].map(|id| RecordId::new(id).expect("an id"));
        for passed in [false, true] {
            let owner = Owner::new();
            owner.sign_writer(me, passed);
            let hint = owner.hint();
            assert_eq!((hint.writer(), hint.passed(), hint.is_on()), (Some(me), passed, false));
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
            assert_eq!((hint.writer(), hint.is_on()), (Some(me), false), "others have asked");
        }
    }

    #[test]
    fn owner_shows_a_bias_for_all_until_a_writer_signs() {
        let owner = Owner::new();
        let me = RecordId::new(3).expect("an id");
        assert!(!owner.hint().is_on());
        assert!(owner.bias_to_all() && !owner.bias_to_all());
        assert!(owner.hint().is_biased_to_all() && owner.hint().writer().is_none());
        owner.forbid_spinning();
        assert_eq!(owner.count_asking(me), None);
        assert!(!owner.bias_to_writer(me));
        assert!(owner.hint().is_biased_to_all(), "nobody but a writer takes it away");
        owner.sign_writer(me, false);
        assert!(!owner.hint().is_on());
    }

    /// What each word says of the thread with number 7, and that it says the same of no other.
    #[test]
    fn owner_words_say_what_the_table_says() {
        let [asking, biased, reader, top] = [24, 29, 30, 31].map(|bit| 1_u32 << bit);
        type Says = fn(Hint, u32) -> bool;
        let questions: [(&str, Says); 8] = [
            ("wrote", Hint::is_writer),
            ("passed", Hint::is_passing_writer),
            ("biased", Hint::is_biased_to),
            ("signed", Hint::is_biased_and_signed),
            ("was biased", Hint::was_biased_to),
            ("alone", |hint, _| hint.is_biased_alone()),
            ("admitted", Hint::admitted),
            ("forbids", |hint, _| hint.forbids_spinning()),
        ];
        let table: [(u32, &[&str]); 12] = [
            (0, &[]),
            (7, &["wrote"]),
            (7 | asking, &["wrote"]),
            (7 | top, &["passed"]),
            (7 | top | asking, &["passed"]),
            (7 | biased, &["biased", "signed", "was biased", "alone", "admitted"]),
            (7 | biased | top, &["passed", "biased", "was biased", "alone", "admitted"]),
            (7 | biased | asking, &["was biased", "admitted"]),
            (reader, &["admitted"]),
            (reader | 7, &[]),
            (reader | top, &["forbids"]),
            (reader | top | biased | 7, &["forbids"]),
        ];
        for (word, says) in table {
            for (question, says_so) in questions {
                let hint = Hint(word);
                assert_eq!(says_so(hint, 7), says.contains(&question), "{word:#x}: {question}");
                let of_the_lock = ["alone", "forbids"].contains(&question) || word == reader;
                assert!(of_the_lock || !says_so(hint, 8), "{word:#x}: {question}, of another");
            }
        }
    }

    #[test]
    fn owner_alone_asks_for_itself_until_another_does() {
        let [me, other] = [1_000, 7].map(|id| RecordId::new(id).expect("an id"));
        let owner = Owner::new();
        assert_eq!(owner.count_asking(me), Some(Asked::ByAll(1)), "nobody has written");
        owner.sign_writer(me, false);
        for asked in (1..=31).chain([31, 31]) {
            assert_eq!(owner.count_asking(me), Some(Asked::ByOwner(asked)));
            assert_eq!(owner.hint().writer(), Some(me));
        }
        assert_eq!(owner.count_asking(other), Some(Asked::ByAll(1)));
        assert_eq!(owner.count_asking(me), Some(Asked::ByAll(2)));
        assert!(!owner.bias_to_writer(me), "others have asked");
        owner.sign_writer(me, false);
        assert!(!owner.bias_to_writer(other) && owner.bias_to_writer(me));
        assert_eq!((owner.hint().biased_to(), owner.count_asking(me)), (Some(me), None));
        // Another asks, and then both do, of whom nobody knows how often.
        for asked in (1..=31).chain([u32::MAX]) {
            assert_eq!(owner.count_asking(other), Some(Asked::ByAll(asked)));
        }
        assert!(owner.hint().was_biased_to(me.get()));
    }

    #[test]
    fn owner_is_looked_at_twice() {
        let owner = Owner::new();
        let me = RecordId::new(7).expect("an id");
        let free = owner.hint();
        assert!(owner.bias_to_all());
        assert!(owner.second_look(free).is_biased_to_all());
        let all = owner.hint();
        owner.sign_writer(me, false);
        assert_eq!(owner.second_look(all).writer(), Some(me));
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
