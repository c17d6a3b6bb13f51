//! Optimistic spinning: a writer waits awake while the owner is running, since the owner will soon
//! release the lock (the anon-vma report, first tweak).
//!
//! One spinner at a time polls the lock. The others wait for their turn in the spinners' queue, and
//! look at the clock alone: if each looked at the lock, the lock's line would have to come to each
//! of them after each change. The spinner whose turn it is takes the lock when the lock is free, or
//! lets a writer that comes back at once go on for a while (see `back_off`). It asks readers to let
//! it by (see `let_by`). Polling ends when the owner is seen not to run (see `spin::running`), when
//! more readers are inside than can run beside the spinner, when the lock is reserved for a
//! sleeper, and after a while.
//!
//! For each thread that waits awake, that while is as long as a sleep would cost (see
//! `record::sleep_cost`). Readers wait awake, too, for the writer inside. A sleeper does not come
//! back as long as others take the lock past it. So each wait that ends asleep leaves a processor
//! idle for far longer than it saves.
//!
//! A thread that has seen that spinning does not pay here (see `queue::watch`) sleeps at once. A
//! thread that has waited for writers that did not run sleeps at once at most occasions (see
//! `record::tries`).

use super::back_off::BackOff;
use super::let_by::Asking;
use crate::events::{Event, count};
use crate::platform::{Instant, Platform};
use crate::record::{Record, Try};
use crate::rwsem::word::count::{Count, WRITER};
use crate::rwsem::{Policy, RwSem};
use crate::spin::{Running, SHORT_SPIN};
use crate::sync::{mutated, ordered, spin_while};
use crate::wait::Waiting;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Spins for the lock. Returns whether the caller has got it.
    pub(in crate::rwsem) fn spin_for_write(&self, deadline: Option<Instant>) -> bool {
        let began_at = self.look();
        let Some(now) = self.begin_to_spin(began_at) else {
            count(Event::RwsemOptNospin);
            return false;
        };
        let me = P::current();
        let waiting = Waiting::new(me);
        // A handler on top of a spinner: the thread's node may be in a queue already.
        if waiting.is_nested() {
            count(Event::RwsemOptNospin);
            return false;
        }
        let end = me.awake_until(now, deadline);
        let end = if mutated!(SpinsWithoutBound) { end.after(u64::MAX) } else { end };
        let over = || P::now() >= end;
        let mut running = Running::new();
        let taken = self.spinners.enter::<P>(me, over) && {
            let back_off = BackOff::new::<L>(me, deadline.is_some());
            let mut asking = Asking::new();
            let full = deadline.is_none_or(|deadline| end < deadline);
            let taken = self.poll(end, full, &mut running, back_off, &mut asking);
            asking.ask_no_more(self);
            self.spinners.leave::<P>(me);
            taken
        };
        Self::has_waited_awake(me, began_at, &running, taken);
        count(if taken { Event::RwsemOptLock } else { Event::RwsemOptFail });
        taken
    }

    /// A reader that saw `v` waits awake for the writer inside to leave, if only that writer keeps
    /// it out. Returns the count if the writer has gone and a share gets in: the reader's own
    /// share, if that is in the count. That share keeps other writers out meanwhile.
    pub(in crate::rwsem) fn spin_for_read(
        &self,
        v: Count,
        deadline: Option<Instant>,
    ) -> Option<Count> {
        let only_writer = |v: Count| v.has(WRITER) && v.without(WRITER).lets_reader_in::<L>();
        if !only_writer(v) {
            return None;
        }
        let me = P::current();
        let end = me.awake_until(self.begin_to_spin(v)?, deadline);
        let (began_at, mut running) = (v, Running::new());
        let waits = |v| only_writer(v) && self.is_worth_spinning(v);
        self.watch_while(v, end, &mut running, waits);
        // Acquire: pairs with the release of the writer that has left. Our share stood in the count
        // all the time, so no other writer can have come.
        let v = Count(self.count.load(ordered!(Acquire, unless SpunReadRelaxed)));
        let is_in = v.lets_reader_in::<L>() || mutated!(SpunReaderIsInAnyway);
        Self::has_waited_awake(me, began_at, &running, is_in);
        is_in.then_some(v)
    }

    /// A wait awake that began at `began_at` is over, and the caller `got_in` or not. If it did not
    /// although the writer ran, the wait tells nothing of the next one.
    fn has_waited_awake(me: &Record, began_at: Count, running: &Running, got_in: bool) {
        let was_try = L::SPIN_REST != 0 && began_at.has(WRITER);
        if was_try && (got_in || running.saw_a_stop()) {
            me.spin_node().has_tried(Try::WaitAwake, got_in);
        }
    }

    /// Returns the time, if waiting awake is worth it at `v`, and the thread has not seen the
    /// opposite lately.
    fn begin_to_spin(&self, v: Count) -> Option<Instant> {
        if !P::may_spin() || !self.is_worth_spinning(v) {
            return None;
        }
        if L::SPIN_REST == 0 {
            return Some(P::now());
        }
        let me = P::current();
        if v.has(WRITER) && !me.spin_node().is_to_try(Try::WaitAwake) {
            return None;
        }
        let now = P::now();
        let owner = self.owner_at(v).map(|owner| P::record(owner).spin_node());
        me.spin_node().waits_awake(owner, now, L::SPIN_REST).then_some(now)
    }

    /// The caller has the turn: it polls the lock until it gets the lock, or polling is not worth
    /// it, or `end`. If readers had the lock until `end`, it forbids spinning on them, unless a
    /// deadline made that time shorter (not `full`).
    fn poll(
        &self,
        end: Instant,
        full: bool,
        running: &mut Running,
        mut back_off: BackOff<'_>,
        asking: &mut Asking,
    ) -> bool {
        let mut readers_stay = true;
        loop {
            let mut v = self.look();
            if self.may_steal(v) {
                if !readers_stay && back_off.lets_go_on::<P>(&self.count, v, end) {
                    continue;
                }
                if self.steal_write(v) {
                    return true;
                }
                v = self.look();
            }
            readers_stay &= !v.has(WRITER);
            if !self.is_worth_spinning(v) {
                break;
            }
            let now = P::now();
            if now >= end {
                if readers_stay && full && !mutated!(ForbidsNobody) {
                    self.owner.forbid_spinning();
                }
                break;
            }
            if self.owner_has_stopped(v, running, now) {
                break;
            }
            if !v.is_free() {
                asking.ask(self, v);
                spin_while(&self.count, v.0, SHORT_SPIN);
            }
        }
        back_off.has_failed();
        false
    }
}
