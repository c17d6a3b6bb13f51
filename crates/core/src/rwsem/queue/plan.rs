//! What the first waiter is to do at a count, and the step on the count that does it.
//!
//! A waiter that stays the first sets HEAD_HEEDED as well.
//!
//! | plan | when | step on the count |
//! | --- | --- | --- |
//! | take | the value admits it | + its share, or + WRITER; HEAD and its bits as for the next in the list; HANDOFF off |
//! | leave | held, time is over | HEAD and its bits as for the next in the list; HANDOFF off |
//! | reserve | held, overdue, HANDOFF clear | HANDOFF on, HEAD_DOZES off |
//! | refill | held by readers that stay, other readers behind | + their shares; GIVERS off |
//! | sleep | held | HEAD_BEATEN on where not reserved; HEAD_DOZES on if the waiter sleeps by choice, or was beaten and a writer has the lock; off otherwise; GIVERS off; HANDOFF off where it does not help |

use crate::platform::Platform;
use crate::rwsem::queue::Turn;
use crate::rwsem::queue::batch::{Batch, MAX_NODES_LOOKED_AT};
use crate::rwsem::word::count::{Count, HANDOFF, HEAD_HEEDED, UPGRADER, WRITER};
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;
use crate::wait::{Kind, Locked, Name, Waiter};

pub(super) enum Plan {
    TakeWithBatch(Batch),
    TakeAlone { heir: Heir },
    Leave { heir: Heir },
    Reserve,
    Refill(Batch),
    Sleep { dozing: bool },
}

impl Plan {
    /// The count after the plan's step.
    pub(super) fn step(&self, v: Count, kind: Kind) -> Count {
        match self {
            Self::TakeWithBatch(batch) => batch.taken(v),
            Self::TakeAlone { heir } => taken(v, kind).with_head(*heir),
            Self::Leave { heir } => left(v, kind, *heir),
            Self::Reserve => reserved(v),
            Self::Refill(batch) => batch.joined(v).heeded().without_givers(),
            Self::Sleep { dozing } => {
                let v = if helps(v, kind) { v } else { v.without(HANDOFF) };
                v.with_dozing(*dozing).heeded().beaten().without_givers()
            }
        }
    }

    /// Whether the waiter stays the first, and what the step says of it is true whichever threads
    /// are inside then. (A reservation for a waiter that waits for another upgradable read would
    /// keep readers out in vain.)
    pub(super) fn stays(&self, kind: Kind) -> bool {
        match self {
            Self::Sleep { dozing } => !dozing,
            Self::Reserve => kind != Kind::Upgradable,
            _ => false,
        }
    }

    pub(super) fn leaves(&self) -> bool {
        matches!(self, Self::Leave { .. })
    }
}

/// The waiter that becomes the first.
pub(super) type Heir = Option<Name>;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller is the list's first; `timed_out`: it does not want to wait any longer.
    pub(super) fn plan(
        &self,
        list: &Locked<'_, P>,
        turn: &Turn,
        v: Count,
        timed_out: bool,
    ) -> Plan {
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

/// Whether readers have the lock, and other readers may wait for nothing but their pace.
pub(super) fn may_refill<L: Policy>(v: Count) -> bool {
    L::READERS_PER_PROCESSOR != 0 && !v.has(WRITER | HANDOFF) && v.readers() != 0
}

/// Whether the lock is not reserved yet, and reserving would help.
pub(super) fn may_reserve(v: Count, kind: Kind) -> bool {
    let open = !v.has(HANDOFF) || mutated!(HandoffAddedAgain);
    open && helps(v, kind) && !mutated!(NeverReserves)
}

/// Whether reserving the held lock helps a waiter of this kind. An upgradable read that waits for
/// another upgradable read, not for a writer, is kept out by no plain reader, and must keep none
/// out.
fn helps(v: Count, kind: Kind) -> bool {
    kind != Kind::Upgradable || v.has(WRITER)
}

/// The waiter that comes first when this one, the first, has gone.
fn next<P: Platform>(list: &Locked<'_, P>, turn: &Turn) -> Heir {
    list.after(&turn.node).map(Waiter::name)
}

/// The waiter that comes first when this writer has taken the lock: a reader, where the policy
/// alternates and one waits.
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

/// The count without a waiter that gives up. A waiter that waited to upgrade has its share again.
fn left(v: Count, kind: Kind, heir: Heir) -> Count {
    let regains = kind == Kind::Upgrade && !mutated!(UpgradeTimeoutLosesShare);
    let v = if regains { v.plus_readers(1) } else { v };
    v.with_head(heir).with(v.0 & wrongly_kept(kind))
}

/// What a mutant's leaving head forgets to clear.
fn wrongly_kept(kind: Kind) -> u64 {
    match kind {
        _ if mutated!(LeavingKeepsHandoff) => HANDOFF,
        Kind::Reader if mutated!(LeavingReaderKeepsWaiters) => HEAD_HEEDED,
        _ => 0,
    }
}

fn reserved(v: Count) -> Count {
    if mutated!(HandoffAddedAgain) { Count(v.0 + HANDOFF) } else { v.reserved() }
}
