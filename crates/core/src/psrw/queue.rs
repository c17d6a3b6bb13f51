//! The queue of Thread-class waiters: publish, sleep, try again as the first.
//!
//! A thread takes the list lock only while its own call has neither succeeded nor failed. No unlock
//! takes it.

use super::context::{Context, Readers};
use super::poll::Limit;
use super::word::{HANDOFF, MAX_ID, Word};
use super::write::call;
use super::{Policy, PsRwLock, Refused};
use crate::platform::{Class, Instant, Platform};
use crate::record::{Record, RecordId};
use crate::sync::{Ordering, mutated};
use crate::wait::{Kind, Locked, Waiter, Waiting};
use core::cell::Cell;

/// A waiter's node, and the data that only its own thread uses.
pub(super) struct Turn {
    pub(super) me: &'static Record,
    pub(super) node: Waiter,
    pub(super) deadline: Option<Instant>,
    /// The time at which this waiter reserves the lock. `None` until it finds itself first.
    due: Cell<Option<Instant>>,
    _waiting: Waiting,
}

impl Turn {
    /// Registers the caller, which may have to sleep, before it makes a step of its own. Its id
    /// fits HEAD then.
    pub(super) fn new<P: Platform>(kind: Kind, deadline: Option<Instant>) -> Result<Self, Refused> {
        let me = P::current();
        if me.id().get() > MAX_ID {
            return Err(Refused::TooManyThreads);
        }
        Ok(Self {
            me,
            node: Waiter::new(me.id(), kind),
            deadline,
            due: Cell::new(None),
            _waiting: Waiting::new(me),
        })
    }

    /// When this waiter, the first, reserves the lock. `None` under a policy without steals. The
    /// time begins when the waiter finds itself first.
    fn due<P: Platform, L: Policy>(&self) -> Option<Instant> {
        if L::STEAL && self.due.get().is_none() {
            self.due.set(Some(P::now().after(P::handoff_after(L::HANDOFF_AFTER))));
        }
        self.due.get()
    }

    /// How long the first waiter sleeps while the lock is not reserved.
    fn until_due<P: Platform, L: Policy>(&self) -> Option<Instant> {
        match (self.deadline, self.due::<P, L>()) {
            (Some(deadline), Some(due)) => Some(deadline.min(due)),
            (deadline, due) => deadline.or(due),
        }
    }
}

/// The result of the first waiter's attempt.
enum Attempt {
    Taken,
    TimedOut,
    /// The waiter has to sleep, at most until then.
    Held(Option<Instant>),
}

/// The first waiter's next step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    Take,
    Leave,
    Reserve,
    Sleep,
}

impl<R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<R, W, L, P> {
    /// Waits behind all other waiters, until the caller is in as a reader or has its turn as the
    /// writer that sifts.
    pub(super) fn queue(&self, turn: &Turn) -> Result<(), Refused> {
        turn.node.announce();
        if self.spin_for_turn(turn.node.kind()) {
            return Ok(());
        }
        let first = loop {
            if self.get_in(turn.node.kind()) {
                return Ok(());
            }
            let list = self.waiters.lock::<P>();
            let first = list.first().is_none();
            if !first || self.publish(turn) {
                list.append(&turn.node);
                break first;
            }
        };
        let until = if first { turn.until_due::<P, L>() } else { turn.deadline };
        self.wait(turn, until)
    }

    /// Waits awake, and tries once: a thread that loses its chance to another thread sleeps.
    fn spin_for_turn(&self, kind: Kind) -> bool {
        L::SPIN && self.poll(Limit::Try, |v| v.admits(kind)).is_ok() && self.get_in(kind)
    }

    /// Makes the caller a reader inside, or the writer that sifts, if it need not wait.
    fn get_in(&self, kind: Kind) -> bool {
        if kind.reads() { self.share_from(self.look(), Class::Thread) } else { self.begin() }
    }

    /// v → v with HEAD(me), from a value in which the waiter's condition is false (rule N). So the
    /// thread that makes it true finds HEAD. Returns false if the condition is true.
    fn publish(&self, turn: &Turn) -> bool {
        let mut v = self.look();
        while !v.admits(turn.node.kind()) {
            let to = v.with_head(Some(turn.me.id()));
            if mutated!(PsrwQueuePublishedInOwnStep) {
                self.word.fetch_add(to.0 - v.0, Ordering::Relaxed);
                return true;
            }
            match self.enter(v, to) {
                Ok(()) => return true,
                Err(now) => v = now,
            }
        }
        false
    }

    fn wait(&self, turn: &Turn, mut until: Option<Instant>) -> Result<(), Refused> {
        loop {
            turn.me.park::<P>(until);
            let timed_out = Limit::Until(turn.deadline).is_over::<P>();
            let list = self.waiters.lock::<P>();
            if list.is_first(&turn.node) {
                match self.attempt(list, turn, timed_out) {
                    Attempt::Taken => return Ok(()),
                    Attempt::TimedOut => return Err(Refused::TimedOut),
                    Attempt::Held(next) => until = next,
                }
            } else if timed_out {
                list.unlink(&turn.node);
                return Err(Refused::TimedOut);
            } else {
                until = turn.deadline;
            }
        }
    }

    /// The first waiter's step. The caller is the list's first.
    fn attempt(&self, list: Locked<'_, P>, turn: &Turn, timed_out: bool) -> Attempt {
        let kind = turn.node.kind();
        let next = list.after(&turn.node).map(Waiter::id);
        let mut v = self.look();
        loop {
            let plan = plan::<P, L>(turn, v, timed_out);
            let to = match plan {
                Plan::Take if kind.reads() => without_head(v, next).plus_reader(Class::Thread),
                Plan::Take => Self::begun(without_head(v, next)),
                Plan::Leave => without_head(v, next),
                Plan::Reserve => v.with(HANDOFF),
                Plan::Sleep => {
                    let open = L::STEAL && !v.has(HANDOFF);
                    return Attempt::Held(if open {
                        turn.until_due::<P, L>()
                    } else {
                        turn.deadline
                    });
                }
            };
            match self.enter(v, to) {
                Ok(()) => return Self::carry_out(plan, list, turn, next),
                Err(now) => v = now,
            }
        }
    }

    /// Finishes a plan whose step in the word is made. The list still shows the caller first.
    fn carry_out(plan: Plan, list: Locked<'_, P>, turn: &Turn, next: Option<RecordId>) -> Attempt {
        if plan == Plan::Reserve {
            return Attempt::Held(turn.deadline);
        }
        list.unlink(&turn.node);
        drop(list);
        // A writer that has its turn leaves with WRITER. Its heir cannot go on yet, and the step
        // that takes WRITER off wakes it.
        let silent = match plan {
            Plan::Leave => mutated!(PsrwLeavingWakesNobody),
            _ if turn.node.kind().reads() => mutated!(PsrwGrantedReaderWakesNobody),
            _ => true,
        };
        if !silent {
            call::<P>(next);
        }
        if plan == Plan::Leave { Attempt::TimedOut } else { Attempt::Taken }
    }

    /// The first waiter leaves: v → v − `taken`, with the next waiter as HEAD. Returns that waiter,
    /// which the caller wakes if its condition may be true now.
    pub(super) fn step_aside(
        &self,
        list: Locked<'_, P>,
        turn: &Turn,
        taken: u64,
    ) -> Option<RecordId> {
        let next = list.after(&turn.node).map(Waiter::id);
        let mut v = self.look();
        // Acquire: pairs with the readers' release, for a drained writer that goes on. No release:
        // a waiter that gives up here has written nothing under the lock.
        while let Err(now) = self.enter(v, without_head(v, next).minus(taken)) {
            v = now;
        }
        list.unlink(&turn.node);
        next
    }
}

fn plan<P: Platform, L: Policy>(turn: &Turn, v: Word, timed_out: bool) -> Plan {
    if timed_out {
        Plan::Leave
    } else if v.admits(turn.node.kind()) {
        Plan::Take
    } else if !v.has(HANDOFF) && turn.due::<P, L>().is_some_and(|due| P::now() >= due) {
        Plan::Reserve
    } else {
        Plan::Sleep
    }
}

/// The value with the next waiter, if any, in the place of the first, and without HANDOFF.
fn without_head(v: Word, next: Option<RecordId>) -> Word {
    let kept = if mutated!(PsrwLeavingKeepsHandoff) { v.0 & HANDOFF } else { 0 };
    v.with_head(next).with(kept)
}
