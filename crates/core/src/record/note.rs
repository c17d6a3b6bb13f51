//! A note: what a thread knows of the locks that it has by a share in their count.
//!
//! A count says how many readers are inside, not who. Under a policy that wants it, a thread that has
//! got in by a share notes the lock in its own record, so that a second read of it can tell that it is
//! one, and passes writers that wait for the first.
//!
//! | word | content |
//! | --- | --- |
//! | a note | 0 = free, or the lock's address, 8 bits up, plus how many more shares stand behind it; or plus `UPGRADABLE`: it stands for an upgradable read |
//! | `rest` | shares for which there was no free note, of any locks |
//!
//! **Each note stands for shares that are out**: it is made when the share has been taken, and cleared
//! before the share is given back. The share keeps writers out, so no writer waits for a note.
//!
//! **Only its own thread asks a note anything, and only it writes one**, by plain stores: the guard of a
//! noted read stays in the thread that read. One other store there is: a lock that ends with a guard
//! forgotten takes its name out of all notes. Then nobody holds the lock, so the note's thread does not
//! touch a note that names it.
//!
//! **More shares than notes.** While `rest` is not 0 the thread is taken to read *every* lock already. It
//! then passes writers more often than it had to; a thread that was taken for a newcomer where it is none
//! would wait for itself.
//!
//! All accesses are Relaxed: a note publishes nothing.

use super::Key;
use crate::sync::{AtomicU32, Ordering, OwnU64, const_fn, mutated};

/// How many shares beyond the first one note can stand for.
pub(super) const MOST_EXTRA: u64 = UPGRADABLE - 1;

/// In a note: it stands for an upgradable read.
pub(super) const UPGRADABLE: u64 = 1 << 10;

/// See the [module](self).
#[derive(Debug)]
#[repr(transparent)]
pub(super) struct Note(OwnU64);

impl Note {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self(OwnU64::new(0))
        }
    }

    #[inline]
    pub(super) fn word(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    #[inline]
    fn set(&self, word: u64) {
        self.0.store(word, Ordering::Relaxed);
    }

    /// Names the lock if the note is free.
    #[inline]
    pub(super) fn make(&self, word: u64) -> bool {
        let free = self.word() == 0;
        if free {
            self.set(word);
        }
        free
    }

    /// Adds a share if the note names the lock.
    pub(super) fn add_share(&self, key: Key) -> bool {
        let v = self.word();
        let has_room = names_share(v, key) && v & MOST_EXTRA != MOST_EXTRA;
        if has_room {
            self.set(v + u64::from(!mutated!(NoteIgnoresDepth)));
        }
        has_room
    }

    /// Clears the note if one share is behind it.
    #[inline]
    pub(super) fn clear_only_share(&self, key: Key) -> bool {
        let only = self.word() == key.word();
        if only {
            self.set(0);
        }
        only
    }

    /// Takes one share from the note. False: it does not name the lock.
    pub(super) fn take_share(&self, key: Key) -> bool {
        if self.clear_only_share(key) {
            return true;
        }
        let v = self.word();
        let names = names_share(v, key);
        if names {
            self.set(v - 1);
        }
        names
    }

    /// Clears the note of an upgradable read. False: it does not name that.
    pub(super) fn take_upgradable(&self, key: Key) -> bool {
        let names = self.word() == key.word() | UPGRADABLE;
        if names {
            self.set(0);
        }
        names
    }

    /// Clears the note if it names the lock, which is no more. By any thread.
    pub(super) fn forget(&self, key: Key) {
        let v = self.word();
        if Self::is_of(v, key) {
            // Fails only where a lock was moved while a guard of it was forgotten: then the note may be in
            // use for the next lock at its address.
            let _ = self.0.compare_exchange(v, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    pub(super) const fn is_of(v: u64, key: Key) -> bool {
        v & !(MOST_EXTRA | UPGRADABLE) == key.word()
    }
}

/// Whether this word of a note is that of plain shares of the lock.
const fn names_share(v: u64, key: Key) -> bool {
    v & !MOST_EXTRA == key.word()
}

/// How many shares a thread has that no note names.
#[derive(Debug)]
#[repr(transparent)]
pub(super) struct Rest(AtomicU32);

impl Rest {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self(AtomicU32::new(0))
        }
    }

    pub(super) fn add_share(&self) {
        if !mutated!(NoteIgnoresRest) {
            self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
    }

    /// Takes none if there is none.
    #[cold]
    pub(super) fn take_share(&self) {
        let left = self.0.load(Ordering::Relaxed).saturating_sub(1);
        self.0.store(left, Ordering::Relaxed);
    }

    pub(super) fn is_some(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }
}
