//! Writing: what happens when the fast path's compare-and-swap did not get the lock.

use crate::events::{Event, count};
use crate::platform::{Instant, Platform};
use crate::rwsem::queue::{GiveBack, Turn, is_over};
use crate::rwsem::word::count::{Count, HANDOFF, WRITER};
use crate::rwsem::{Policy, Refused, RwSem};
use crate::sync::mutated;
use crate::wait::{DrainLimit, Kind};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// At `v` the fast path does not get the lock. A writer that passes waiters once more needs one
    /// step more. All that takes longer is a tail call, so no register is saved and restored: a
    /// load behind an atomic step waits for that step.
    #[cold]
    pub(in crate::rwsem) fn write_slow(
        &self,
        v: Count,
        deadline: Option<Instant>,
    ) -> Result<(), Refused> {
        if let Err(v) = self.steal_again(v) {
            return self.write_otherwise(v, deadline);
        }
        count(Event::RwsemWlockSteal);
        match self.owner.hint().is_passing_writer(P::current_number()) {
            true => Ok(()),
            false => self.sign_first(deadline, true),
        }
    }

    /// FREE, not reserved → WRITER, once, past a waiter, if the writer need not look about.
    /// Otherwise returns the count as it is then.
    #[inline]
    fn steal_again(&self, v: Count) -> Result<(), Count> {
        let steals = L::LOOK_BEFORE_WRITE && self.may_steal(v) && Self::is_a_pass(v);
        if !steals || !Self::writer_passes_unlooked(v) {
            return Err(v);
        }
        self.count_cas(v, v.with(WRITER))
    }

    /// Takes the lock by more than one step.
    #[inline(never)]
    fn write_otherwise(&self, v: Count, deadline: Option<Instant>) -> Result<(), Refused> {
        if self.steal_write(v) {
            count(Event::RwsemWlockSteal);
        } else {
            self.wait_to_write(deadline)?;
        }
        self.drained(DrainLimit::until(deadline, L::DRAIN_AT_MOST), 0)
    }

    /// The caller has set WRITER on a free lock, and the owner word says something else than the
    /// caller's mere name: that name with a mark, another name, or a bias. Out of line, so that the
    /// write of a lock without a bias pays nothing for biases.
    #[inline(never)]
    pub(in crate::rwsem) fn sign_first(
        &self,
        deadline: Option<Instant>,
        may_wait: bool,
    ) -> Result<(), Refused> {
        self.drained(
            if may_wait { DrainLimit::until(deadline, L::DRAIN_AT_MOST) } else { DrainLimit::NONE },
            0,
        )
    }

    /// Sets WRITER, waiting for the writer and the counted readers inside. Out of line, so that a
    /// thief has few registers to save and restore.
    #[inline(never)]
    fn wait_to_write(&self, deadline: Option<Instant>) -> Result<(), Refused> {
        if L::SPIN_ON_WRITER && self.spin_for_write(deadline) {
            return Ok(());
        }
        if is_over::<P>(deadline) {
            count(Event::RwsemWlockFail);
            return Err(Refused::TimedOut);
        }
        let turn = Turn::new::<P>(Kind::Writer, deadline);
        self.queue(self.waiters.lock::<P>(), &turn, GiveBack::Nothing)
    }

    /// FREE, not reserved → WRITER, past all waiters. `seen` is the count as it stood just now.
    ///
    /// Looks before it writes: an atomic on a lock that is held fails all the same, and takes the
    /// cache line from the holder (the anon-vma report, second tweak).
    pub(in crate::rwsem) fn steal_write(&self, seen: Count) -> bool {
        let mut v = if L::LOOK_BEFORE_WRITE { seen } else { Count(0) };
        let mut passes = false;
        while self.may_steal(v) {
            if Self::is_a_pass(v) && !passes {
                passes = self.pass(Kind::Writer);
                if !passes {
                    return false;
                }
            }
            match self.count_cas(v, v.with(WRITER)) {
                Ok(()) => return true,
                Err(now) => v = now,
            }
        }
        false
    }

    /// Whether a writer that is not the first waiter may take the lock.
    pub(in crate::rwsem) fn may_steal(&self, v: Count) -> bool {
        let is_open = if L::STEAL_WRITE { !v.has(HANDOFF) } else { !v.has_head() };
        v.is_free() && (is_open || mutated!(WriterStealsThoughHandoff))
    }
}
