//! Reads that note themselves: nested reads cannot deadlock, and writers do not starve.
//!
//! A thread that reads and reads once more must not wait for a writer that came in between: that
//! writer waits for the first read. If every reader passed waiting writers, the writers would
//! starve. A call of its own for nested reads ([`read_recursive`](RwSem::read_recursive)) needs a
//! caller that knows of them. Under the policy of [noting reads](Policy::NOTE_READS) the thread
//! itself knows. A reader that has got in by a share notes the lock in its own record, by a plain
//! store to a line of its own. A reader that is kept out looks at its notes before it queues. A
//! read by slot is noted by its slot (see `slots`).
//!
//! * **A read of a thread that has noted the lock** passes waiters and HANDOFF, as a recursive read
//!   does: an exception from R9, and the only one for plain reads. It waits for nobody: a share of
//!   the lock is out, so no writer is inside. That share is the same thread's. So such reads end
//!   when that thread gives back all its shares, and reads of other threads cannot join them.
//! * **A note is made** after the step that gets in, and **cleared before** the step that gives the
//!   share back: after that step the lock may be gone (rule U). Only a note's own thread makes it
//!   and looks at it, since guards stay in their thread (see `word::guards`). So a note that the
//!   thread finds stands for a share, and no order between note and share is needed. (A caller
//!   without guards may take a note of another thread away, see `found`.)
//! * **A thread that ends** with a share noted keeps its record: the next thread with that record
//!   would pass by those notes.
//! * **An upgradable read** of a thread that reads *by slot* is the exception. It needs a share,
//!   and the writer that waits for that slot lets no share in. So the read queues, and the two wait
//!   for each other.
//! * **An upgrade** clears the note before it waits, since the share goes meanwhile. An upgrade
//!   that fails makes the note again.
//! * **A lock that ends** while shares of leaked guards are out looks through the notes of all
//!   threads.
//!
//! A child process uses no record again of a thread that it does not have, so no read passes by the
//! notes there.

use crate::platform::Platform;
use crate::rwsem::slots::{NotedSlot, has_slots};
use crate::rwsem::word::token::Token;
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Notes a read that has just got in by a share, if the policy says so, and returns its token.
    #[inline]
    pub(in crate::rwsem) fn counted(&self) -> Token<L> {
        if L::NOTE_READS && !mutated!(NoteNotMade) {
            P::current().notes().note(self.key());
        }
        Token::<L>::COUNTED
    }

    /// Whether the calling thread has the lock by a share, as far as it knows.
    pub(in crate::rwsem) fn is_noted(&self) -> bool {
        L::NOTE_READS
            && L::PASS_BY_NOTES
            && (P::current().notes().name(self.key()) || mutated!(NotedIsEverybody))
    }

    /// Clears the note of a share that the calling thread is about to give back.
    #[inline]
    pub(in crate::rwsem) fn forget_share(&self) {
        if L::NOTE_READS && !mutated!(NoteStaysBehind) {
            P::current().notes().take_share(self.key());
        }
    }

    /// Releases a share, and its note.
    #[inline]
    pub(in crate::rwsem) fn unlock_counted(&self) {
        self.forget_share();
        self.unlock_share();
    }

    /// [`try_read`](Self::try_read) under a policy that notes reads. A function of its own, so that
    /// noting changes no machine code of other policies.
    #[inline]
    pub(in crate::rwsem) fn try_read_and_note(&self) -> Option<Token<L>> {
        match self.read_by_free_slot() {
            Ok(token) => Some(token),
            Err(noted) => self.try_read_past_slots(noted),
        }
    }

    /// Tries to read by any slot, unless a share is a step away, and then by a share.
    #[inline]
    pub(super) fn try_read_past_slots(&self, noted: NotedSlot) -> Option<Token<L>> {
        if has_slots::<L>()
            && !self.is_a_share_next(noted)
            && let Some(token) = self.try_read_by_any_slot(noted)
        {
            return Some(token);
        }
        if self.try_read_counted() { Some(self.counted()) } else { self.try_read_as_noted() }
    }

    #[inline(never)]
    fn try_read_by_any_slot(&self, noted: NotedSlot) -> Option<Token<L>> {
        self.read_by_slot_otherwise(noted)
    }

    /// v → v + READER, past all waiters, if the calling thread has noted the lock; or once more by
    /// the slot by which it has the lock.
    #[cold]
    #[inline(never)]
    pub(in crate::rwsem) fn try_read_as_noted(&self) -> Option<Token<L>> {
        // Not by the slot either: a try waits for no writer that waits for the slot.
        if L::NOTE_READS && !L::PASS_BY_NOTES {
            return None;
        }
        if self.is_noted() && self.share_beside_readers().is_some() {
            return Some(self.counted());
        }
        self.read_again()
    }

    /// Notes an upgradable read by which the calling thread has got in.
    #[inline]
    pub(in crate::rwsem) fn note_upgradable(&self) {
        if L::NOTE_READS && !mutated!(NoteNotMade) {
            P::current().notes().note_upgradable(self.key());
        }
    }

    /// Clears the note of an upgradable read that is about to end, or to become something else.
    #[inline]
    pub(in crate::rwsem) fn forget_upgradable(&self) {
        if L::NOTE_READS && !mutated!(NoteStaysBehind) {
            P::current().notes().take_upgradable(self.key());
        }
    }

    /// Clears the note of an upgradable read that may become a write.
    #[inline]
    pub(in crate::rwsem) fn forget_before_upgrade(&self) {
        if !mutated!(UpgradeKeepsNote) {
            self.forget_upgradable();
        }
    }

    /// Makes the note again of an upgradable read whose upgrade has failed.
    #[inline]
    pub(in crate::rwsem) fn note_failed_upgrade(&self) {
        if !mutated!(NoteLostByFailedUpgrade) {
            self.note_upgradable();
        }
    }

    /// Clears the notes of leaked guards.
    #[cold]
    #[inline(never)]
    pub(in crate::rwsem) fn forget_notes(&self) {
        for record in self.all_records() {
            record.notes().forget(self.key());
        }
    }
}
