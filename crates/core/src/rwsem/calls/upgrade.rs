//! Upgradable reads: a share beside other readers that one thread at a time can turn into the whole
//! lock, without letting a writer in between.
//!
//! UPGRADER in the count is that one thread's right. The bit keeps other upgradable readers out and
//! nobody else; the share keeps writers out. A thread that upgrades gives its share back and waits
//! *in front* of the queue, with the lock reserved for it. So only readers that are inside, and
//! recursive readers, can come before it.

use super::{has_to_try_again, or_panic};
use crate::events::{Event, count};
use crate::platform::{Class, Instant, Platform, may_wait};
use crate::rwsem::queue::{GiveBack, Turn, is_over};
use crate::rwsem::word::count::{Count, GUARD, HANDOFF, READER, UPGRADER, WRITER};
use crate::rwsem::word::wake;
use crate::rwsem::{Policy, ReadToken, Refused, RwSem};
use crate::sync::{Ordering, mutated, ordered};
use crate::wait::{DrainLimit, Kind};

/// What an upgradable reader has in the count.
const UPGRADABLE: u64 = READER + UPGRADER;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Takes the lock for reading, with the right to upgrade, unless the caller would have to wait.
    #[must_use]
    pub fn try_upgradable(&self) -> bool {
        P::prepare();
        let mut v = self.look();
        while self.admits_upgradable(v) {
            match self.count_cas(v, Count(v.0 + UPGRADABLE)) {
                Ok(()) => {
                    self.note_upgradable();
                    return true;
                }
                Err(now) => v = now,
            }
        }
        false
    }

    /// Whether an upgradable read gets in at `v`. A thread that has noted a read of the lock passes
    /// waiters.
    fn admits_upgradable(&self, v: Count) -> bool {
        let noted = || v.admits_recursive_reader() && self.is_noted();
        !v.has(UPGRADER) && (v.admits_reader() && !v.has_head() || noted())
    }

    /// Takes the lock for reading, with the right to upgrade, waiting while a writer or another
    /// upgradable reader has it, or anybody waits for it.
    #[track_caller]
    pub fn upgradable(&self) {
        or_panic(self.upgradable_until(None));
    }

    /// Takes the lock for reading, with the right to upgrade, waiting at most until `deadline`
    /// (`None`: for ever) while a writer or another upgradable reader has it, or anybody waits for
    /// it.
    ///
    /// # Errors
    /// See [`Refused`].
    #[track_caller]
    pub fn upgradable_until(&self, deadline: Option<Instant>) -> Result<(), Refused> {
        may_wait::<P>(Class::Thread);
        if self.try_upgradable() {
            return Ok(());
        }
        if self.look().has(GUARD) {
            return Err(Refused::TooManyReaders);
        }
        if is_over::<P>(deadline) {
            return Err(Refused::TimedOut);
        }
        let turn = Turn::new::<P>(Kind::Upgradable, deadline);
        self.queue(self.waiters.lock::<P>(), &turn, GiveBack::Nothing)?;
        self.note_upgradable();
        Ok(())
    }

    /// Releases an upgradable read lock.
    ///
    /// # Safety
    /// The caller has the lock by an upgradable read.
    pub unsafe fn upgradable_unlock(&self) {
        self.forget_upgradable();
        // − READER − UPGRADER. Release: pairs with the acquire of the writer that comes next.
        let order = ordered!(Release, unless UpgradableUnlockRelaxed);
        let v = Count(self.count.fetch_sub(UPGRADABLE, order) - UPGRADABLE);
        if mutated!(UpgradableUnlockWakesOnlyIfFree) {
            return wake::<P>(v.head_if_free());
        }
        wake::<P>(v.head());
    }

    /// Releases an upgradable read lock and reserves the lock for the first waiter.
    ///
    /// # Safety
    /// The caller has the lock by an upgradable read.
    pub unsafe fn upgradable_unlock_fair(&self) {
        self.forget_upgradable();
        let v = self.release_reserving(UPGRADABLE);
        wake::<P>(v.head());
    }

    /// Turns an upgradable read into a write, unless other readers are inside.
    ///
    /// # Safety
    /// The caller has the lock by an upgradable read. On `false` it still has.
    #[must_use]
    pub unsafe fn try_upgrade(&self) -> bool {
        // Another thread may have made the read, and this may be the calling thread's first call.
        P::prepare();
        self.forget_before_upgrade();
        let alone = self.look().readers() == 1 && !self.is_in_a_slot();
        let upgraded =
            alone && self.exchange_share() && self.drained(DrainLimit::NONE, UPGRADABLE).is_ok();
        if !upgraded {
            self.note_failed_upgrade();
        }
        upgraded
    }

    /// v → v − READER − UPGRADER + WRITER, for as long as ours is the only share.
    fn exchange_share(&self) -> bool {
        let mut v = self.look();
        while v.readers() == 1 {
            // Acquire: pairs with the releases of the other readers.
            let to = Count(v.0 - UPGRADABLE + WRITER);
            match self.count_cas(v, to) {
                Ok(()) => {
                    count(Event::RwsemUpgrade);
                    return true;
                }
                Err(now) => v = now,
            }
        }
        false
    }

    /// Turns an upgradable read into a write, waiting for the other readers to leave. No writer
    /// comes in between.
    ///
    /// # Safety
    /// The caller has the lock by an upgradable read.
    #[track_caller]
    pub unsafe fn upgrade(&self) {
        // SAFETY: the caller's promise; a caller that is refused still has its upgradable read.
        while has_to_try_again::<L>(unsafe { self.upgrade_until(None) })
            && !mutated!(RefusedUpgradeGoesIn)
        {}
    }

    /// Turns an upgradable read into a write, waiting at most until `deadline` (`None`: for ever)
    /// for the other readers to leave. No writer comes in between.
    ///
    /// # Errors
    /// [`Refused::TimedOut`]: the caller still has its upgradable read.
    ///
    /// # Safety
    /// The caller has the lock by an upgradable read.
    #[track_caller]
    pub unsafe fn upgrade_until(&self, deadline: Option<Instant>) -> Result<(), Refused> {
        may_wait::<P>(Class::Thread);
        P::prepare();
        // The share may go while the caller waits, and its note has to go before.
        self.forget_before_upgrade();
        let upgraded = self.upgrade_share(deadline);
        if upgraded.is_err() {
            self.note_failed_upgrade();
        }
        upgraded
    }

    fn upgrade_share(&self, deadline: Option<Instant>) -> Result<(), Refused> {
        if !self.exchange_share() {
            if is_over::<P>(deadline) {
                return Err(Refused::TimedOut);
            }
            self.queue_in_front(&Turn::new::<P>(Kind::Upgrade, deadline))?;
            count(Event::RwsemUpgrade);
        }
        self.drained(DrainLimit::until(deadline, L::DRAIN_AT_MOST), UPGRADABLE)
    }

    /// v → v − READER + HANDOFF with HEAD(me), in one step; UPGRADER stays.
    fn queue_in_front(&self, turn: &Turn) -> Result<(), Refused> {
        turn.node.announce();
        let list = self.waiters.lock::<P>();
        list.push_front(&turn.node);
        let mut v = self.look();
        loop {
            let head = Some(turn.node.name());
            let reserve = if mutated!(UpgradeReservesNothing) { 0 } else { HANDOFF };
            let to = v.minus_reader().with_head(head).with(reserve);
            match self.count_cas(v, to) {
                Ok(()) if to.admits(Kind::Upgrade) => return self.first_turn(list, turn),
                Ok(()) => break,
                Err(now) => v = now,
            }
        }
        drop(list);
        self.wait(turn, turn.deadline)
    }

    /// Gives up the right to upgrade and stays a reader.
    ///
    /// # Safety
    /// The caller has the lock by an upgradable read.
    pub unsafe fn downgrade_upgradable(&self) -> ReadToken<L::Guards> {
        self.forget_upgradable();
        // − UPGRADER. Relaxed: the caller still holds its share; nothing is released.
        let v = Count(self.count.fetch_sub(UPGRADER, Ordering::Relaxed) - UPGRADER);
        if !mutated!(UpgraderLeavingWakesNobody) {
            wake::<P>(v.head());
        }
        self.counted()
    }

    /// Turns a write into an upgradable read. No writer comes in between.
    ///
    /// # Safety
    /// The caller has the lock by a write.
    pub unsafe fn downgrade_to_upgradable(&self) {
        self.write_to_share(UPGRADABLE);
        self.note_upgradable();
    }
}
