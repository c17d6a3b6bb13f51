//! Reading: what happens when the fast path's addition did not get the lock.

use crate::events::{Event, count};
use crate::platform::{Instant, Platform};
use crate::rwsem::queue::{GiveBack, Turn, is_over};
use crate::rwsem::word::count::{Count, GUARD, HANDOFF, READER, WRITER};
use crate::rwsem::word::token::Token;
use crate::rwsem::{Policy, Refused, RwSem};
use crate::sync::{Ordering, mutated, ordered};
use crate::wait::Kind;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The reader's share is in the count; `v` is the value after its addition.
    #[cold]
    pub(in crate::rwsem) fn read_slow(&self, mut v: Count) -> Result<Token<L>, Refused> {
        // A thread that has the lock by a slot must not wait for a writer that waits for that slot.
        if let Some(token) = self.read_again() {
            self.take_share_back(mutated!(NestedReaderWakesNobody));
            return Ok(token);
        }
        // Nor must a thread that knows of a share of its own.
        if v.admits_recursive_reader() && self.is_noted() {
            return Ok(self.counted());
        }
        if self.must_give_way(v.minus_reader(), 0) {
            v = self.give_way_by_share(v);
        }
        v = self.let_by_share(v);
        self.count_reader(v)?;
        Ok(self.counted())
    }

    /// A reader with a deadline looks first: its share is added by a step that gets in, or not at
    /// all.
    ///
    /// A share that is added and taken back keeps a first writer out meanwhile. Many readers that
    /// come back as soon as they are refused would keep it out for ever.
    #[cold]
    #[inline(never)]
    pub(in crate::rwsem) fn read_timed(
        &self,
        deadline: Option<Instant>,
    ) -> Result<Token<L>, Refused> {
        if mutated!(TimedReaderAddsFirst) {
            self.count.fetch_add(READER, Ordering::Relaxed);
            self.take_share_back(false);
        }
        if self.share_from(self.look()) {
            return Ok(self.counted());
        }
        // Perhaps the thread has the lock already, and knows it.
        if let Some(token) = self.try_read_as_noted() {
            return Ok(token);
        }
        let v = self.look();
        if v.has(GUARD) {
            return refused(Refused::TooManyReaders);
        }
        if is_over::<P>(deadline) {
            return refused(Refused::TimedOut);
        }
        if L::SPIN_TO_READ
            && let Some(v) = self.spin_for_read(v, deadline)
            && self.share_from(v)
        {
            return Ok(self.counted());
        }
        self.queue_without_share(deadline)?;
        Ok(self.counted())
    }

    /// v → v + READER for as long as a reader may get in, perhaps past waiters.
    fn share_from(&self, mut v: Count) -> bool {
        while v.lets_reader_in::<L>() || reader_may_steal::<L>(v.plus_readers(1)) {
            match self.try_read_at(v) {
                Ok(()) => return true,
                Err(now) => v = now,
            }
        }
        false
    }

    /// A reader has got in by a step that led to `v`, perhaps past waiters.
    #[inline]
    pub(in crate::rwsem) fn reader_is_in(&self, v: Count) {
        self.consider_bias(v);
        self.pass_as_reader(v);
    }

    /// The reader's share led to `v`. The reader keeps it and is in, or waits, or is refused.
    fn count_reader(&self, v: Count) -> Result<(), Refused> {
        let queues = self.queues_behind_writer(v) && !self.names_own_slot();
        if v.lets_reader_in::<L>() && !queues {
            self.reader_is_in(v);
            return Ok(());
        }
        if v.has(GUARD) && !mutated!(GuardIgnored) {
            self.take_share_back(mutated!(GuardWakesNobody));
            return refused(Refused::TooManyReaders);
        }
        if reader_may_steal::<L>(v) {
            count(Event::RwsemRlockSteal);
            return Ok(());
        }
        // The thread's slot that names the lock has no place for a further hold, and the writer
        // that keeps the thread out waits for that slot.
        if self.names_own_slot() {
            self.take_share_back(false);
            return refused(Refused::TooManyReaders);
        }
        if L::SPIN_TO_READ
            && !queues
            && let Some(v) = self.spin_for_read(v, None)
        {
            self.reader_is_in(v);
            return Ok(());
        }
        // The share goes now, not after a wait for the list lock: the first waiter waits for
        // nothing but the threads inside.
        if self.look().has(HANDOFF) {
            self.take_share_back(mutated!(ReservationKeptInSilence));
            return self.queue_without_share(None);
        }
        self.queue_with_share()
    }

    /// Queues, and gives the share back in the step that makes the reader known.
    fn queue_with_share(&self) -> Result<(), Refused> {
        let turn = Turn::new::<P>(Kind::Reader, None);
        let list = self.waiters.lock::<P>();
        // Acquire: pairs with the release of the writer that kept us out. Our share stood in the
        // count since then, so no other writer can have come.
        let order = ordered!(Acquire, unless EmptyQueueSeenRelaxed);
        let v = Count(self.count.load(order));
        let joins = L::JOIN_READERS && v.lets_reader_in::<L>() && !self.queues_behind_writer(v);
        let alone = list.first().is_none() || mutated!(ReaderOvertakesTheQueue);
        if joins {
            drop(list);
            self.reader_is_in(v);
            return Ok(());
        }
        // The share also stays beside another share of the same thread.
        if (alone || turn.may_have_a_share(&list)) && !v.has(WRITER) {
            return Ok(());
        }
        self.queue(list, &turn, GiveBack::Share)
    }

    fn queue_without_share(&self, deadline: Option<Instant>) -> Result<(), Refused> {
        let turn = Turn::new::<P>(Kind::Reader, deadline);
        let list = self.waiters.lock::<P>();
        if turn.may_have_a_share(&list) && self.share_beside_readers().is_some() {
            return Ok(());
        }
        self.queue(list, &turn, GiveBack::Nothing)
    }
}

/// Whether a reader whose share is in `v` may keep it, past waiters. Only if no other reader is
/// inside: a stream of readers that overlap must not starve a sleeper.
fn reader_may_steal<L: Policy>(v: Count) -> bool {
    let handoff = v.has(HANDOFF) && !mutated!(ReaderStealsThoughHandoff);
    L::STEAL_READ && !L::JOIN_READERS && !v.has(WRITER) && !handoff && v.readers() == 1
}

fn refused<T>(why: Refused) -> Result<T, Refused> {
    count(Event::RwsemRlockFail);
    Err(why)
}
