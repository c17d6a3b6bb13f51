//! A mark: one word in which a thread says that it has a lock, and how often.
//!
//! | bits | content |
//! | --- | --- |
//! | 11–63 | the lock's address, 8 bits up |
//! | 10 | `UPGRADABLE`: the one hold is an upgradable read |
//! | 0–9 | how many more holds stand behind it |
//!
//! 0 is free. There are two kinds. Writers look at a mark in a [`Slot`](super::Slot). No other
//! thread looks at a note (see `notes`), except in an unlock for its thread, or as a lock ends.
//!
//! **Only its own thread makes a mark**, by a plain store or a swap. The thread clears a mark that
//! stands for a single hold by a plain store, since the guard of a read that is marked stays in the
//! thread that read. There are two other writers. A lock that ends with a guard forgotten takes its
//! name out of all marks. Then nobody holds the lock, so the thread does not touch a mark that
//! names it. And a caller without guards may release the hold of [another
//! thread](Mark::take_from_another). So the number of further holds changes by compare-and-swap.
//!
//! Each store of its own thread is Release. A writer may see a later store and never the store that
//! cleared its lock's name. Through the later store it still sees everything before the clearing. A
//! note would not need that. Suppose that another thread takes one of two holds, and the own thread
//! clears the last by a plain store. Then the language orders the writer behind the own thread
//! alone; processors that show a store to all others at once order it behind both threads.

use crate::sync::{Ordering, OwnU64, const_fn, mutated, ordered, spin_while, step_fence};
use core::ptr;

/// How many holds beyond the first one mark can stand for.
pub(super) const MOST_EXTRA: u64 = UPGRADABLE - 1;
const UPGRADABLE: u64 = 1 << 10;

/// What a mark of a lock contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u64);

impl Key {
    /// In the slots of a record that is on no list yet: they are not free, and name no lock.
    pub(super) const UNLISTED: Self = Self(0).upgradable();

    /// The lock's key: its address, a multiple of 8, without the top byte, in which some systems
    /// keep a tag.
    #[inline]
    pub(crate) fn of<T>(lock: &T) -> Self {
        Self((ptr::from_ref(lock).addr() as u64) << 8)
    }

    /// The key of the lock's upgradable read.
    pub(super) const fn upgradable(self) -> Self {
        Self(self.0 | UPGRADABLE)
    }

    /// Whether a mark with this content names the lock. A plain mark does not name the lock's
    /// upgradable read, nor the reverse.
    #[inline]
    pub(super) const fn is_named_by(self, content: u64) -> bool {
        content & !MOST_EXTRA == self.0
    }
}

/// See the [module](self). The methods are for its own thread, except `content`, `watch`, `names`,
/// `forget` and `take_from_another`.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Mark(OwnU64);

impl Mark {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self(OwnU64::new(0))
        }
    }

    const_fn! {
        pub(super) const fn unlisted() -> Self {
            Self(OwnU64::new(Key::UNLISTED.0))
        }
    }

    /// The content, as far as the caller knows.
    #[inline]
    pub(super) fn content(&self, order: Ordering) -> u64 {
        self.0.load(order)
    }

    /// If the mark names the lock, waits awake until it changes, for at most so many looks.
    pub(crate) fn watch(&self, key: Key, looks: u32) {
        let seen = self.content(Ordering::Relaxed);
        // A mark that was cleared since the caller's look would be watched for nothing.
        if key.is_named_by(seen) {
            spin_while(&self.0, seen, looks);
        }
    }

    #[inline]
    pub(super) fn is_free(&self) -> bool {
        self.content(Ordering::Relaxed) == 0
    }

    /// Names the lock. The mark is free.
    #[inline]
    pub(crate) fn set(&self, key: Key) {
        // Release: see the module.
        self.0.store(key.0, Ordering::Release);
    }

    /// Names the lock if the mark is free.
    #[inline]
    pub(crate) fn make(&self, key: Key) -> bool {
        let free = self.is_free();
        if free {
            self.set(key);
        }
        free
    }

    /// Names the lock if the mark is free, by a swap that no later look overtakes.
    #[inline]
    pub(crate) fn swap_in(&self, key: Key) -> bool {
        if mutated!(SymmetricNoteIsAStore) {
            return self.make(key);
        }
        let free = self.is_free();
        if free {
            // Release: as in `set`. No model falls without it: a swap continues the release
            // sequence of the clearing before.
            self.0.swap(key.0, Ordering::Release);
            // Pairs with the writer's fence, between its WRITER and its look at the slots.
            step_fence();
        }
        free
    }

    /// Adds a hold if the mark names the lock.
    pub(crate) fn add(&self, key: Key) -> bool {
        let one = u64::from(!mutated!(MarkIgnoresDepth));
        self.change(key, |v| (v & MOST_EXTRA != MOST_EXTRA).then(|| v + one))
    }

    /// v → `to(v)`, if the mark names the lock and there is such a value.
    fn change(&self, key: Key, to: impl Fn(u64) -> Option<u64>) -> bool {
        let mut v = self.content(Ordering::Relaxed);
        while key.is_named_by(v)
            && let Some(next) = to(v)
        {
            // Release: pairs with the acquire in `Slot::is_cleared`, where another thread takes the
            // last hold.
            let order = ordered!(Release, unless MarkChangedRelaxed);
            match self.0.compare_exchange(v, next, order, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => v = now,
            }
        }
        false
    }

    /// Clears the mark if this is the only hold behind it.
    #[inline]
    pub(crate) fn clear_only(&self, key: Key) -> bool {
        let only = self.content(Ordering::Relaxed) == key.0;
        if only {
            // Release: pairs with the acquire in `Slot::is_cleared`.
            self.0.store(0, ordered!(Release, unless SlotClearedRelaxed));
        }
        only
    }

    /// Takes one hold from the mark. False: the mark does not name the lock.
    #[cold]
    pub(crate) fn take(&self, key: Key) -> bool {
        self.clear_only(key) || self.take_from_another(key)
    }

    /// Takes one hold from a mark of any thread. False: the mark does not name the lock.
    ///
    /// Only one thread may release a given hold. If the mark's own thread clears the mark by a
    /// plain store at the same time, both have taken the same hold.
    pub(crate) fn take_from_another(&self, key: Key) -> bool {
        self.change(key, |v| Some(if v == key.0 { 0 } else { v - 1 }))
    }

    /// Takes one hold from a mark of any thread that stands for several.
    pub(super) fn take_from_many(&self, key: Key) -> bool {
        self.change(key, |v| (v != key.0).then(|| v - 1))
    }

    /// Whether the mark names the lock, as far as the caller knows.
    #[inline]
    pub(crate) fn names(&self, key: Key) -> bool {
        key.is_named_by(self.content(Ordering::Relaxed))
    }

    /// Clears the mark of a lock that is no more. Any thread may call it.
    pub(super) fn forget(&self, key: Key) {
        let v = self.content(Ordering::Relaxed);
        if key.is_named_by(v & !UPGRADABLE) || mutated!(MarkForgottenWhateverItNames) {
            // Relaxed: nobody waits for a lock that ends. The step fails only where a lock was
            // moved while a guard of it was forgotten: then the mark may be in use for the next
            // lock at its address.
            let _ = self.0.compare_exchange(v, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    /// Aligned as locks are, which `u64` is not everywhere.
    #[repr(align(8))]
    struct Place(#[allow(dead_code)] u64);

    static LOCKS: [Place; 2] = [const { Place(0) }; 2];

    fn keys() -> [Key; 2] {
        [Key::of(&LOCKS[0]), Key::of(&LOCKS[1])]
    }

    #[test]
    fn mark_names_one_lock_until_its_last_hold_goes() {
        let (mark, [key, other]) = (Mark::new(), keys());
        assert!(!mark.add(key) && !mark.take(key));
        assert!(mark.make(key) && !mark.make(key) && !mark.make(other));
        assert!(mark.add(key) && !mark.add(other));
        assert!(!mark.clear_only(key) && !mark.take(other));
        for _ in 0..2 {
            assert!(!mark.is_free() && mark.names(key) && !mark.names(other));
            assert!(mark.take(key));
        }
        assert!(mark.is_free() && !mark.names(key) && mark.swap_in(other));
        assert!(!mark.clear_only(key) && mark.clear_only(other) && mark.is_free());
    }

    #[test]
    fn mark_stands_for_1024_holds_and_no_more() {
        let (mark, [key, _]) = (Mark::new(), keys());
        assert!(mark.make(key) && (0..1023).all(|_| mark.add(key)));
        assert!(!mark.add(key) && mark.names(key) && !mark.names(key.upgradable()));
        assert!((0..1024).all(|_| mark.take(key)));
        assert!(!mark.take(key) && mark.is_free());
    }

    #[test]
    fn mark_may_lose_holds_to_another_thread() {
        let (mark, [key, other]) = (Mark::new(), keys());
        assert!(!mark.take_from_another(key) && mark.make(key) && mark.add(key));
        assert!(!mark.take_from_another(other) && mark.take_from_another(key) && mark.names(key));
        assert!(mark.take_from_another(key) && !mark.take(key) && mark.is_free());
    }

    #[test]
    fn mark_of_an_upgradable_read_is_another() {
        let (mark, [key, _]) = (Mark::new(), keys());
        assert!(mark.make(key.upgradable()) && mark.names(key.upgradable()));
        assert!(!mark.names(key) && !mark.add(key) && !mark.take(key));
        assert!(mark.take(key.upgradable()) && mark.is_free());
    }

    #[test]
    fn mark_forgets_the_lock_that_is_no_more() {
        let (mark, [key, other]) = (Mark::new(), keys());
        for made in [key, key.upgradable()] {
            assert!(mark.make(made));
            mark.forget(other);
            assert!(mark.names(made));
            mark.forget(key);
            assert!(mark.is_free());
        }
    }

    #[test]
    fn mark_ignores_the_top_byte_of_an_address() {
        let address = ptr::from_ref(&LOCKS[0]).addr() as u64;
        assert_eq!(keys()[0].0, address % (1 << 56) * 256);
    }
}
