//! *Try* and *Leave*: what the first waiter does, under the list lock, in one step. `plan` says
//! which.
//!
//! A waiter that gets in or leaves does so by a compare-and-swap. A lost compare-and-swap returns
//! the value to plan for anew. So an overdue waiter that finds the lock free, and loses it to a
//! thief, reserves the lock in the same call: it cannot lose for ever.

use crate::events::{Event, count};
use crate::platform::{Instant, Platform};
use crate::rwsem::queue::plan::{Heir, Plan, may_reserve};
use crate::rwsem::queue::turn::heir_is_first;
use crate::rwsem::queue::{Turn, earlier};
use crate::rwsem::word::count::{Count, HANDOFF, HEAD_DOZES};
use crate::rwsem::{Policy, RwSem};
use crate::sync::{Ordering, mutated};
use crate::wait::{Kind, Locked, unpark};

/// What came of an attempt.
pub(super) enum Attempt {
    /// The lock is ours.
    Taken,
    /// The waiter's time was over; it has left the queue.
    TimedOut,
    /// The lock is held: look again when somebody calls, or at `until`.
    Held { until: Option<Instant> },
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller is the list's first; `timed_out`: it does not want to wait any longer.
    pub(super) fn attempt(&self, list: Locked<'_, P>, turn: &Turn, timed_out: bool) -> Attempt {
        let kind = turn.node.kind();
        let mut v = self.look();
        let mut plan = self.plan(&list, turn, v, timed_out);
        loop {
            let to = plan.step(v, kind);
            // A wait on top that leaves may have an heir of its own name: the wait below.
            if to == v && !plan.leaves() && !mutated!(RefillTakesNoShares) {
                return sleep_until::<P, L>(turn, v);
            }
            if mutated!(HeadUnlinksBeforeStep) && list.is_first(&turn.node) && plan.leaves() {
                list.unlink(&turn.node);
            }
            if mutated!(LeavingLooksThenAdds) && plan.leaves() {
                self.count.fetch_add(to.0.wrapping_sub(v.0), Ordering::Relaxed);
                return self.carry_out(&plan, list, turn, to);
            }
            match self.make(&plan, v, to, kind) {
                Ok(to) => return self.carry_out(&plan, list, turn, to),
                Err(now) if mutated!(TimeLookedAtOnlyWhenHeld) && !now.admits(kind) => {
                    return sleep_until::<P, L>(turn, now);
                }
                Err(now) => {
                    // Batch and heir follow from the list, whose lock is ours, so the plan still
                    // stands. A waiter that looked through the list for each step that comes
                    // between might lose to readers for ever.
                    if !(v.admits(kind) && now.admits(kind)) {
                        plan = self.plan(&list, turn, now, timed_out);
                    }
                    v = now;
                }
            }
        }
    }

    /// Makes the planned step v → `to`. Returns the count after that step, or, as an error, the
    /// present count, for which there is another plan to be made.
    ///
    /// A waiter that stays the first, and listens, makes its step whatever the count is meanwhile.
    /// A compare-and-swap might lose for ever to readers that add and subtract.
    fn make(&self, plan: &Plan, v: Count, to: Count, kind: Kind) -> Result<Count, Count> {
        if !plan.stays(kind) || mutated!(HandoffAddedAgain) {
            return self.count_cas(v, to).map(|()| to);
        }
        // Relaxed, both: the steps take nothing. No other thread sets HEAD_DOZES. A giver that
        // comes after `v` stays counted.
        let clears = v.without(to.0);
        if clears != Count(0) && !mutated!(ReservesDozing) {
            self.count.fetch_and(!clears.0, Ordering::Relaxed);
        }
        let sets = to.without(v.0).heeded();
        let to = Count(self.count.fetch_or(sets.0, Ordering::Relaxed)).with(sets.0);
        let looks_away = mutated!(HeadStaysOnFreeLock);
        if to.admits(kind) && !looks_away { Err(to) } else { Ok(to) }
    }

    /// The planned step is made and led to `v`; the list still shows the caller as the first.
    fn carry_out(&self, plan: &Plan, list: Locked<'_, P>, turn: &Turn, v: Count) -> Attempt {
        let kind = turn.node.kind();
        match plan {
            Plan::TakeWithBatch(batch) => {
                batch.grant::<P, L>(list, Some(&turn.node));
                if mutated!(GrantsBeforeCount) {
                    let rest = Count(0).plus_readers(batch.readers - 1).0;
                    self.count.fetch_add(rest, Ordering::Relaxed);
                }
                count(Event::RwsemRlock);
                Attempt::Taken
            }
            Plan::TakeAlone { heir } => {
                step_out::<P, L>(list, turn, v, *heir);
                if kind.reads() {
                    count(Event::RwsemRlock);
                } else {
                    count(Event::RwsemWlock);
                }
                Attempt::Taken
            }
            Plan::Leave { heir } => {
                step_out::<P, L>(list, turn, v, *heir);
                Attempt::TimedOut
            }
            Plan::Reserve => {
                count(Event::RwsemHandoff);
                sleep_until::<P, L>(turn, v)
            }
            Plan::Refill(batch) => {
                batch.grant::<P, L>(list, None);
                sleep_until::<P, L>(turn, v)
            }
            Plan::Sleep { .. } => sleep_until::<P, L>(turn, v),
        }
    }
}

/// A first waiter sleeps for so many times what a sleep costs, if readers behind it wait for
/// nothing but their pace.
const REFILL_AFTER: u32 = 4;

/// While the lock is not reserved, the head sleeps at most until that is due. Otherwise a head that
/// wakes a little early would sleep through the next hold. Where reserving does not help, the head
/// does not watch its due time: once that is over, it would not sleep at all.
fn sleep_until<P: Platform, L: Policy>(turn: &Turn, v: Count) -> Attempt {
    let in_vain = mutated!(WatchesInVain) && !v.has(HANDOFF);
    let open = may_reserve(v, turn.node.kind()) || in_vain;
    let watches = open && !mutated!(HeadSleepsThroughDue);
    let due = if watches { Some(turn.due::<P, L>()) } else { None };
    const { assert!(L::DOZE <= 20, "Policy::DOZE must be at most 20") }
    let sleeps = match v.has(HEAD_DOZES) {
        _ if mutated!(DozesForGood) => None,
        true => Some(if turn.beaten.get() { L::DOZE } else { 1 }),
        false => turn.may_refill.get().then_some(REFILL_AFTER),
    };
    let short = sleeps.map(|times| P::now().after(turn.me.sleeps(times)));
    Attempt::Held { until: earlier(earlier(turn.deadline, due), short) }
}

/// Unlinks the first waiter and drops the list lock. Rule H: `v` is the value of the very step that
/// named the heir. If the heir gets in at `v`, or has to watch its time, it is called.
fn step_out<P: Platform, L: Policy>(list: Locked<'_, P>, turn: &Turn, v: Count, heir: Heir) {
    if !mutated!(HeadUnlinksBeforeStep) || list.is_first(&turn.node) {
        list.unlink(&turn.node);
    }
    if L::ALTERNATE
        && !mutated!(FollowerStaysBehind)
        && let Some(heir) = heir
    {
        list.bring_forward(heir);
    }
    if let Some((id, kind)) = heir
        && v.must_wake_new_head::<L>(kind)
        && !mutated!(LeavingWakesNobody)
        && (v.is_free() || !mutated!(LeavingWakesOnlyIfFree))
    {
        heir_is_first(&list, id);
        drop(list);
        unpark::<P>(id);
    }
}
