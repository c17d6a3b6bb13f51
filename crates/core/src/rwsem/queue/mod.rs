//! Waiting in the queue: publish, sleep, try again. One loop for waiters of all kinds.

mod attempt;
mod batch;
mod hold;
mod on_top;
mod plan;
mod turn;
mod wake;
mod watch;

pub(in crate::rwsem) use self::turn::Turn;

use self::attempt::Attempt;
use self::wake::run;
use crate::events::{Event, count};
use crate::platform::{Instant, Platform};
use crate::rwsem::word::count::{Count, HEAD_DOZES, READER, WRITER};
use crate::rwsem::{Policy, Refused, RwSem};
use crate::spin::wait_a_moment;
use crate::sync::{Ordering, mutated};
use crate::wait::{Grant, Locked, unpark};

/// What a waiter gives back in the step that makes it known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::rwsem) enum GiveBack {
    Nothing,
    /// The share that a reader added on the fast path.
    Share,
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Queues behind all others, and waits.
    ///
    /// First: v → v (− READER) + HEAD(me) + HEAD_HEEDED (+ HEAD_READER), in *one* step, so that an
    /// unlock either sees HEAD or is seen by this step. Not first: v → v (− READER).
    pub(in crate::rwsem) fn queue(
        &self,
        list: Locked<'_, P>,
        turn: &Turn,
        give_back: GiveBack,
    ) -> Result<(), Refused> {
        let Turn { node, deadline, .. } = turn;
        node.announce();
        let first = list.first().is_none();
        list.append(node);
        let share = if give_back == GiveBack::Share { READER } else { 0 };
        if first {
            let v = self.publish(Count::naming(node.name()), share);
            // Rule H: a new first waiter looks at the lock in the value of that very step.
            let looks = v.must_wake_new_head::<L>(node.kind()) || turn.dozes;
            if looks && !mutated!(NewHeadDoesNotLook) {
                return self.first_turn(list, turn);
            }
            drop(list);
            // The lock is not reserved yet: sleep no longer than until that is due. Behind a writer
            // no timer is set: that writer's unlock calls before, and a timer is dear.
            let due = turn.due::<P, L>();
            let is_called = v.has(WRITER) && due > P::now();
            return self.wait(turn, earlier(*deadline, (!is_called).then_some(due)));
        }
        self.step_in_front(&list, turn);
        if list.is_first(node) {
            if share != 0 {
                self.publish(0, share);
            }
            return self.first_turn(list, turn);
        }
        let head = match node.kind() {
            _ if share != 0 => self.publish(0, share).head_if_free(),
            // A writer kept this reader out when it looked, or it may not pass. Meanwhile the head
            // may doze beside a free lock. Without this call both wait until the head looks by
            // itself. No model falls without the call, since the head does look.
            kind if kind.reads() => {
                Some(self.look()).filter(|v| v.has(HEAD_DOZES)).and_then(Count::head_if_free)
            }
            // A writer that leaves a free lock alone has reserved it, and called the head.
            _ => None,
        };
        drop(list);
        // Rule F: the share that we took back may have kept the head from the lock.
        if let Some(head) = head
            && !mutated!(QueueingReaderWakesNobody)
        {
            unpark::<P>(head);
        }
        self.wait(turn, *deadline)
    }

    /// Adds `name`, which meets an empty HEAD, and subtracts `share`; returns the value after.
    fn publish(&self, name: u64, share: u64) -> Count {
        if mutated!(HeadPublishedInOwnStep) && name != 0 {
            self.count.fetch_sub(share, Ordering::Relaxed);
            let v = Count(self.count.load(Ordering::Relaxed));
            self.count.fetch_add(name, Ordering::Relaxed);
            return v;
        }
        let step = name.wrapping_sub(share);
        // Relaxed: nothing was read under the share. A thread that finds HEAD touches the record,
        // which `Platform::record` finds whatever the order. This step and the release that it
        // races with are read-modify-writes of one word: one of the two sees the other.
        Count(self.count.fetch_add(step, Ordering::Relaxed).wrapping_add(step))
    }

    /// A waiter that came first tries at once.
    pub(in crate::rwsem) fn first_turn(
        &self,
        list: Locked<'_, P>,
        turn: &Turn,
    ) -> Result<(), Refused> {
        match self.attempt(list, turn, false) {
            Attempt::Taken => Ok(()),
            Attempt::TimedOut => Err(Refused::TimedOut),
            Attempt::Held { until } => self.wait(turn, until),
        }
    }

    /// Sleeps, at first until `until`. Ends when the lock is granted, when the caller has taken it
    /// as the first waiter, or when the time is over.
    pub(in crate::rwsem) fn wait(
        &self,
        turn: &Turn,
        mut until: Option<Instant>,
    ) -> Result<(), Refused> {
        if turn.dozes && self.look().head() == Some(turn.me.id()) {
            self.watch(turn, self.look());
        }
        loop {
            let woke = self.awaits_holders(turn) || turn.sleep::<P, L>(until);
            if turn.node.state() == Grant::Granted {
                return granted::<P>(turn);
            }
            let timed_out = is_over::<P>(turn.deadline);
            let v = self.look();
            if v.head() == Some(turn.me.id()) {
                self.look_around(turn, v);
            }
            let list = self.waiters.lock::<P>();
            match turn.node.state() {
                Grant::Granted => {
                    drop(list);
                    return granted::<P>(turn);
                }
                Grant::Claimed if timed_out && mutated!(TimedOutIgnoresClaimed) => {
                    return Err(Refused::TimedOut);
                }
                // Also after a time-out: the granter still needs the node.
                Grant::Claimed => {
                    drop(list);
                    return await_grant::<P>(turn);
                }
                Grant::Queued => {}
            }
            if !mutated!(WaitOnTopIsOvertaken) {
                self.step_in_front(&list, turn);
            }
            if list.is_first(&turn.node) {
                // The first look as the first waiter is no defeat: the waiter may only have been
                // told to watch its time. A stale token is no defeat either.
                let watching = turn.due.get().is_some();
                turn.beaten.set(turn.beaten.get() || watching && woke);
                match self.attempt(list, turn, timed_out) {
                    Attempt::Taken => return Ok(()),
                    Attempt::TimedOut => return Err(Refused::TimedOut),
                    Attempt::Held { until: next } => until = next,
                }
            } else if timed_out {
                list.unlink(&turn.node);
                return Err(Refused::TimedOut);
            } else {
                until = turn.deadline;
            }
        }
    }
}

/// CLAIMED → GRANTED: the granter's second pass is under way, so the wait is short.
fn await_grant<P: Platform>(turn: &Turn) -> Result<(), Refused> {
    while turn.node.state() != Grant::Granted {
        if mutated!(ClaimedReturnsAtOnce) {
            break;
        }
        let (word, claimed) = turn.node.state_word();
        wait_a_moment::<P, _>(word, claimed);
    }
    granted::<P>(turn)
}

/// The lock is the caller's, and other readers got it together with the caller. The caller now
/// calls the readers on its wake list.
fn granted<P: Platform>(turn: &Turn) -> Result<(), Refused> {
    count(Event::RwsemRlock);
    if !mutated!(WokenCallsNobody) {
        run::<P>(turn.node.wake_list());
    }
    Ok(())
}

/// The earlier of two moments, where `None` never comes.
pub(in crate::rwsem) fn earlier(a: Option<Instant>, b: Option<Instant>) -> Option<Instant> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Whether `deadline` has passed. Asks the clock only if there is a deadline.
pub(in crate::rwsem) fn is_over<P: Platform>(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| P::now() >= deadline)
}
