//! The two words that say which threads have the lock, and the steps on them.
//!
//! `count` decides. `owner` names the last writer, and says whether readers may be inside by slots.
//! What a read returns (`token`) and where its guard may end (`guards`) stand here too: they say
//! which part of the words is the caller's.

mod awake;
pub(in crate::rwsem) mod count;
pub(in crate::rwsem) mod guards;
pub(in crate::rwsem) mod owner;
mod sign;
pub(in crate::rwsem) mod token;

use self::count::{Count, READER};
use crate::platform::Platform;
use crate::record::RecordId;
use crate::rwsem::{Policy, RwSem};
use crate::sync::{Ordering, ordered};
use crate::wait::unpark;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The value of the count, as a reason to try something.
    #[inline]
    pub(in crate::rwsem) fn look(&self) -> Count {
        // Relaxed: the value leads to a compare-and-swap, or is a hint.
        Count(self.count.load(Ordering::Relaxed))
    }

    /// + READER. Returns the value after it.
    #[inline]
    pub(in crate::rwsem) fn add_share(&self) -> Count {
        // Acquire: pairs with the release of the writer before.
        let order = ordered!(Acquire, unless ReadTakenRelaxed);
        Count(self.count.fetch_add(READER, order)).plus_readers(1)
    }

    /// − READER. Rule F: our share may have kept the first waiter from the lock.
    pub(in crate::rwsem) fn take_share_back(&self, silently: bool) {
        // Relaxed: nothing was read under this share.
        let v = Count(self.count.fetch_sub(READER, Ordering::Relaxed)).minus_reader();
        if let Some(head) = v.head_if_free()
            && !silently
        {
            unpark::<P>(head);
        }
    }

    /// One attempt at a step v → `to` that may get in. Acquire: pairs with the Release steps that
    /// let the holders before out.
    #[inline]
    pub(in crate::rwsem) fn count_cas(&self, v: Count, to: Count) -> Result<(), Count> {
        self.count
            .compare_exchange(
                v.0,
                to.0,
                ordered!(Acquire, unless CasTakenRelaxed),
                Ordering::Relaxed,
            )
            .map(drop)
            .map_err(Count)
    }

    /// One attempt at a releasing step v → `to`. Release: pairs with the acquire of the next
    /// holder's step.
    #[inline]
    pub(in crate::rwsem) fn count_release(&self, v: Count, to: Count) -> Result<(), Count> {
        self.count
            .compare_exchange(
                v.0,
                to.0,
                ordered!(Release, unless ReleasingCasRelaxed),
                Ordering::Relaxed,
            )
            .map(drop)
            .map_err(Count)
    }
}

/// Calls the waiter that a releasing step's value names, if any.
#[cold]
pub(in crate::rwsem) fn wake<P: Platform>(head: Option<RecordId>) {
    if let Some(id) = head {
        unpark::<P>(id);
    }
}
