//! A slot: where a thread notes one lock that it reads without touching it.
//!
//! A lock with its read bias on is read by a store to a slot of the reader's own; who wants to
//! write looks through the slots of all. So readers share no cache line. The protocol is the lock's;
//! here are the words and what is done to them.
//!
//! | word | content |
//! | --- | --- |
//! | `lock` | 0 = free, or the lock's address, 8 bits up, plus how many more holds stand behind it |
//! | `sleepers` | how many writers wait for the slot to be cleared |
//! | `bell` | changes each time that they are called |
//!
//! **Only its own thread writes a slot**, by plain stores, or, to note a lock, by a swap: the guard of a read by
//! slot stays in the thread that read. One other store there is: a lock that ends with a guard forgotten takes
//! its name out of all slots. Then nobody holds the lock, so the slot's thread does not touch a slot that names
//! it. How a writer waits for it is told in `wait::bell`.

use crate::sync::{
    AtomicU32, Ordering, OwnU64, const_fn, light_fence, mutated, ordered, step_fence,
};
use core::ptr;

/// In the first slot of a record that is on no list yet: free for nobody.
const UNLISTED: u64 = 1;

/// How many holds beyond the first one slot can stand for.
const MOST_EXTRA: u64 = (1 << 11) - 1;

/// What a slot for a lock contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u64);

impl Key {
    /// That of the lock at this address, a multiple of 8. The top byte, in which some systems keep
    /// a tag and none an address, goes.
    #[inline]
    pub(crate) fn of<T>(lock: &T) -> Self {
        Self((ptr::from_ref(lock).addr() as u64) << 8)
    }

    /// What names the lock: the lowest 11 bits are free.
    #[inline]
    pub(super) const fn word(self) -> u64 {
        self.0
    }

    #[inline]
    fn is_named_by(self, lock: u64) -> bool {
        lock & !MOST_EXTRA == self.0
    }
}

/// See the [module](self). `pub` in a private module: it shows in a sealed trait.
#[derive(Debug)]
#[repr(C)]
pub struct Slot {
    pub(crate) lock: OwnU64,
    pub(crate) sleepers: AtomicU32,
    pub(crate) bell: AtomicU32,
}

impl Slot {
    const_fn! {
        /// Free.
        pub(crate) const fn new() -> Self {
            Self { lock: OwnU64::new(0), sleepers: AtomicU32::new(0), bell: AtomicU32::new(0) }
        }
    }

    const_fn! {
        /// Free for nobody until it is [listed](Self::list).
        pub(super) const fn unlisted() -> Self {
            Self { lock: OwnU64::new(UNLISTED), sleepers: AtomicU32::new(0), bell: AtomicU32::new(0) }
        }
    }

    pub(super) fn is_unlisted(&self) -> bool {
        self.lock.load(Ordering::Relaxed) == UNLISTED
    }

    /// Whether it names a lock.
    pub(super) fn is_in_use(&self) -> bool {
        !matches!(self.lock.load(Ordering::Relaxed), 0 | UNLISTED)
    }

    pub(super) fn list(&self) {
        self.lock.store(0, Ordering::Relaxed);
    }

    /// Notes the lock if the slot is free. By its own thread.
    #[inline]
    pub(crate) fn note(&self, key: Key) -> bool {
        // Relaxed: its own.
        let free = self.lock.load(Ordering::Relaxed) == 0;
        if free {
            // The reader's light fence after this store pairs with the writer's heavy one. Release: who sees this
            // name instead of the 0 before it sees what came before that 0.
            self.lock.store(key.0, Ordering::Release);
        }
        free
    }

    /// Notes the lock if the slot is free, by a swap that no later look overtakes. By its own thread.
    #[inline]
    pub(crate) fn swap_in(&self, key: Key) -> bool {
        if mutated!(SymmetricNoteIsAStore) {
            return self.note(key);
        }
        let free = self.lock.load(Ordering::Relaxed) == 0;
        if free {
            // Release: as in `note`.
            self.lock.swap(key.0, Ordering::Release);
            // Pairs with the writer's, between its WRITER and its look at the slots.
            step_fence();
        }
        free
    }

    /// Adds a hold if the slot names the lock: its holder reads once more. By its own thread.
    pub(crate) fn add_hold(&self, key: Key) -> bool {
        let v = self.lock.load(Ordering::Relaxed);
        let has_room = key.is_named_by(v) && v & MOST_EXTRA != MOST_EXTRA;
        if has_room {
            // Release: a writer of another lock, which the slot named before, may see this store first.
            self.lock.store(v + u64::from(!mutated!(SlotIgnoresDepth)), Ordering::Release);
        }
        has_room
    }

    /// Clears the slot if this is the only hold behind it. By its own thread.
    #[inline]
    pub(crate) fn clear_only_hold(&self, key: Key) -> bool {
        let only = self.lock.load(Ordering::Relaxed) == key.0;
        if only {
            // Release: pairs with the acquire in `is_cleared`.
            self.lock.store(0, ordered!(Release, unless SlotClearedRelaxed));
        }
        only
    }

    /// Takes one hold from the slot. By its own thread. False: it does not name the lock.
    #[cold]
    pub(crate) fn take_hold(&self, key: Key) -> bool {
        if self.clear_only_hold(key) {
            return true;
        }
        let v = self.lock.load(Ordering::Relaxed);
        let names = key.is_named_by(v);
        if names {
            // Release: as in `add_hold`.
            self.lock.store(v - 1, Ordering::Release);
        }
        names
    }

    /// Whether the slot names the lock, as far as the caller knows.
    #[inline]
    pub(crate) fn names(&self, key: Key) -> bool {
        key.is_named_by(self.lock.load(Ordering::Relaxed))
    }

    /// Clears the slot of a lock that is no more. By any thread.
    pub(super) fn forget(&self, key: Key) {
        let v = self.lock.load(Ordering::Relaxed);
        if key.is_named_by(v) || mutated!(SlotForgottenWhateverItNames) {
            // Relaxed: nobody waits for a lock that ends. Fails only where a lock was moved while a guard
            // of it was forgotten: then the slot may be in use for the next lock at its address.
            let _ = self.lock.compare_exchange(v, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Whether writers wait for the slot, after it was cleared.
    #[inline]
    pub(crate) fn is_awaited(&self) -> bool {
        // The clearing comes before this look. Pairs with the writer's heavy fence after it raised
        // `sleepers`. Where there is none the writer looks again.
        light_fence();
        self.sleepers.load(Ordering::Relaxed) != 0
    }

    /// Whether the slot does not name the lock. By the writer that keeps new readers out.
    #[inline]
    pub(crate) fn is_cleared(&self, key: Key) -> bool {
        // Acquire: pairs with the release that cleared it.
        !key.is_named_by(self.lock.load(ordered!(Acquire, unless SlotSeenRelaxed)))
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    /// As locks are aligned, which `u64` is not everywhere.
    #[repr(align(8))]
    struct Place(#[allow(dead_code)] u64);

    static LOCKS: [Place; 2] = [const { Place(0) }; 2];

    fn keys() -> [Key; 2] {
        [Key::of(&LOCKS[0]), Key::of(&LOCKS[1])]
    }

    /// A slot of the calling test alone, listed.
    macro_rules! slot {
        () => {{
            static SLOT: Slot = Slot::unlisted();
            assert!(SLOT.is_unlisted() && !SLOT.is_in_use() && !SLOT.note(keys()[0]));
            SLOT.list();
            assert!(!SLOT.is_unlisted() && !SLOT.is_in_use());
            &SLOT
        }};
    }

    #[test]
    fn slot_names_one_lock_until_its_last_hold_goes() {
        let (slot, [key, other]) = (slot!(), keys());
        assert!(!slot.add_hold(key) && !slot.take_hold(key) && slot.is_cleared(key));
        assert!(slot.note(key) && !slot.note(key) && !slot.note(other));
        assert!(slot.add_hold(key) && !slot.add_hold(other));
        assert!(!slot.clear_only_hold(key) && !slot.take_hold(other));
        for _ in 0..2 {
            assert!(slot.is_in_use() && slot.names(key) && !slot.names(other));
            assert!(!slot.is_cleared(key) && slot.is_cleared(other));
            assert!(slot.take_hold(key));
        }
        assert!(!slot.is_in_use() && !slot.names(key) && slot.note(other));
        assert!(!slot.clear_only_hold(key) && slot.clear_only_hold(other) && !slot.is_in_use());
    }

    #[test]
    fn slot_stands_for_2048_holds_and_no_more() {
        let (slot, [key, _]) = (slot!(), keys());
        assert!(slot.note(key) && (0..2047).all(|_| slot.add_hold(key)));
        assert!(!slot.add_hold(key) && slot.names(key));
        assert!((0..2048).all(|_| slot.take_hold(key)));
        assert!(!slot.take_hold(key) && !slot.is_in_use());
    }

    #[test]
    fn slot_forgets_the_lock_that_is_no_more() {
        let (slot, [key, other]) = (slot!(), keys());
        assert!(slot.note(key) && slot.add_hold(key));
        slot.forget(other);
        assert!(slot.names(key));
        slot.forget(key);
        assert!(!slot.is_in_use());
    }

    #[test]
    fn slot_ignores_the_top_byte_of_an_address() {
        let address = ptr::from_ref(&LOCKS[0]).addr() as u64;
        assert_eq!(keys()[0].word(), address % (1 << 56) * 256);
    }
}
