//! A wait: the waiter's node, when its time at the head began, and what it has seen.

use super::watch::Sight;
use crate::events::{Event, count};
use crate::platform::{Instant, Platform};
use crate::record::{Record, RecordId};
use crate::rwsem::Policy;
use crate::rwsem::word::count::Count;
use crate::wait::{Kind, Locked, Waiter, Waiting};
use core::cell::Cell;

/// A waiter's node together with what only its own thread needs to know.
pub(in crate::rwsem) struct Turn {
    pub(in crate::rwsem) me: &'static Record,
    pub(in crate::rwsem) node: Waiter,
    pub(in crate::rwsem) deadline: Option<Instant>,
    /// From when on the lock is to be reserved. `None` until this waiter is the first.
    pub(super) due: Cell<Option<Instant>>,
    /// Whether it woke again after its first look as the first: it is about to get the lock, or
    /// beaten.
    pub(super) beaten: Cell<bool>,
    /// It sleeps where other threads wait awake, so it dozes from its first sleep on.
    pub(super) dozes: bool,
    /// What it last saw of the writer that passes it by.
    pub(super) sight: Cell<Option<Sight>>,
    /// Whether readers that wait for nothing but their pace stood behind this waiter, the first.
    pub(super) may_refill: Cell<bool>,
    /// The count, if nobody came or went for a while before this waiter took the list lock: the
    /// threads inside stay there, asleep perhaps.
    pub(super) still: Cell<Option<Count>>,
    pub(super) waiting: Waiting,
}

impl Turn {
    pub(in crate::rwsem) fn new<P: Platform>(kind: Kind, deadline: Option<Instant>) -> Self {
        let me = P::current();
        let waiting = Waiting::new(me);
        // A wait on top keeps the time since when the wait below is the first.
        if !waiting.is_nested() {
            me.passes().forget();
        }
        let node = Waiter::new(me.id(), kind);
        Self {
            me,
            node,
            deadline,
            due: Cell::new(None),
            beaten: Cell::new(false),
            dozes: me.spin_node().sleeps_by_choice(P::now),
            sight: Cell::new(None),
            may_refill: Cell::new(false),
            still: Cell::new(None),
            waiting,
        }
    }

    /// When the lock is to be reserved for this waiter, which is the first. Its time at the head
    /// begins when it finds itself there. With a deadline [`Policy::PASS_LIMIT`] does not shorten
    /// that time: the waiter may give up, and would have kept readers out for nothing.
    pub(in crate::rwsem) fn due<P: Platform, L: Policy>(&self) -> Instant {
        self.due.get().unwrap_or_else(|| {
            let now = P::now();
            is_first(self.me, now);
            let turn = L::PASS_LIMIT.sleeps().filter(|_| self.deadline.is_none());
            let turn = turn.map_or(u64::MAX, |sleeps| self.me.sleeps(sleeps));
            let turn = turn.saturating_sub(self.me.passes().began_before(now).unwrap_or(0));
            let due = now.after(P::handoff_after(L::HANDOFF_AFTER.min(turn)));
            self.due.set(Some(due));
            due
        })
    }

    /// Sleeps until somebody calls, at most until `until`. Returns whether it slept.
    pub(super) fn sleep<P: Platform, L: Policy>(&self, until: Option<Instant>) -> bool {
        count(match self.node.kind() {
            Kind::Reader | Kind::Upgradable => Event::RwsemSleepReader,
            Kind::Writer | Kind::Upgrade => Event::RwsemSleepWriter,
        });
        let slept = self.me.park::<P>(until);
        self.me.spin_node().has_slept(P::now, L::SPIN_REST);
        slept
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        #[cfg(siftlock_model)]
        if std::thread::panicking() {
            // The model has failed: its words are no more.
            return;
        }
        // Whether the thread got in or not, it is not the first waiter any more, unless by a wait
        // below.
        if !self.is_on_top() {
            self.me.passes().forget();
        }
    }
}

/// Notes in the waiter's record that it has become the first, for the threads that pass it. The
/// waiter may run later than the caller.
fn is_first(waiter: &Record, now: Instant) {
    if waiter.passes().began_before(now).is_none() {
        waiter.passes().begin(now);
    }
}

/// Notes that the heir in this list is the first waiter now. Under the list lock: later the heir
/// may have left.
pub(super) fn heir_is_first<P: Platform>(_list: &Locked<'_, P>, heir: RecordId) {
    is_first(P::record(heir), P::now());
}
