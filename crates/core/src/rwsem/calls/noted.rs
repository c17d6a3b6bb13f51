//! Reads that note themselves: nested reads cannot deadlock, and writers do not starve.
//!
//! A thread that reads and reads once more must not wait for a writer that came in between: that
//! writer waits for the first read. To let every reader pass waiting writers starves them; to ask
//! for a call of its own ([`read_recursive`](RwSem::read_recursive)) needs a caller that knows.
//! Under the policy of [noting reads](Policy::NOTE_READS) the thread knows: who has got in by a
//! share notes the lock in its own record, by a plain store to a line of its own, and who is kept
//! out looks at its notes before it queues. A read by slot is noted by its slot (see `slots`).
//!
//! * **A read of a thread that is noted** passes waiters and HANDOFF, as a recursive one: an
//!   exception from R9, and the only one for plain reads. It waits for nobody: a share of the lock
//!   is out, so no writer is inside. That share is the same thread's; so such reads end when that
//!   thread gives back all that it has, and no other thread's can join them.
//! * **A note is made** after the step that gets in, and **cleared before** the step that gives the
//!   share back: after that the lock may be gone (rule U). Only its own thread makes a note and
//!   asks it anything, since guards stay in their thread (see `word::guards`). So a note that is
//!   found stands for a share, and no order between the two is needed. (A caller without guards may
//!   take a note of another thread away, see `found`.)
//! * **A thread that ends** with a share noted keeps its record: the next one would pass in its
//!   name.
//! * **An upgradable read** of a thread that reads *by slot* is the exception: it needs a share,
//!   and the writer that waits for that slot lets none in. It queues, and the two wait for each
//!   other.
//! * **An upgrade** takes the note off before it waits, since the share goes meanwhile, and makes
//!   it again if it fails.
//! * **A lock that ends** with shares out, those of leaked guards, has the notes of all threads
//!   looked through.
//!
//! In a child process no record of a thread that it does not have is used again, so what is noted
//! there is asked by nobody.

use crate::platform::Platform;
use crate::rwsem::slots::{NotedSlot, has_slots};
use crate::rwsem::word::token::Token;
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The token of a read that has just got in by a share, and its note.
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

    /// The calling thread is about to give back a share.
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

    /// [`try_read`](Self::try_read), apart from it: that of other policies is then the same machine
    /// code as without this one.
    #[inline]
    pub(in crate::rwsem) fn try_read_and_note(&self) -> Option<Token<L>> {
        match self.read_by_first_slot() {
            Ok(token) => Some(token),
            Err(noted) => match self.read_by_second_slot(noted) {
                Ok(token) => Some(token),
                Err(noted) => self.try_read_past_slots(noted),
            },
        }
    }

    /// By any slot, unless a share is a step away; or by that.
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

    /// v → v + READER, whoever waits, if the calling thread has the lock already.
    #[cold]
    #[inline(never)]
    pub(in crate::rwsem) fn try_read_as_noted(&self) -> Option<Token<L>> {
        // Nor by a slot: a try waits for no writer that waits for that.
        if L::NOTE_READS && !L::PASS_BY_NOTES {
            return None;
        }
        if self.is_noted() && self.share_beside_readers().is_some() {
            return Some(self.counted());
        }
        self.read_again()
    }

    /// The calling thread has got in by an upgradable read.
    #[inline]
    pub(in crate::rwsem) fn note_upgradable(&self) {
        if L::NOTE_READS && !mutated!(NoteNotMade) {
            P::current().notes().note_upgradable(self.key());
        }
    }

    /// The upgradable read is about to end, or to become something else.
    #[inline]
    pub(in crate::rwsem) fn forget_upgradable(&self) {
        if L::NOTE_READS && !mutated!(NoteStaysBehind) {
            P::current().notes().take_upgradable(self.key());
        }
    }

    /// The upgradable read may become a write.
    #[inline]
    pub(in crate::rwsem) fn forget_before_upgrade(&self) {
        if !mutated!(UpgradeKeepsNote) {
            self.forget_upgradable();
        }
    }

    /// It is one still.
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
