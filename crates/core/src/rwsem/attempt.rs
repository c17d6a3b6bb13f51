//! *Try* and *Leave*: what the first waiter does, under the list lock, in one compare-and-swap.
//!
//! | plan | when | step on the count |
//! | --- | --- | --- |
//! | take | the value admits it | + its share, or + WRITER; HEAD, WAITERS, HEAD_READER of the rest; HANDOFF off |
//! | leave | held, time is over | HEAD, WAITERS, HEAD_READER of the rest; HANDOFF off |
//! | reserve | held, overdue, HANDOFF clear | HANDOFF on |
//! | sleep | held | none |
//!
//! A lost compare-and-swap returns the value to plan for anew. So a waiter that finds the lock
//! free, loses it to a thief and is overdue reserves it in the same call: it cannot lose for ever.

use super::count::{Count, HANDOFF, UPGRADER, WAITERS, WRITER};
use super::queue::{Rest, Turn, earlier};
use super::wake::{Batch, MAX_NODES_LOOKED_AT, call};
use super::{Policy, RwSem};
use crate::events::{Event, count};
use crate::platform::Platform;
use crate::sync::{Ordering, mutated};
use crate::wait::{Kind, Locked, RecordId};

/// What came of it.
pub(super) enum Attempt {
    /// The lock is ours.
    Taken,
    /// The time was over; we have left the queue.
    TimedOut,
    /// The lock is held.
    Held(Rest),
}

enum Plan {
    TakeWithBatch(Batch),
    TakeAlone,
    Leave,
    Reserve,
    Sleep,
}

impl Plan {
    fn leaves(&self) -> bool {
        matches!(self, Self::Leave)
    }
}

/// A waiter that becomes the first.
type Heir = Option<(RecordId, Kind)>;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller is the list's first; `timed_out`: it does not want to wait any longer.
    pub(super) fn attempt(&self, list: Locked<'_>, turn: &Turn, timed_out: bool) -> Attempt {
        let kind = turn.node.kind();
        let heir: Heir = list.after(&turn.node).map(|next| (next.id(), next.kind()));
        let mut v = self.look();
        loop {
            let plan = plan::<P, L>(&list, turn, v, timed_out);
            let to = match &plan {
                Plan::TakeWithBatch(batch) => batch.taken(v),
                Plan::TakeAlone => taken(v, kind).with_head(follower::<L>(&list, turn, heir)),
                Plan::Leave => left(v, kind, heir),
                Plan::Reserve => reserved(v),
                Plan::Sleep => return held::<P, L>(turn, v),
            };
            if mutated!(HeadUnlinksBeforeStep) && list.is_first(&turn.node) && plan.leaves() {
                list.unlink(&turn.node);
            }
            if mutated!(LeavingLooksThenAdds) && plan.leaves() {
                self.count.fetch_add(to.0.wrapping_sub(v.0), Ordering::Relaxed);
                return self.carry_out(&plan, list, turn, to, heir);
            }
            match self.count_cas(v, to) {
                Ok(()) => return self.carry_out(&plan, list, turn, to, heir),
                Err(now) if mutated!(TimeLookedAtOnlyWhenHeld) && !now.admits(kind) => {
                    return held::<P, L>(turn, now);
                }
                Err(now) => v = now,
            }
        }
    }

    /// The count has made the planned step and stands at `v`; the list still shows us first.
    fn carry_out(
        &self,
        plan: &Plan,
        list: Locked<'_>,
        turn: &Turn,
        v: Count,
        heir: Heir,
    ) -> Attempt {
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
            Plan::TakeAlone => {
                let heir = follower::<L>(&list, turn, heir);
                step_out::<P, L>(list, turn, v, heir);
                if kind.reads() {
                    count(Event::RwsemRlock);
                } else {
                    self.sign_anew();
                    count(Event::RwsemWlock);
                }
                Attempt::Taken
            }
            Plan::Leave => {
                step_out::<P, L>(list, turn, v, heir);
                Attempt::TimedOut
            }
            Plan::Reserve => {
                count(Event::RwsemHandoff);
                held::<P, L>(turn, v)
            }
            Plan::Sleep => held::<P, L>(turn, v),
        }
    }
}

fn plan<P: Platform, L: Policy>(list: &Locked<'_>, turn: &Turn, v: Count, timed_out: bool) -> Plan {
    let kind = turn.node.kind();
    if v.admits(kind) {
        match kind {
            Kind::Reader => Plan::TakeWithBatch(Batch::choose::<L>(list)),
            Kind::Upgradable | Kind::Writer | Kind::Upgrade => Plan::TakeAlone,
        }
    } else if timed_out {
        Plan::Leave
    } else if may_reserve(v, kind) && turn.due::<P, L>() <= P::now() {
        Plan::Reserve
    } else {
        Plan::Sleep
    }
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
    Attempt::Held(Rest { until: earlier(turn.deadline, due), open })
}

/// Who comes first after a waiter that takes the lock alone. After a writer, readers, where the
/// policy alternates.
fn follower<L: Policy>(list: &Locked<'_>, turn: &Turn, next: Heir) -> Heir {
    if !L::ALTERNATE || turn.node.kind() != Kind::Writer {
        return next;
    }
    let mut behind = list.iter().skip(1).take(MAX_NODES_LOOKED_AT);
    let reader = behind.find(|node| node.kind() == Kind::Reader);
    reader.map(|reader| (reader.id(), Kind::Reader)).or(next)
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
    if mutated!(HandoffAddedAgain) { Count(v.0 + HANDOFF) } else { v.with(HANDOFF) }
}

/// Unlinks the first waiter and drops the list lock. Rule H: if the lock, in the value of the very
/// step that named the heir, is not held against it, the heir is called.
fn step_out<P: Platform, L: Policy>(list: Locked<'_>, turn: &Turn, v: Count, heir: Heir) {
    if !mutated!(HeadUnlinksBeforeStep) || list.is_first(&turn.node) {
        list.unlink(&turn.node);
    }
    if L::ALTERNATE
        && !mutated!(FollowerStaysBehind)
        && let Some((id, _)) = heir
    {
        list.bring_forward(id);
    }
    drop(list);
    if let Some((id, kind)) = heir
        && v.concerns::<L>(kind)
        && !mutated!(LeavingWakesNobody)
        && (v.is_free() || !mutated!(LeavingWakesOnlyIfFree))
    {
        call::<P, L>(id);
    }
}
