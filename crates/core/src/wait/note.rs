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
//! | `upgradables` | the same of upgradable reads |
//!
//! **Each note stands for shares that are out**: it is made when the share has been taken, and cleared
//! before the share is given back. So whoever finds a lock noted, after a step on its count that
//! acquires, makes that step beside a share: no writer is inside. Nobody but its own thread asks a
//! note anything, and no writer waits for one: the share keeps writers out.
//!
//! **One share behind a note** is taken back by a plain store, if by the note's own thread; any
//! other change of a note in use is a compare-and-swap. As with a [slot](super::slot), the two do not
//! meet: with one share there is one thread that may give it back.
//!
//! **Upgradable reads** have no token that could say where they are noted. There is at most one of a
//! lock, so its note is found by name, in whatever record it is.
//!
//! **More shares than notes.** While `rest` or `upgradables` is not 0 the thread is taken to read *every*
//! lock already. It then passes writers more often than it had to; a thread that was taken for a
//! newcomer where it is none would wait for itself. So an upgradable read that another thread ends, and
//! that no note names, must not take one of that thread's own shares out of `rest`: they are counted
//! apart.
//!
//! All accesses are Relaxed: a note publishes nothing, and what another thread did to it before it
//! gave a share back is seen by whoever acquires from the count.

use super::slot::Key;
use crate::sync::{AtomicU32, Ordering, OwnU64, const_fn, mutated};

/// How many shares beyond the first one note can stand for.
pub(super) const MOST_EXTRA: u64 = UPGRADABLE - 1;

/// In a note: it stands for an upgradable read.
pub(super) const UPGRADABLE: u64 = 1 << 10;

/// See the [module](self).
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Note(OwnU64);

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

    /// Names the lock if the note is free. By its own thread.
    #[inline]
    pub(super) fn make(&self, word: u64) -> bool {
        let free = self.word() == 0;
        if free {
            self.0.store(word, Ordering::Relaxed);
        }
        free
    }

    /// Adds a share if the note names the lock. By its own thread.
    pub(super) fn add_share(&self, key: Key) -> bool {
        let has_room = |v: u64| v & !MOST_EXTRA == key.word() && v & MOST_EXTRA != MOST_EXTRA;
        let step = u64::from(!mutated!(NoteIgnoresDepth));
        self.change(|v| has_room(v).then_some(v + step))
    }

    /// Clears the note if one share is behind it. By its own thread.
    #[inline]
    pub(crate) fn clear_only_share(&self, key: Key) -> bool {
        let only = self.word() == key.word();
        if only {
            self.0.store(0, Ordering::Relaxed);
        }
        only
    }

    /// Takes one share from the note. By any thread. False: it does not name the lock.
    #[cold]
    pub(crate) fn take_share(&self, key: Key) -> bool {
        self.change(|v| {
            let names = v & !MOST_EXTRA == key.word();
            names.then_some(if v == key.word() { 0 } else { v - 1 })
        })
    }

    /// Clears the note of an upgradable read. By any thread. False: it does not name that.
    pub(super) fn take_upgradable(&self, key: Key) -> bool {
        self.change(|v| (v == key.word() | UPGRADABLE).then_some(0))
    }

    /// Clears the note if it names the lock.
    pub(super) fn forget(&self, key: Key) {
        self.change(|v| Self::is_of(v, key).then_some(0));
    }

    pub(super) const fn is_of(v: u64, key: Key) -> bool {
        v & !(MOST_EXTRA | UPGRADABLE) == key.word()
    }

    /// v → `to(v)`; false: `to` knows no step.
    fn change(&self, to: impl Fn(u64) -> Option<u64>) -> bool {
        let mut v = self.word();
        while let Some(next) = to(v) {
            match self.0.compare_exchange(v, next, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => v = now,
            }
        }
        false
    }
}

/// How many shares a thread has that no note names.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Rest(AtomicU32);

impl Rest {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self(AtomicU32::new(0))
        }
    }

    pub(super) fn add_share(&self) {
        if !mutated!(NoteIgnoresRest) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// By any thread. Takes none if there is none.
    #[cold]
    pub(crate) fn take_share(&self) {
        let mut v = self.0.load(Ordering::Relaxed);
        while v != 0 {
            match self.0.compare_exchange(v, v - 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => v = now,
            }
        }
    }

    pub(super) fn is_some(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }
}

/// Where a share was noted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Noted {
    /// By name.
    Here(&'static Note),
    /// Among those without.
    Rest(&'static Rest),
}
