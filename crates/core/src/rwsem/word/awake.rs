//! Waiting awake: whether it is worth it, as the two words show, and for how long.

use super::count::{Count, HANDOFF, WRITER};
use crate::platform::{Instant, Platform};
use crate::record::RecordId;
use crate::rwsem::{Policy, RwSem};
use crate::spin::{Running, SHORT_SPIN};
use crate::sync::{mutated, spin_while};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Whether the lock is likely to become free, for anybody, soon.
    pub(in crate::rwsem) fn is_worth_spinning(&self, v: Count) -> bool {
        if v.has(HANDOFF) && !mutated!(SpinsOnReservedLock) {
            return false;
        }
        let hint = self.owner.hint();
        if v.has(WRITER) {
            // An owner that has not signed yet is running; or it waits for readers in slots,
            // perhaps asleep; or it has left a bias on. Nobody can tell which.
            hint.writer().is_none_or(|owner| P::may_spin_on(P::record(owner)))
        } else {
            // If more readers are inside than can run beside the spinner, one has no processor.
            let may_all_run = || v.readers() < P::processors();
            v.is_free() || L::SPIN_ON_READERS && !hint.forbids_spinning() && may_all_run()
        }
    }

    /// Looks at the count, which was `v`, for as long as the caller `waits` and the owner runs,
    /// until `end` at the latest. Returns the count as it is then.
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

    /// Whether the writer that has the lock at `v` has lost its processor, for a thread that waits
    /// awake.
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
}
