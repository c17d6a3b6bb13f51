//! Unlocking for a caller that keeps no token, may unlock for another thread, and does not know
//! whether anybody has the lock at all: the interface of POSIX.
//!
//! The unlock looks for a hold where the hold is noted, so all but the first step is for policies
//! that [note reads](Policy::NOTE_READS). It gives a share back only if a thread has noted that
//! share. The count may also show the share of a reader that is about to take it back. If an unlock
//! took that share, the reader's own step would make the count fall below 0.
//!
//! The steps, in this order: the calling thread's slots, its notes near at hand, and all else. The
//! first two stand in `stepwise`. Between them a caller looks whether the thread writes, which only
//! the caller knows. The last step begins with the caller's other holds, a share without a name
//! among them, and then goes on to holds of other threads: most callers unlock their own holds. Of
//! its own thread a caller first looks at slots, then at notes, from the front, for a mark that
//! stands for one hold. Of another thread it first looks at notes, then at slots: for a mark that
//! stands for several holds, and otherwise from the back. So where a thread has several holds of a
//! lock, the two do not aim at the same.
//!
//! A share without a name may be of another lock. To look first whether all shares of this lock are
//! named elsewhere takes a line's way for each thread, at each unlock of such a share.

use super::NotHeld;
use crate::platform::Platform;
use crate::record::{Record, RecordId};
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Releases a read of the calling thread that the other steps do not find, or a read of another
    /// thread. Looks through the records of all threads.
    ///
    /// # Errors
    /// [`NotHeld`]: nothing was released.
    ///
    /// # Safety
    /// Nobody keeps the token of that read, and nobody has the lock by an upgradable read.
    #[cold]
    #[inline(never)]
    pub unsafe fn unlock_found(&self) -> Result<(), NotHeld> {
        let me = P::current();
        if self.take_slot_of(me) || self.take_note_of(me) || self.take_unnamed_of(me) {
            return Ok(());
        }
        let others = || self.all_records().filter(|record| record.id() != me.id());
        let takes = |record| match mutated!(OthersSlotsBeforeNotes) {
            true => self.take_slot_of(record) || self.take_note_of(record),
            false => self.take_note_of(record) || self.take_slot_of(record),
        };
        if others().any(takes) {
            return Ok(());
        }
        if others().any(|record| self.take_unnamed_of(record)) { Ok(()) } else { Err(NotHeld) }
    }

    /// Clears the marks that an earlier lock has left: its memory is used for this new lock.
    ///
    /// # Safety
    /// No thread has the lock.
    pub unsafe fn forget_holds(&self) {
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

    /// Releases a share that `record` notes. A note that an earlier lock at this address has left
    /// may stand for no share.
    fn take_note_of(&self, record: &Record) -> bool {
        record.notes().take_from_another(self.key()) && self.unlock_share_while(|| true)
    }

    /// Releases a share that `record` counts without a name: it is taken for a share of this lock,
    /// if the lock has readers.
    fn take_unnamed_of(&self, record: &Record) -> bool {
        let taken = self.unlock_share_while(|| record.notes().has_rest());
        if taken {
            // This fails if other threads have lowered `rest` to 0 meanwhile: then there is nothing
            // left to lower.
            let _ = record.notes().take_unnamed();
        }
        taken
    }
}
