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
//!
//! All else begins with a share that the caller has counted without a name: most unlock what is
//! their own. But such a share may be of another lock, and then this one's is named elsewhere. So
//! the shares in the count are compared with those that all threads have named. If none is left
//! over, a named one is what the caller unlocks. A caller that unlocks its own is mistaken only if
//! one reader comes for another that goes at each of two looks. Then the shares are right still,
//! but not the names.

use super::{NotHeld, ToWake};
use crate::platform::Platform;
use crate::record::{Record, RecordId};
use crate::rwsem::word::count::Count;
use crate::rwsem::{Policy, RwSem};
use crate::sync::{Ordering, mutated};

/// So often, at most, the shares in the count are compared with those that are named.
const LOOKS: u32 = 4;

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
        if self.take_slot_of(me) || self.may_have_unnamed_share(me) && self.take_unnamed_of(me) {
            return Ok(());
        }
        let all = || self.all_records();
        // A share of the caller's own would be in the count. Then no slot stands for it.
        let may_be_counted = || me.notes().has_rest() && self.look().readers() != 0;
        let taken = all().any(|record| self.take_note_of(record))
            || !may_be_counted() && all().any(|record| self.take_slot_of(record))
            || all().any(|record| self.take_unnamed_of(record))
            || all().any(|record| self.take_slot_of(record));
        if taken { Ok(()) } else { Err(NotHeld) }
    }

    /// Whether the caller has counted shares without a name, and one of them may be of this lock:
    /// more are out than all threads have named. Where readers come and go that is not known.
    fn may_have_unnamed_share(&self, me: &Record) -> bool {
        let has_rest = me.notes().has_rest();
        if !has_rest || mutated!(UnnamedIsOfThisLock) {
            return has_rest;
        }
        let mut before = None;
        for _ in 0..LOOKS {
            let (out, named) = self.shares();
            if out > named {
                return true;
            }
            if before == Some((out, named)) || mutated!(NamesSeenOnce) {
                return false;
            }
            before = Some((out, named));
        }
        true
    }

    /// How many shares are out, and how many of them are named.
    fn shares(&self) -> (u64, u64) {
        // Acquire: the notes are not read before it. Otherwise a share may be gone from the count
        // that still was in a note.
        let v = Count(self.count.load(Ordering::Acquire));
        let named = self.all_records().map(|record| record.notes().named(self.key())).sum();
        (v.readers().into(), named)
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
