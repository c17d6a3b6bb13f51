//! What a first waiter sees of those inside: whether they stay there.
//!
//! It looks before it takes the list lock: whoever queues waits behind that.
//!
//! **Long holds.** Where holds are short, whoever passes the first waiter goes on to do so for some thousand
//! times, since a change of threads costs more than all those holds. Where they are long it costs less than
//! one, and the others, who wait behind the first, would leave processors idle for nothing. So a waiter that
//! has been beaten, has dozed, and then sees that nobody comes or goes for a while, is due: the lock is
//! reserved for it. While a writer is inside it waits for a whole turn ([`Policy::MIN_TURN`]): one at a time
//! is all that there can be then. And a writer that comes first, after spinners have seen readers stay, is due
//! at once.
//!
//! **Reserved**, the first waiter stays awake for a moment, since nobody else can come.

use crate::platform::Platform;
use crate::rwsem::queue::Turn;
use crate::rwsem::queue::attempt::may_refill;
use crate::rwsem::word::count::{Count, HANDOFF, WRITER};
use crate::rwsem::{Policy, RwSem};
use crate::spin::SHORT_SPIN;
use crate::sync::spin_while;
use crate::wait::Kind;

/// Looks at a count that does not change, some microseconds, after which its readers are taken to
/// stay. So long a waiter that has the lock reserved stays awake, too.
const STILL: u32 = 4 * SHORT_SPIN;

/// Whether a first waiter of this policy is ever due before its time.
const fn ends_turns<L: Policy>() -> bool {
    L::DOZE_FOR != 0 && L::HANDOFF_AFTER != u64::MAX
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Sees, for a first waiter behind which readers wait for their pace, whether those inside stay there.
    /// A first waiter finds readers behind it when it looks for the first time, so it lets them in when it looks
    /// for the second.
    pub(super) fn look_at_readers(&self, turn: &Turn) {
        turn.still.set(None);
        if !turn.may_refill.get() {
            return;
        }
        let v = self.look();
        let held = !v.admits(turn.node.kind());
        turn.still.set((held && may_refill::<L>(v) && self.stays_at(v, STILL)).then_some(v));
    }

    /// A writer that comes first is due at once where spinners have seen readers stay. `v`: the count then.
    pub(super) fn look_at_hint(&self, turn: &Turn, v: Count) {
        let readers_stay = || !v.has(WRITER) && self.owner.hint().forbids_spinning();
        if ends_turns::<L>() && turn.node.kind() == Kind::Writer && readers_stay() {
            turn.due.set(Some(P::now()));
        }
    }

    /// A first waiter that has dozed is due where holds are long. Not while readers behind it would be let in
    /// beside those inside.
    pub(super) fn look_at_holds(&self, turn: &Turn) {
        let v = self.look();
        if !ends_turns::<L>() || turn.losses.get() < 2 || v.has(HANDOFF) || turn.may_refill.get() {
            return;
        }
        let (now, due) = (P::now(), turn.due::<P, L>());
        let waited = P::handoff_after(L::HANDOFF_AFTER).saturating_sub(due.nanos_since(now));
        let turn_of_those_inside = if v.has(WRITER) { L::MIN_TURN } else { L::DOZE_FOR };
        let held = !v.admits(turn.node.kind());
        if held && waited >= turn_of_those_inside && self.stays_at(v, SHORT_SPIN) {
            turn.due.set(Some(now));
        }
    }

    /// If the lock is reserved for the caller, the first waiter, it waits awake for those inside to leave.
    pub(super) fn await_holders(&self) {
        let v = self.look();
        if ends_turns::<L>() && v.has(HANDOFF) && !v.is_free() && P::may_spin() {
            self.stays_at(v, STILL);
        }
    }

    /// Whether the count stays what it is for so many looks.
    fn stays_at(&self, v: Count, looks: u32) -> bool {
        spin_while(&self.count, v.0, looks) == v.0
    }
}
