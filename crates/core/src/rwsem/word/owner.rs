//! The owner word: the last writer, as a hint for spinners; and the lock's bias, that is, whether
//! readers may be inside by slots, and how they note the lock there.
//!
//! | bits | content |
//! | --- | --- |
//! | 0–23 | record id of the owner, 0 = unknown |
//! | 28 `SYMMETRIC`, with 30 | the bias is on: readers note the lock by a swap, and writers only look |
//! | 29 `ASYMMETRIC`, with 30 | the bias is on: readers note it by a store, and writers make a heavy fence |
//! | 30 `READER_OWNED` | there is no id. Bits 0 to 23 are, plus one, the number of reads for which counted readers have asked for a bias since a writer signed; 0: none has asked. Beside `SYMMETRIC` they are the number of reads left over to pay for writes |
//! | 31 with 30, `NONSPINNABLE` | readers have held the lock for too long to be spun on |
//! | 31 without 30, `PASSED` | others waited when the owner signed |
//!
//! A reader that has a share switches a bias on, by a compare-and-swap. The next writer looks
//! through the slots. Then its name replaces the bias, or it leaves the symmetric form on.
//!
//! `PASSED` tells the owner's own unlock that the count will not be plain `WRITER`. While others
//! sleep, one thread takes and releases the lock thousands of times. An atomic step that is sure to
//! fail would cost it a fifth of a pair each time.
//!
//! Apart from the bias the word is a hint. It names the last writer even when the lock is free or
//! readers have it. While a writer is inside that has not signed yet, it names the writer before.
//! Only a holder writes the word; and a spinner, whose own call is still going on, adds
//! `NONSPINNABLE` to a word without a bias. So no access follows a releasing step (rule U).
//!
//! Accesses are Relaxed, except the steps that show a bias and a slot reader's second look. Nothing
//! else is published through the word: `Platform::record` finds the record of any id. A writer sees
//! each bias that it has to see, since the reader that switched the bias on had a share until after
//! that.

mod hint;

pub(in crate::rwsem) use self::hint::{Form, Hint};

use self::hint::{ASKED, BIASED, NONSPINNABLE, PASSED, READER_OWNED};
use crate::record::RecordId;
#[cfg(siftlock_model)]
use crate::sync::Cell;
use crate::sync::{AtomicU32, Ordering, const_fn, mutated, ordered};

#[derive(Debug)]
pub(in crate::rwsem) struct Owner(
    AtomicU32,
    /// Written with each name: a model reports two writes that no step of the count has ordered.
    #[cfg(siftlock_model)]
    Cell<()>,
);

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

    /// A writer that has just got in signs; `passed`: it got in past waiters.
    #[inline]
    pub(in crate::rwsem) fn sign(&self, me: RecordId, passed: bool) {
        let mark = if passed { PASSED } else { 0 };
        self.write(me.get() | mark, Ordering::Relaxed);
    }

    /// A writer that has looked through the slots leaves the symmetric form on, with so many reads.
    pub(in crate::rwsem) fn stay(&self, reads: u32) {
        // Release: pairs with the acquire in `second_look`, as in `switch_on`. No model fails
        // without it: the writer's fence before its look at the slots does as much.
        self.write(Form::Symmetric(reads).word(), Ordering::Release);
    }

    /// The caller is a writer that is inside.
    #[inline]
    fn write(&self, word: u32, order: Ordering) {
        #[cfg(siftlock_model)]
        // SAFETY: WRITER is the caller's, so no other writer is here.
        unsafe {
            self.1.set(());
        }
        self.0.store(word, order);
        Hint(word).tell();
    }

    /// A counted reader inside asks whether a bias would pay; its asking stands for so many reads.
    /// Returns how many reads there were since a writer signed, or, where the bias is symmetric,
    /// how many are left over. Concurrent askings may lose one; the loser gets `None`.
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
        // The first asking since a writer signed tells nothing: the writer may have signed just
        // before.
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

    /// One step of a thread that is inside as a reader, or whose call still goes on. It must not
    /// take a bias away: a reader may be in a slot.
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

    /// Readers have the lock's bias from now on, in this form. The caller is inside by a share, so
    /// no writer changes the word meanwhile. It does not turn the asymmetric form into the
    /// symmetric one: a reader that is inside may still have its store to a slot under way, and no
    /// writer would make a fence for it.
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

    /// The word after a slot reader's look at the count; `first` is the word before that.
    #[inline]
    pub(in crate::rwsem) fn second_look(&self, first: Hint) -> Hint {
        if mutated!(BiasNotLookedAtAgain) {
            return first;
        }
        // Acquire: pairs with the release in `switch_on` and `stay`. The slot reader may have seen
        // an old count, which a writer has changed since; what that writer has written comes before
        // the switch.
        Hint(self.0.load(ordered!(Acquire, unless BiasSeenRelaxed)))
    }

    #[inline]
    pub(in crate::rwsem) fn hint(&self) -> Hint {
        Hint(self.0.load(Ordering::Relaxed))
    }

    /// A spinner has spun for long enough on the readers that hold the lock. The mark lasts until
    /// the next owner signs. A writer's name goes: beside `READER_OWNED` it would be a number of
    /// reads.
    pub(in crate::rwsem) fn forbid_spinning(&self) {
        let seen = self.hint();
        let reader = if seen.is_reader() { seen.0 } else { READER_OWNED };
        // Nothing changes under a bias, or once a new owner has signed.
        self.change(seen, reader & !BIASED | NONSPINNABLE);
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests;
