//! The two words that say who has the lock, and the steps on them.
//!
//! `count` decides; `owner` says who wrote last and who may be inside by a slot. What a read returns (`token`) and
//! where its guard may end (`guards`) stand here too: they say what of the words is the caller's.

pub(in crate::rwsem) mod count;
pub(in crate::rwsem) mod guards;
pub(in crate::rwsem) mod owner;
mod sign;
pub(in crate::rwsem) mod token;

use self::count::{Count, WRITER};
use crate::platform::{Instant, Platform};
use crate::record::RecordId;
use crate::rwsem::{Policy, RwSem};
use crate::spin::{Running, SHORT_SPIN};
use crate::sync::{Ordering, ordered, spin_while};
use crate::wait::unpark;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The value of the count, as a reason to try something.
    #[inline]
    pub(in crate::rwsem) fn look(&self) -> Count {
        // Relaxed: whatever follows from it is a compare-and-swap, or a hint.
        Count(self.count.load(Ordering::Relaxed))
    }

    /// Looks at the count, which was `v`, for as long as the caller `waits` and the owner runs, until `end` at the
    /// latest. Returns what it is then.
    pub(in crate::rwsem) fn watch_while(
        &self,
        mut v: Count,
        end: Instant,
        running: &mut Running,
        waits: impl Fn(Count) -> bool,
    ) -> Count {
        while waits(v) {
            let now = P::now();
            if now >= end || self.owner_has_stopped(v, running, now) {
                break;
            }
            v = Count(spin_while(&self.count, v.0, SHORT_SPIN));
        }
        v
    }

    /// The writer that has the lock at `v`, so far as that is known.
    pub(in crate::rwsem) fn owner_at(&self, v: Count) -> Option<RecordId> {
        if v.has(WRITER) { self.owner.hint().writer() } else { None }
    }

    /// Whether that writer has lost its processor, for a thread that waits awake.
    pub(in crate::rwsem) fn owner_has_stopped(
        &self,
        v: Count,
        running: &mut Running,
        now: Instant,
    ) -> bool {
        running.has_stopped(now, || {
            let owner = self.owner_at(v)?;
            Some((owner, P::processor_time(P::record(owner))?))
        })
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

    /// One attempt at a releasing step v → `to`. Release: pairs with the acquire of whoever comes
    /// next.
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

/// Calls the waiter whom a releasing step's value names, if any.
#[cold]
pub(in crate::rwsem) fn wake<P: Platform>(head: Option<RecordId>) {
    if let Some(id) = head {
        unpark::<P>(id);
    }
}
