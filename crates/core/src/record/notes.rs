//! The notes of a thread: the locks in which it knows that it has a share.
//!
//! A count says how many readers are inside, not which threads. Under a policy that notes reads, a
//! thread that has got in by a share notes the lock in its own record. So a second read of the lock
//! knows that it nests, and passes writers that wait for the first.
//!
//! **Each note stands for shares that are out**: it is made when the share has been taken, and
//! cleared before the share is given back. The share keeps writers out, so no writer waits for a
//! note. Only its own thread looks at a note, or an unlock for that thread.
//!
//! **More shares than notes.** `rest` counts shares for which there was no free note, of any locks.
//! While it is not 0 the thread is taken to read *every* lock already. It then passes writers more
//! often than it had to. A thread wrongly taken for a newcomer would wait for itself.

use super::mark::{Key, Mark};
use crate::sync::{AtomicU32, Ordering, const_fn, mutated};

/// How many locks one thread can note by name: as many as fit the line of the record's token, and
/// one line more. A model looks at each note in each look, so it has fewer.
const NOTES: usize = if cfg!(siftlock_model) { 1 } else { 11 };

/// How many notes lie in the line of the token.
const NEAR: usize = if cfg!(siftlock_model) { 1 } else { 3 };

/// The notes of a thread. Calls are for that thread alone, unless they say otherwise.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Notes {
    /// How many shares the thread has that no note names.
    rest: AtomicU32,
    /// Whether a note beyond the line of the token was ever made. If not, a look through all
    /// records skips this one's further lines.
    has_far: AtomicU32,
    notes: [Mark; NOTES],
}

impl Notes {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self {
                rest: AtomicU32::new(0),
                has_far: AtomicU32::new(0),
                #[cfg(siftlock_model)]
                notes: [Mark::new()],
                #[cfg(not(siftlock_model))]
                notes: [const { Mark::new() }; NOTES],
            }
        }
    }

    /// Notes a share.
    #[inline]
    pub(crate) fn note(&self, key: Key) {
        if !self.notes[0].make(key) {
            self.note_elsewhere(key);
        }
    }

    /// The first note that is free, among those in the line of the token.
    #[inline]
    pub(crate) fn near_free(&self) -> Option<&Mark> {
        self.notes[..NEAR].iter().find(|note| note.is_free())
    }

    #[cold]
    #[inline(never)]
    fn note_elsewhere(&self, key: Key) {
        // In the first note that is free or names this lock. So several notes may name one lock.
        self.note_in_any(|note| note.make(key) || note.add(key));
    }

    /// Notes a share in the first note that takes it, or else without a name.
    fn note_in_any(&self, takes: impl Fn(&Mark) -> bool) {
        let (near, far) = self.notes.split_at(NEAR);
        if near.iter().any(&takes) {
            return;
        }
        // Relaxed: the thread that forgets a lock comes after all threads that had it.
        self.has_far.store(1, Ordering::Relaxed);
        if !far.iter().any(&takes) {
            self.note_unnamed();
        }
    }

    /// Notes an upgradable read.
    pub(crate) fn note_upgradable(&self, key: Key) {
        self.note_in_any(|note| note.make(key.upgradable()));
    }

    /// Whether the thread has the lock by a share, as far as it knows.
    pub(crate) fn name(&self, key: Key) -> bool {
        let names = |note: &Mark| note.names(key) || note.names(key.upgradable());
        self.has_rest() || self.notes.iter().any(names)
    }

    /// Takes back one share of the lock, wherever it is noted.
    #[inline]
    pub(crate) fn take_share(&self, key: Key) {
        if !self.notes[0].clear_only(key) {
            self.take_share_elsewhere(key);
        }
    }

    #[cold]
    #[inline(never)]
    fn take_share_elsewhere(&self, key: Key) {
        if !self.notes.iter().any(|note| note.take(key)) {
            let _ = self.take_unnamed();
        }
    }

    /// Takes back one share of the lock, if a note in the line of the token stands for that share
    /// alone.
    #[inline]
    pub(crate) fn take_near(&self, key: Key) -> bool {
        self.notes[..NEAR].iter().any(|note| note.clear_only(key))
    }

    /// Takes back one share of the lock from the notes of another thread, if it is noted by name.
    /// The first note that stands for a single share comes last, since that thread may be about to
    /// clear it.
    pub(crate) fn take_from_another(&self, key: Key) -> bool {
        self.notes.iter().any(|note| note.take_from_many(key))
            || self.notes.iter().rev().any(|note| note.take_from_another(key))
    }

    /// Takes back one share that no note names, if there is one. Any thread may call it.
    pub(crate) fn take_unnamed(&self) -> bool {
        // Relaxed, all: a number.
        let mut rest = self.rest.load(Ordering::Relaxed);
        while rest != 0 {
            let order = Ordering::Relaxed;
            match self.rest.compare_exchange(rest, rest - 1, order, order) {
                Ok(_) => return true,
                Err(now) => rest = now,
            }
        }
        false
    }

    /// Takes back the upgradable read of the lock, wherever it is noted. There is at most one.
    pub(crate) fn take_upgradable(&self, key: Key) {
        self.take_share_elsewhere(key.upgradable());
    }

    /// Whether any share is noted.
    pub(super) fn are_in_use(&self) -> bool {
        self.has_rest() || !self.notes.iter().all(Mark::is_free)
    }

    /// Clears the notes of a lock that is no more. Any thread may call it. The lock's shares
    /// without a name cannot be told from those of other locks.
    pub(crate) fn forget(&self, key: Key) {
        let (near, far) = self.notes.split_at(NEAR);
        near.iter().for_each(|note| note.forget(key));
        if self.has_far.load(Ordering::Relaxed) != 0 {
            far.iter().for_each(|note| note.forget(key));
        }
    }

    /// Whether there are shares that no note names. Any thread may ask.
    pub(crate) fn has_rest(&self) -> bool {
        self.rest.load(Ordering::Relaxed) != 0
    }

    /// Counts one more share without a name, in one step: another thread may take one away.
    fn note_unnamed(&self) {
        if !mutated!(NoteIgnoresRest) {
            // Relaxed: a number.
            self.rest.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests;
