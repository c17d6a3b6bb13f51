//! The notes of a thread.

use super::note::{Note, Noted, Rest, UPGRADABLE};
use super::slot::Key;
use crate::sync::const_fn;
use core::ptr;

/// So many locks one thread can note by name: what fits the line of the record's token. A model looks
/// at each of them in each look, so it has fewer.
const NOTES: usize = if cfg!(siftlock_model) { 1 } else { 3 };

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
                rest: Rest::new(),
                upgradables: Rest::new(),
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
    use crate::wait::note::MOST_EXTRA;

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
