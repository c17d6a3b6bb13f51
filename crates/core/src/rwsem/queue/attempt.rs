//! *Try* and *Leave*: what the first waiter does, under the list lock, in one compare-and-swap.
//!
//! | plan | when | step on the count |
//! | --- | --- | --- |
//! | take | the value admits it | + its share, or + WRITER; HEAD and its bits as for the next in the list; HANDOFF off |
//! | leave | held, time is over | HEAD and its bits as for the next in the list; HANDOFF off |
//! | reserve | held, overdue, HANDOFF clear | HANDOFF on, HEAD_DOZES off |
//! | refill | held by readers who stay, others behind | + their shares |
//! | sleep | held | HEAD_BEATEN on where not reserved; HEAD_DOZES on if it sleeps by choice, or was beaten and a writer has the lock; off otherwise |
//!
//! A lost compare-and-swap returns the value to plan for anew. So a waiter that finds the lock
//! free, loses it to a thief and is overdue reserves it in the same call: it cannot lose for ever.

use crate::events::{Event, count};
use crate::platform::{Instant, Platform};
use crate::rwsem::queue::batch::{Batch, MAX_NODES_LOOKED_AT};
use crate::rwsem::queue::turn::heir_is_first;
use crate::rwsem::queue::{Turn, earlier};
use crate::rwsem::word::count::{Count, HANDOFF, HEAD_DOZES, UPGRADER, WAITERS, WRITER};
use crate::rwsem::{Policy, RwSem};
use crate::sync::{Ordering, mutated};
use crate::wait::{Kind, Locked, Name, Waiter, unpark};

/// What came of it.
pub(super) enum Attempt {
    /// The lock is ours.
    Taken,
    /// The time was over; we have left the queue.
    TimedOut,
    /// The lock is held: look again when somebody calls, or at that moment.
    Held { until: Option<Instant> },
}

enum Plan {
    TakeWithBatch(Batch),
    TakeAlone { heir: Heir },
    Leave { heir: Heir },
    Reserve,
    Refill(Batch),
    Sleep { dozing: bool },
}

impl Plan {
    fn leaves(&self) -> bool {
        matches!(self, Self::Leave { .. })
    }
}

/// Who becomes the first waiter.
type Heir = Option<Name>;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller is the list's first; `timed_out`: it does not want to wait any longer.
    pub(super) fn attempt(&self, list: Locked<'_, P>, turn: &Turn, timed_out: bool) -> Attempt {
        let kind = turn.node.kind();
        let mut v = self.look();
        loop {
            let plan = self.plan(&list, turn, v, timed_out);
            let to = match &plan {
                Plan::TakeWithBatch(batch) => batch.taken(v),
                Plan::TakeAlone { heir } => taken(v, kind).with_head(*heir),
                Plan::Leave { heir } => left(v, kind, *heir),
                Plan::Reserve => reserved(v),
                Plan::Refill(batch) => batch.joined(v),
                Plan::Sleep { dozing } => v.with_dozing(*dozing).beaten(),
            };
            if to == v && !mutated!(RefillTakesNoShares) {
                return held::<P, L>(turn, v);
            }
            if mutated!(HeadUnlinksBeforeStep) && list.is_first(&turn.node) && plan.leaves() {
                list.unlink(&turn.node);
            }
            if mutated!(LeavingLooksThenAdds) && plan.leaves() {
                self.count.fetch_add(to.0.wrapping_sub(v.0), Ordering::Relaxed);
                return self.carry_out(&plan, list, turn, to);
            }
            match self.count_cas(v, to) {
                Ok(()) => return self.carry_out(&plan, list, turn, to),
                Err(now) if mutated!(TimeLookedAtOnlyWhenHeld) && !now.admits(kind) => {
                    return held::<P, L>(turn, now);
                }
                Err(now) => v = now,
            }
        }
    }

    /// The count has made the planned step and stands at `v`; the list still shows us first.
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
                held::<P, L>(turn, v)
            }
            Plan::Refill(batch) => {
                batch.grant::<P, L>(list, None);
                held::<P, L>(turn, v)
            }
            Plan::Sleep { .. } => held::<P, L>(turn, v),
        }
    }

    fn plan(&self, list: &Locked<'_, P>, turn: &Turn, v: Count, timed_out: bool) -> Plan {
        let kind = turn.node.kind();
        turn.may_refill.set(false);
        if v.admits(kind) {
            return match kind {
                Kind::Reader => Plan::TakeWithBatch(Batch::choose::<P, L>(list)),
                Kind::Upgradable | Kind::Upgrade => Plan::TakeAlone { heir: next(list, turn) },
                Kind::Writer => Plan::TakeAlone { heir: after_writer::<P, L>(list, turn) },
            };
        }
        if timed_out {
            return Plan::Leave { heir: next(list, turn) };
        }
        let open = may_reserve(v, kind);
        if open && turn.due::<P, L>() <= P::now() {
            return Plan::Reserve;
        }
        let refill = may_refill::<L>(v).then(|| Batch::behind::<P, L>(list, v.readers()));
        let refill = refill.filter(|batch| batch.readers != 0);
        turn.may_refill.set(refill.is_some());
        match refill {
            Some(batch) if turn.still.get() == Some(v) => Plan::Refill(batch),
            _ => Plan::Sleep {
                dozing: L::DOZE != 0 && open && (turn.dozes || turn.beaten.get() && v.has(WRITER)),
            },
        }
    }
}

/// For how many times what a sleep costs a first waiter sleeps behind which readers wait for nothing but their
/// pace.
const REFILL_AFTER: u32 = 4;

/// Readers have the lock, and there may be others who wait for nothing but their pace.
pub(super) fn may_refill<L: Policy>(v: Count) -> bool {
    L::READERS_PER_PROCESSOR != 0 && !v.has(WRITER | HANDOFF) && v.readers() != 0
}

/// Not reserved yet, and reserving would help: an upgradable read that waits for another one, not
/// for a writer, is kept out by no reader, and must keep out none.
fn may_reserve(v: Count, kind: Kind) -> bool {
    let open = !v.has(HANDOFF) || mutated!(HandoffAddedAgain);
    let helps = kind != Kind::Upgradable || v.has(WRITER);
    open && helps && !mutated!(NeverReserves)
}

/// With the lock not reserved yet, sleep at most until that is due; else a head that wakes a little
/// early would sleep through the next hold. Where reserving does not help there is nothing to watch:
/// with its due time over, such a head would not sleep at all.
fn held<P: Platform, L: Policy>(turn: &Turn, v: Count) -> Attempt {
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

/// Who comes first when this waiter, the first, has gone.
fn next<P: Platform>(list: &Locked<'_, P>, turn: &Turn) -> Heir {
    list.after(&turn.node).map(Waiter::name)
}

/// Who comes first when this writer has taken the lock: a reader, where the policy alternates.
fn after_writer<P: Platform, L: Policy>(list: &Locked<'_, P>, turn: &Turn) -> Heir {
    let mut behind = list.iter().skip(1).take(MAX_NODES_LOOKED_AT);
    let reader = if L::ALTERNATE { behind.find(|node| node.kind() == Kind::Reader) } else { None };
    reader.map(Waiter::name).or_else(|| next(list, turn))
}

/// The count with the lock taken by one waiter that is not a plain reader.
fn taken(v: Count, kind: Kind) -> Count {
    match kind {
        Kind::Reader | Kind::Upgradable => v.plus_readers(1).with(UPGRADER),
        Kind::Writer => v.with(WRITER),
        Kind::Upgrade if mutated!(UpgradeKeepsUpgrader) => v.with(WRITER),
        Kind::Upgrade => v.with(WRITER).without(UPGRADER),
    }
}

/// The count without a waiter that gives up. One that waited to upgrade has its share again.
fn left(v: Count, kind: Kind, heir: Heir) -> Count {
    let regains = kind == Kind::Upgrade && !mutated!(UpgradeTimeoutLosesShare);
    let v = if regains { v.plus_readers(1) } else { v };
    v.with_head(heir).with(v.0 & wrongly_kept(kind))
}

/// What a mutant's leaving head forgets to clear.
fn wrongly_kept(kind: Kind) -> u64 {
    match kind {
        _ if mutated!(LeavingKeepsHandoff) => HANDOFF,
        Kind::Reader if mutated!(LeavingReaderKeepsWaiters) => WAITERS,
        _ => 0,
    }
}

fn reserved(v: Count) -> Count {
    if mutated!(HandoffAddedAgain) { Count(v.0 + HANDOFF) } else { v.reserved() }
}

/// Unlinks the first waiter and drops the list lock. Rule H: if the lock, in the value of the very
/// step that named the heir, is not held against it, the heir is called.
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
