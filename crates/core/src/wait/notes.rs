//! Notes: what a thread knows of the locks that it has by a share in their count.
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
//! **More shares than notes.** While `rest` or `upgradables` is not 0 the thread is taken to read *every* lock already.
//! It then passes writers more often than it had to; a thread that was taken for a newcomer where it
//! is none would wait for itself. So an upgradable read that another thread ends, and that no note names,
//! must not take one of that thread's own shares out of `rest`: they are counted apart.
//!
//! All accesses are Relaxed: a note publishes nothing, and what another thread did to it before it
//! gave a share back is seen by whoever acquires from the count.

use super::slot::Key;
use crate::sync::{AtomicU32, Ordering, OwnU64, const_fn, mutated};
use core::ptr;

/// So many locks one thread can note by name: what fits the line of the record's token. A model looks
/// at each of them in each look, so it has fewer.
const NOTES: usize = if cfg!(siftlock_model) { 1 } else { 3 };

/// How many shares beyond the first one note can stand for.
const MOST_EXTRA: u64 = UPGRADABLE - 1;

/// In a note: it stands for an upgradable read.
const UPGRADABLE: u64 = 1 << 10;

/// See the [module](self).
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Note(OwnU64);

impl Note {
    const_fn! {
        const fn new() -> Self {
            Self(OwnU64::new(0))
        }
    }

    #[inline]
    fn word(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Names the lock if the note is free. By its own thread.
    #[inline]
    fn make(&self, word: u64) -> bool {
        let free = self.word() == 0;
        if free {
            self.0.store(word, Ordering::Relaxed);
        }
        free
    }

    /// Adds a share if the note names the lock. By its own thread.
    fn add_share(&self, key: Key) -> bool {
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
    fn take_upgradable(&self, key: Key) -> bool {
        self.change(|v| (v == key.word() | UPGRADABLE).then_some(0))
    }

    /// Clears the note if it names the lock.
    fn forget(&self, key: Key) {
        self.change(|v| Self::is_of(v, key).then_some(0));
    }

    const fn is_of(v: u64, key: Key) -> bool {
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
    fn add_share(&self) {
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

    fn is_some(&self) -> bool {
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

/// The notes of a thread.
#[derive(Debug)]
pub(crate) struct Notes {
    notes: [Note; NOTES],
    rest: Rest,
    upgradables: Rest,
}

impl Notes {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self {
                notes: [
                    Note::new(),
                    #[cfg(not(siftlock_model))]
                    Note::new(),
                    #[cfg(not(siftlock_model))]
                    Note::new(),
                ],
                rest: Rest(AtomicU32::new(0)),
                upgradables: Rest(AtomicU32::new(0)),
            }
        }
    }

    /// Notes a share. By the notes' own thread, as the next four.
    #[inline]
    pub(crate) fn note(&'static self, key: Key) -> Noted {
        let first = &self.notes[0];
        if first.make(key.word()) { Noted::Here(first) } else { self.note_elsewhere(key) }
    }

    #[cold]
    #[inline(never)]
    fn note_elsewhere(&'static self, key: Key) -> Noted {
        let mut notes = self.notes.iter();
        let named = notes.find(|note| note.add_share(key));
        match named.or_else(|| self.notes.iter().find(|note| note.make(key.word()))) {
            Some(note) => Noted::Here(note),
            None => {
                self.rest.add_share();
                Noted::Rest(&self.rest)
            }
        }
    }

    /// Notes an upgradable read.
    pub(crate) fn note_upgradable(&self, key: Key) {
        if !self.notes.iter().any(|note| note.make(key.word() | UPGRADABLE)) {
            self.upgradables.add_share();
        }
    }

    /// Whether the thread has the lock by a share, as far as it knows.
    pub(crate) fn name(&self, key: Key) -> bool {
        let nameless = self.rest.is_some() || self.upgradables.is_some();
        nameless || self.notes.iter().any(|note| Note::is_of(note.word(), key))
    }

    /// Takes back one share of the lock, wherever it is noted.
    pub(crate) fn take_share(&self, key: Key) {
        if !self.notes.iter().any(|note| note.take_share(key)) {
            self.rest.take_share();
        }
    }

    /// Takes back an upgradable read without a name.
    pub(crate) fn take_nameless_upgradable(&self) {
        self.upgradables.take_share();
    }

    /// Takes back the upgradable read of the lock. By any thread. False: it is not noted here by name.
    pub(crate) fn take_upgradable(&self, key: Key) -> bool {
        self.notes.iter().any(|note| note.take_upgradable(key))
    }

    /// Whether the note is one of these.
    #[inline]
    pub(crate) fn contain(&self, note: &Note) -> bool {
        let offset = ptr::from_ref(note).addr().wrapping_sub(self.notes.as_ptr().addr());
        offset < size_of_val(&self.notes)
    }

    /// Clears those of a lock that is no more. Its shares without a name cannot be told from others.
    pub(crate) fn forget(&self, key: Key) {
        for note in &self.notes {
            note.forget(key);
        }
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    static LOCKS: [u64; 8] = [0; 8];

    fn key(n: usize) -> Key {
        Key::of(&LOCKS[n])
    }

    /// Notes of the calling test alone.
    macro_rules! notes {
        () => {{
            static NOTES: Notes = Notes::new();
            &NOTES
        }};
    }

    fn take<const N: usize>(notes: &'static Notes, lock: impl Fn(usize) -> usize) -> [Noted; N] {
        core::array::from_fn(|n| notes.note(key(lock(n))))
    }

    fn give_back(notes: &Notes, noted: Noted, key: Key) {
        match noted {
            Noted::Here(note) => {
                assert!(notes.contain(note));
                assert!(note.clear_only_share(key) || note.take_share(key));
            }
            Noted::Rest(rest) => rest.take_share(),
        }
    }

    #[test]
    fn notes_stand_for_each_share_in_whatever_order_they_go() {
        let notes = notes!();
        for first in 0..3 {
            let shares: [_; 3] = take(notes, |_| 1);
            for place in [first, (first + 1) % 3, (first + 2) % 3] {
                assert!(notes.name(key(1)) && !notes.name(key(2)));
                give_back(notes, shares[place], key(1));
            }
            assert!(!notes.name(key(1)));
        }
    }

    #[test]
    fn notes_are_of_every_lock_while_there_are_more_shares_than_they_can_name() {
        let notes = notes!();
        let shares: [_; NOTES + 2] = take(notes, |n| n);
        assert!(notes.name(key(7)));
        give_back(notes, shares[NOTES], key(NOTES));
        assert!(notes.name(key(7)));
        give_back(notes, shares[NOTES + 1], key(NOTES + 1));
        assert!(!notes.name(key(7)) && notes.name(key(0)));
    }

    #[test]
    fn notes_of_one_lock_beyond_the_depth_of_a_note_are_counted_without_a_name() {
        let notes = notes!();
        const NAMED: usize = MOST_EXTRA as usize + 1;
        let shares: [_; NAMED * NOTES + 1] = take(notes, |_| 1);
        assert!(notes.name(key(2)));
        for noted in shares {
            assert!(notes.name(key(1)));
            give_back(notes, noted, key(1));
        }
        assert!(!notes.name(key(1)) && !notes.name(key(2)));
    }

    #[test]
    fn notes_tell_an_upgradable_read_from_others_of_the_same_lock() {
        let notes = notes!();
        let share = notes.note(key(1));
        assert!(!notes.take_upgradable(key(1)));
        notes.note_upgradable(key(1));
        let again = notes.note(key(1));
        give_back(notes, share, key(1));
        assert!(!notes.take_upgradable(key(2)));
        assert!(notes.take_upgradable(key(1)) && notes.name(key(1)));
        give_back(notes, again, key(1));
        assert!(!notes.name(key(1)) && !notes.take_upgradable(key(1)));
    }

    /// One that comes from another thread, where no note names it either.
    #[test]
    fn notes_lose_no_share_with_an_upgradable_read_of_another_thread() {
        let notes = notes!();
        let shares: [_; NOTES + 1] = take(notes, |n| n);
        notes.take_nameless_upgradable();
        assert!(notes.name(key(NOTES)));
        notes.note_upgradable(key(7));
        give_back(notes, shares[NOTES], key(NOTES));
        assert!(notes.name(key(7)));
        notes.take_nameless_upgradable();
        assert!(!notes.name(key(7)) && notes.name(key(0)));
    }

    #[test]
    fn notes_of_a_lock_that_is_no_more_are_forgotten() {
        let notes = notes!();
        let kept = notes.note(key(1));
        notes.note(key(2));
        notes.note_upgradable(key(2));
        notes.forget(key(2));
        assert!(notes.name(key(1)) && !notes.name(key(2)));
        give_back(notes, kept, key(1));
        assert!(!notes.name(key(1)));
    }
}
