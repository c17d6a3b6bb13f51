//! What a first waiter sees when it wakes: whether the threads inside stay there.
//!
//! It looks before it takes the list lock, since each thread that queues waits for that lock.
//!
//! It stays awake for as long as a sleep costs where the threads inside leave soon and it may be
//! next:
//!
//! - **reserved**, since nobody else can come;
//! - **beside readers**, fewer than there are processors, if it was called and came too late. It
//!   has a processor already, and writers that come now wait awake, too. Not beside a writer: two
//!   threads that write by turns move all lines each time.

use crate::platform::Platform;
use crate::rwsem::queue::Turn;
use crate::rwsem::queue::plan::may_refill;
use crate::rwsem::word::count::{Count, HANDOFF, WRITER};
use crate::rwsem::{Policy, RwSem};
use crate::spin::{Running, SHORT_SPIN};
use crate::sync::spin_while;

/// After so many looks at a count that does not change, some microseconds, its readers are taken to
/// stay.
const STILL: u32 = 4 * SHORT_SPIN;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller, the first waiter, has slept, and the count is `v`.
    pub(super) fn look_around(&self, turn: &Turn, v: Count) {
        self.watch(turn, v);
        let stay = turn.may_refill.get() && self.readers_stay(turn, v);
        turn.still.set(stay.then_some(v));
    }

    /// Whether readers have the lock and stay there. For a first waiter behind which readers wait
    /// for their pace: it finds these at its first look, and lets them in at its second.
    fn readers_stay(&self, turn: &Turn, v: Count) -> bool {
        let held = !v.admits(turn.node.kind());
        held && may_refill::<L>(v) && spin_while(&self.count, v.0, STILL) == v.0
    }

    /// If the caller is the first waiter and may be next, it waits awake for the threads inside to
    /// leave. Returns whether the lock then admits it.
    pub(super) fn awaits_holders(&self, turn: &Turn) -> bool {
        let v = self.look();
        if v.head() != Some(turn.me.id()) || !self.may_be_next(turn, v) || !P::may_spin() {
            return false;
        }
        let end = turn.me.awake_until(P::now(), turn.deadline);
        let kind = turn.node.kind();
        let waits = |v: Count| !v.admits(kind) && self.may_be_next(turn, v);
        self.watch_while(v, end, &mut Running::new(), waits).admits(kind)
    }

    fn may_be_next(&self, turn: &Turn, v: Count) -> bool {
        let came_too_late = turn.beaten.get() && !turn.dozes;
        let beside_readers = v.readers() != 0 && !v.has(WRITER);
        v.has(HANDOFF) || came_too_late && beside_readers && self.is_worth_spinning(v)
    }
}
