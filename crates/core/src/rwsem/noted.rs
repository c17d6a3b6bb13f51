//! Reads that note themselves: nested reads cannot deadlock, and writers do not starve.
//!
//! A thread that reads and reads once more must not wait for a writer that came in between: that
//! writer waits for the first read. To let every reader pass waiting writers starves them; to ask for
//! a call of its own ([`read_recursive`](RwSem::read_recursive)) needs a caller that knows. Under the
//! policy of [noting reads](Policy::NOTE_READS) the thread knows: who has got in by a share notes the
//! lock in its own record, by a plain store to a line of its own, and who is kept out looks at its
//! notes before it queues. A read by slot is noted by its slot (see `bias`).
//!
//! * **A read of a thread that is noted** passes waiters and HANDOFF, as a recursive one: an exception
//!   from R9, and the only one for plain reads. It waits for nobody: a share of the lock is out, so no
//!   writer is inside. That share was taken in the same thread; so such reads end when that thread
//!   gives back all that it has, and no other thread's can join them.
//! * **A note is made** after the step that gets in, and **cleared before** the step that gives the
//!   share back. By that order a note that is found, after a step on the count that acquires, is that
//!   of a share which was there in that step. The other way round a thread whose share another thread
//!   gives back could pass writers beside nobody; and after the releasing step the lock may be gone, and
//!   the note be that of the next lock at its address (rule U).
//! * **The share behind it may be another thread's by now**: with its token, its guard. It is noted
//!   where it was taken until it is given back. A thread that ends leaves its notes to the next one
//!   with its record, for as long.
//! * **An upgradable read** of a thread that reads *by slot* is the exception: it needs a share, and the
//!   writer that waits for that slot lets none in. It queues, and the two wait for each other.
//! * **An upgrade** takes the note off before it waits, since the share goes meanwhile, and makes it
//!   again if it fails.
//! * **A lock that ends** with shares out, those of leaked guards, has the notes of all threads looked
//!   through.
//!
//! In a child process no record of a thread that it does not have is used again, so what is noted
//! there is asked by nobody.

use super::count::Count;
use super::token::ReadToken;
use super::{Policy, RwSem};
use crate::platform::Platform;
use crate::sync::{Ordering, mutated};
use crate::wait::{Noted, Notes, RecordId};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The token of a read that has just got in by a share.
    #[inline]
    pub(super) fn counted(&self) -> ReadToken {
        if !L::NOTE_READS || mutated!(NoteNotMade) {
            return ReadToken::COUNTED;
        }
        ReadToken::noted(P::current().notes().note(self.key()))
    }

    /// Whether the calling thread has the lock by a share, as far as it knows.
    pub(super) fn is_noted(&self) -> bool {
        L::NOTE_READS && (P::current().notes().name(self.key()) || mutated!(NotedIsEverybody))
    }

    /// Takes the note of a share that is about to be given back, and leaves the share's token.
    #[inline]
    pub(super) fn without_note(&self, token: ReadToken) -> ReadToken {
        if !L::NOTE_READS {
            return token;
        }
        let Some(noted) = token.note() else { return token };
        if !mutated!(NoteStaysBehind) {
            self.take_note(noted);
        }
        ReadToken::COUNTED
    }

    /// Releases a share. Out of line, or an unlock by slot would be.
    #[inline(never)]
    pub(super) fn unlock_noted(&self, token: ReadToken) {
        if mutated!(NoteClearedAfterRelease) {
            self.unlock_share();
            let _ = self.without_note(token);
            return;
        }
        let _ = self.without_note(token);
        self.unlock_share();
    }

    #[inline]
    fn take_note(&self, noted: Noted) {
        let key = self.key();
        match noted {
            // Another thread's note is its own to store to. Both fail if a call without a token has
            // taken this note for its own: then there is nothing left to clear.
            Noted::Here(note) => {
                let mine = P::current().notes().contain(note);
                let _ = mine && note.clear_only_share(key) || note.take_share(key);
            }
            Noted::Rest(rest) => rest.take_share(),
        }
    }

    /// The calling thread is about to give back a share whose token is not to be had.
    #[inline]
    pub(super) fn forget_a_share(&self) {
        if L::NOTE_READS && self.look().readers() != 0 {
            P::current().notes().take_share(self.key());
        }
    }

    /// [`try_read`](Self::try_read), apart from it: that of other policies is then the same machine code
    /// as without this one.
    #[inline]
    pub(super) fn try_read_and_note(&self) -> Option<ReadToken> {
        if let Some(token) = self.read_by_slot() {
            return Some(token);
        }
        if self.try_read_counted() { Some(self.counted()) } else { self.try_read_as_noted() }
    }

    /// What the count shows to a thread that looks at its notes next; where there are none, what it has
    /// `seen`.
    #[inline]
    pub(super) fn before_notes(&self, seen: Count) -> Count {
        if !L::NOTE_READS {
            return seen;
        }
        // Acquire: pairs with the release by which another thread gave back a share of ours, after it
        // had cleared the note.
        Count(self.count.load(Ordering::Acquire))
    }

    /// v → v + BIAS, whoever waits, if the calling thread has the lock already.
    #[cold]
    #[inline(never)]
    pub(super) fn try_read_as_noted(&self) -> Option<ReadToken> {
        loop {
            let v = self.before_notes(Count(0));
            if !v.admits_recursive_reader() || !self.is_noted() {
                // By a slot, perhaps.
                return self.read_again();
            }
            if self.count_cas(v, v.plus_readers(1)).is_ok() {
                return Some(self.counted());
            }
        }
    }

    /// The calling thread has got in by an upgradable read.
    #[inline]
    pub(super) fn note_upgradable(&self) {
        if L::NOTE_READS && !mutated!(NoteNotMade) {
            P::current().notes().note_upgradable(self.key());
        }
    }

    /// The upgradable read is about to end, or to become something else. It may have begun in another
    /// thread.
    #[inline]
    pub(super) fn forget_upgradable(&self) {
        if L::NOTE_READS && !mutated!(NoteStaysBehind) {
            self.take_upgradable_note();
        }
    }

    /// The upgradable read may become a write.
    #[inline]
    pub(super) fn forget_before_upgrade(&self) {
        if !mutated!(UpgradeKeepsNote) {
            self.forget_upgradable();
        }
    }

    /// It is one still, and perhaps of another thread now.
    #[inline]
    pub(super) fn note_failed_upgrade(&self) {
        if !mutated!(NoteLostByFailedUpgrade) {
            self.note_upgradable();
        }
    }

    fn take_upgradable_note(&self) {
        let (mine, key) = (P::current().notes(), self.key());
        if !mine.take_upgradable(key) && !Self::all_notes().any(|notes| notes.take_upgradable(key))
        {
            // There was no note left to name it. Such a guard belongs to its thread.
            mine.take_nameless_upgradable();
        }
    }

    /// Clears the notes of leaked guards.
    #[cold]
    #[inline(never)]
    pub(super) fn forget_notes(&self) {
        let key = self.key();
        Self::all_notes().for_each(|notes| notes.forget(key));
    }

    /// Those of all threads.
    fn all_notes() -> impl Iterator<Item = &'static Notes> {
        (1..=P::records()).filter_map(RecordId::new).map(|id| P::record(id).notes())
    }
}
