//! What a first waiter sees of those inside: whether they stay there, and how soon others come.
//!
//! It looks before it takes the list lock: whoever queues waits behind that.
//!
//! **Long rounds.** Where holds and the pauses between them are short, whoever passes the first waiter goes on to do
//! so for some thousand times, since a change of threads costs more than all those holds. Where they are long it
//! costs less than one, and the others, who wait behind the first, would leave processors idle for nothing. So a
//! waiter that has been the first for [`Policy::DOZE_FOR`], and then sees that hardly anybody comes or goes, has
//! the lock reserved. Not one with a deadline: it may not get in at all, and would have kept readers out.
//!
//! **Reserved**, the first waiter stays awake for as long as a sleep costs, since nobody else can come.

use crate::platform::{Instant, Platform};
use crate::rwsem::queue::Turn;
use crate::rwsem::queue::attempt::may_refill;
use crate::rwsem::word::count::{Count, HANDOFF};
use crate::rwsem::{Policy, RwSem};
use crate::spin::SHORT_SPIN;
use crate::sync::spin_while;

/// Looks at a count that does not change, some microseconds, after which its readers are taken to
/// stay.
const STILL: u32 = 4 * SHORT_SPIN;

/// Rounds are long if less than so many are seen in the time of so many short ones. Some are overlooked.
const ROUNDS: u64 = 4;
const SHORT_ROUNDS: u64 = 8;

impl Turn {
    /// When a first waiter looks whether rounds are long, if it does not wake before.
    pub(super) fn first_look<P: Platform, L: Policy>(&self) -> Option<Instant> {
        self.may_be_early::<P, L>().then(|| P::now().after(L::DOZE_FOR))
    }

    /// Whether the lock may be reserved for it before its time.
    fn may_be_early<P: Platform, L: Policy>(&self) -> bool {
        L::DOZE_FOR != 0
            && self.deadline.is_none()
            && P::may_spin()
            && self.due::<P, L>().as_nanos() != u64::MAX
    }

    /// Whether it has been the first for as long as a doze lasts.
    fn has_dozed<L: Policy>(&self, now: Instant) -> bool {
        self.since.get().is_some_and(|since| now.nanos_since(since) >= L::DOZE_FOR)
    }
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller, the first waiter, has slept, and the count is `v`.
    pub(super) fn look_around(&self, turn: &Turn, v: Count) {
        self.watch(turn);
        let is_refilled = turn.may_refill.get();
        turn.still.set(if is_refilled { self.readers_stay(turn, v).then_some(v) } else { None });
        let now = P::now();
        // Not while readers behind it would be let in beside those inside.
        let may_be_early = !is_refilled && !v.has(HANDOFF) && turn.has_dozed::<L>(now);
        if may_be_early && turn.may_be_early::<P, L>() && self.has_long_rounds(turn, v, now) {
            turn.due.set(Some(now));
        }
    }

    /// Whether readers have the lock and stay there, for a first waiter behind which others wait for their pace. It
    /// finds them behind it when it looks for the first time, so it lets them in when it looks for the second.
    fn readers_stay(&self, turn: &Turn, v: Count) -> bool {
        let held = !v.admits(turn.node.kind());
        held && may_refill::<L>(v) && spin_while(&self.count, v.0, STILL) == v.0
    }

    /// Whether others come and go rarely. False also if the lock is there for the waiter.
    fn has_long_rounds(&self, turn: &Turn, mut v: Count, begun: Instant) -> bool {
        const { assert!(L::SHORT_ROUND <= 10_000, "Policy::SHORT_ROUND must be at most 10 µs") }
        let end = begun.after(SHORT_ROUNDS * L::SHORT_ROUND);
        let mut changes = 0;
        while !v.admits(turn.node.kind()) && changes <= 2 * ROUNDS {
            if P::now() >= end {
                return true;
            }
            let now = Count(spin_while(&self.count, v.0, SHORT_SPIN));
            changes += u64::from(now != v);
            v = now;
        }
        false
    }

    /// If the lock is reserved for the caller, the first waiter, it waits awake for those inside to leave. False:
    /// not long enough.
    pub(super) fn awaits_holders(&self, turn: &Turn) -> bool {
        let v = self.look();
        let is_ours = v.has(HANDOFF) && v.head() == Some(turn.me.id());
        if !is_ours || !P::may_spin() {
            return false;
        }
        let end = turn.me.awake_until(P::now(), turn.deadline);
        let kind = turn.node.kind();
        self.watch_while(v, end, |v| !v.admits(kind)).admits(kind)
    }
}
