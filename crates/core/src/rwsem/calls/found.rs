//! Unlocking where a caller keeps no token, may unlock for another thread, and does not know
//! whether anybody has the lock at all: the interface of POSIX.
//!
//! A hold is looked for where it is noted, so all but the first step is for policies that [note
//! reads](Policy::NOTE_READS). A share is given back only if somebody has noted it: the count may
//! also show the share of a reader that is about to take it back, and then a count that somebody
//! else has lowered would fall below 0.
//!
//! The steps, in this order: the calling thread's slots, its notes, and all else. The first are in
//! `stepwise`. After the first slot a caller looks whether the thread writes, which only it knows.
//! All else begins with what is left of the caller's own, a share without a name among it, before
//! any that another thread has named: most unlock what is their own. (Such a share may be of
//! another lock. To look first whether all shares of this one are named elsewhere takes a line's
//! way for each thread, at each unlock of such a share.)

use super::{NotHeld, ToWake};
use crate::platform::Platform;
use crate::record::{Record, RecordId};
use crate::rwsem::{Policy, RwSem};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Releases a read of the calling thread, if one of its slots stands for that read alone: where
    /// reads nest, not the first.
    ///
    /// # Safety
    /// Nobody keeps the token of that read.
    #[inline]
    #[must_use]
    pub unsafe fn unlock_any_slot(&self) -> bool {
        let mut slots = P::current_or_nobody().slots().all().iter();
        let released = slots.find_map(|slot| self.unlock_this_slot(slot).ok());
        released.map(ToWake::wake).is_some()
    }

    /// Releases a read of the calling thread, if it has noted a share of the lock.
    ///
    /// # Safety
    /// As above.
    #[inline]
    #[must_use]
    pub unsafe fn unlock_noted(&self) -> bool {
        let noted = L::NOTE_READS && P::current_or_nobody().notes().take_named(self.key());
        if noted {
            self.unlock_share();
        }
        noted
    }

    /// Releases a read of the calling thread that stands elsewhere, or of another one. Looks
    /// through the records of all threads.
    ///
    /// # Errors
    /// [`NotHeld`]: nothing was released.
    ///
    /// # Safety
    /// As above, and nobody has the lock by an upgradable read.
    #[cold]
    #[inline(never)]
    pub unsafe fn unlock_found(&self) -> Result<(), NotHeld> {
        let me = P::current();
        if self.take_slot_of(me) || self.take_unnamed_of(me) {
            return Ok(());
        }
        let others = || self.all_records().filter(|record| record.id() != me.id());
        if others().any(|record| self.take_note_of(record) || self.take_slot_of(record)) {
            return Ok(());
        }
        if others().any(|record| self.take_unnamed_of(record)) { Ok(()) } else { Err(NotHeld) }
    }

    /// The memory of the lock is used for a new one: no thread has it, whatever a lock that was
    /// here has left behind.
    pub fn forget_holds(&self) {
        for record in self.all_records() {
            record.slots().forget(self.key());
            record.notes().forget(self.key());
        }
    }

    pub(in crate::rwsem) fn all_records(&self) -> impl Iterator<Item = &'static Record> {
        (1..=P::records()).filter_map(RecordId::new).map(P::record)
    }

    fn take_slot_of(&self, record: &Record) -> bool {
        if !self.has_bias() {
            return false;
        }
        let taken = record.slots().take_from_another(self.key());
        if let Some(slot) = taken {
            slot.wake_drainers::<P>();
        }
        taken.is_some()
    }

    /// A note that a lock before this one has left may stand for no share.
    fn take_note_of(&self, record: &Record) -> bool {
        record.notes().take_from_another(self.key()) && self.unlock_share_while(|| true)
    }

    /// A share that its thread has counted without a name is taken to be one of this lock, if there
    /// are readers.
    fn take_unnamed_of(&self, record: &Record) -> bool {
        let taken = self.unlock_share_while(|| record.notes().has_rest());
        if taken {
            // Where another thread has taken it meanwhile the number is as good as before.
            let _ = record.notes().take_unnamed();
        }
        taken
    }
}
