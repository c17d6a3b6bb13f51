//! The calls: reading and writing, with or without a deadline, and trying to. Each has its one step for a
//! lock that is free; what comes after that stands elsewhere.

mod back_off;
mod end;
mod found;
mod noted;
mod read;
mod recursive;
mod spin;
mod unlock;
mod unlock_slot;
mod upgrade;
mod write;

pub use self::unlock_slot::NotHeld;

use crate::platform::{Class, Instant, Platform, may_wait};
use crate::rwsem::slots::{Noted, has_slots};
use crate::rwsem::word::count::{Count, UPGRADER, WRITER};
use crate::rwsem::{Policy, ReadToken, Refused, RwSem};
use crate::sync::mutated;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Takes the lock for reading, waiting while a writer has it or it is reserved for a waiter.
    ///
    /// A thread that reads already and reads again may deadlock if a writer came in between; use
    /// [`read_recursive`](Self::read_recursive) there, or a policy that
    /// [notes reads](Policy::NOTE_READS), under which such a read waits for nobody.
    #[inline]
    #[track_caller]
    pub fn read(&self) -> ReadToken<L::Guards> {
        may_wait::<P>(Class::Thread);
        match self.read_by_first_slot() {
            Ok(token) => token,
            Err(noted) if has_slots::<L>() => self.read_otherwise(noted),
            Err(_) => held(self.read_counted()),
        }
    }

    /// By a share, if there is no bias and the thread is prepared: a step away from here. Or by another slot.
    #[inline(never)]
    #[track_caller]
    fn read_otherwise(&self, noted: Noted) -> ReadToken<L::Guards> {
        if !self.is_a_share_next(noted) {
            return self.read_anyhow(noted);
        }
        match self.share_of_reader() {
            Err(v) if !self.pass_dozer(v) => self.read_slow_for_ever(v),
            _ => self.counted(),
        }
    }

    /// Whether a share is a step away: no bias is on, and the thread is prepared.
    #[inline]
    pub(in crate::rwsem) fn is_a_share_next(&self, noted: Noted) -> bool {
        noted.is_none() && !self.owner.hint().is_on() && P::current_number() != 0
    }

    /// Out of line, so that `read_otherwise` has nothing to save and restore.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn read_slow_for_ever(&self, v: Count) -> ReadToken<L::Guards> {
        held(self.read_slow(v))
    }

    /// By another slot, or a share.
    #[inline(never)]
    #[track_caller]
    fn read_anyhow(&self, mut noted: Noted) -> ReadToken<L::Guards> {
        if noted.is_none() {
            match self.read_by_second_slot() {
                Ok(token) => return token,
                Err(second) => noted = second,
            }
        }
        if let Some((slot, _)) = noted {
            let v = self.look();
            if self.must_give_way(v, 1) {
                self.give_way_by_slot(slot, v);
                noted = None;
            }
        }
        match self.read_by_slot_otherwise(noted) {
            Some(token) => token,
            None => held(self.read_counted()),
        }
    }

    /// [`read`](Self::read), waiting at most until `deadline` (`None`: for ever).
    ///
    /// # Errors
    /// See [`Refused`].
    #[inline]
    #[track_caller]
    pub fn read_until(&self, deadline: Option<Instant>) -> Result<ReadToken<L::Guards>, Refused> {
        may_wait::<P>(Class::Thread);
        match self.read_by_first_slot() {
            Ok(token) => Ok(token),
            Err(noted) if has_slots::<L>() => self.read_otherwise_until(noted, deadline),
            Err(_) => self.read_by_share_until(deadline),
        }
    }

    /// By another slot, or a share.
    #[inline(never)]
    #[track_caller]
    fn read_otherwise_until(
        &self,
        noted: Noted,
        deadline: Option<Instant>,
    ) -> Result<ReadToken<L::Guards>, Refused> {
        match self.read_by_slot_otherwise(noted) {
            Some(token) => Ok(token),
            None => self.read_by_share_until(deadline),
        }
    }

    #[inline]
    fn read_by_share_until(
        &self,
        deadline: Option<Instant>,
    ) -> Result<ReadToken<L::Guards>, Refused> {
        if deadline.is_none() {
            return self.read_counted();
        }
        if !has_slots::<L>() {
            P::prepare();
        }
        self.read_timed(deadline)
    }

    /// By a share in the count.
    #[inline]
    fn read_counted(&self) -> Result<ReadToken<L::Guards>, Refused> {
        if !has_slots::<L>() {
            P::prepare();
        }
        match self.share_of_reader() {
            Ok(()) => Ok(self.counted()),
            Err(v) => self.read_slow(v),
        }
    }

    /// Adds a share. The value after it, if that does not show that the reader is inside.
    #[inline]
    fn share_of_reader(&self) -> Result<(), Count> {
        let v = self.add_share();
        // One test for the common case; whether a reader may join past waiters is seen out of line.
        if !v.admits_reader() {
            return Err(v);
        }
        self.consider_bias(v);
        Ok(())
    }

    /// Takes the lock for reading unless a writer has it or it is reserved for a waiter, before whom this thread
    /// does not [go](Policy::NOTE_READS). (Without [joining](Policy::JOIN_READERS), nor if anybody waits.)
    #[inline]
    #[must_use]
    pub fn try_read(&self) -> Option<ReadToken<L::Guards>> {
        if L::NOTE_READS {
            return self.try_read_and_note();
        }
        match self.read_by_first_slot() {
            Ok(token) => Some(token),
            Err(noted) if has_slots::<L>() => self.try_read_otherwise(noted),
            Err(_) => self.try_read_counted().then_some(ReadToken::COUNTED),
        }
    }

    /// By another slot, or a share.
    #[inline(never)]
    fn try_read_otherwise(&self, noted: Noted) -> Option<ReadToken<L::Guards>> {
        let by_slot = self.read_by_slot_otherwise(noted);
        by_slot.or_else(|| self.try_read_counted().then_some(ReadToken::COUNTED))
    }

    /// By a share in the count.
    #[inline]
    pub(in crate::rwsem) fn try_read_counted(&self) -> bool {
        // Otherwise a free lock is taken without a look at the thread.
        let looks = L::NOTE_READS || !L::TRY_READ_CAS_FIRST;
        if !has_slots::<L>() && looks {
            P::prepare();
        }
        if !L::TRY_READ_CAS_FIRST {
            return self.try_read_from(self.look());
        }
        match self.try_read_at(Count(0)) {
            Ok(()) => true,
            Err(now) => self.try_read_again(now),
        }
    }

    /// Out of line, so that the way through a free lock is one step and one branch that is not
    /// taken; a test looks at the machine code.
    #[cold]
    #[inline(never)]
    fn try_read_again(&self, now: Count) -> bool {
        P::prepare();
        self.try_read_from(now)
    }

    /// v → v + READER for as long as the value admits a reader.
    #[inline]
    fn try_read_from(&self, mut v: Count) -> bool {
        while v.lets_reader_in::<L>() {
            match self.try_read_at(v) {
                Ok(()) => return true,
                Err(now) => v = now,
            }
        }
        false
    }

    /// v → v + READER, once.
    #[inline]
    pub(in crate::rwsem) fn try_read_at(&self, v: Count) -> Result<(), Count> {
        let taken = v.plus_readers(1);
        self.count_cas(v, taken)?;
        self.reader_is_in(taken);
        Ok(())
    }

    /// Takes the lock for writing, waiting while anybody has it.
    #[inline]
    #[track_caller]
    pub fn write(&self) {
        // Without a deadline nothing refuses a writer.
        let taken = self.write_until(None);
        debug_assert!(taken.is_ok());
    }

    /// [`write`](Self::write), waiting at most until `deadline` (`None`: for ever).
    ///
    /// # Errors
    /// [`Refused::TimedOut`].
    #[inline]
    #[track_caller]
    pub fn write_until(&self, deadline: Option<Instant>) -> Result<(), Refused> {
        may_wait::<P>(Class::Thread);
        P::prepare();
        let early = mutated!(WriterLooksBeforeItsStep) && self.is_signed();
        // Past waiters it got in the last time, and they will still be there: a step that is sure to fail.
        if self.owner.hint().is_passing_writer(P::current_number()) {
            return self.write_slow(self.look(), deadline);
        }
        match self.set_writer_free() {
            Ok(()) if early || self.is_signed() => Ok(()),
            Ok(()) => self.sign_first(deadline, true),
            Err(v) => self.write_slow(v, deadline),
        }
    }

    /// Takes the lock for writing if nobody has it and nobody waits for it.
    #[inline]
    #[must_use]
    pub fn try_write(&self) -> bool {
        P::prepare();
        if has_slots::<L>()
            && self.owner.hint().is_on()
            && (self.look() != Count(0) || self.is_in_a_slot())
        {
            return false;
        }
        match self.set_writer_free() {
            Ok(()) => self.is_signed() || self.sign_first(None, false).is_ok(),
            Err(_) => false,
        }
    }

    /// 0 → WRITER, once.
    #[inline]
    fn set_writer_free(&self) -> Result<(), Count> {
        self.count_cas(Count(0), Count(WRITER))
    }

    /// Whether anybody has the lock, or waits to upgrade. Stale as soon as it is returned.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        let v = self.look();
        !v.is_free() || v.has(UPGRADER) || has_slots::<L>() && self.is_in_a_slot()
    }

    /// Whether a writer has the lock, or waits for readers in slots alone. Stale as soon as it is
    /// returned.
    #[must_use]
    pub fn is_locked_for_writing(&self) -> bool {
        self.look().has(WRITER)
    }
}

/// The token of a read that only too many readers refuse.
#[inline]
#[track_caller]
pub(in crate::rwsem) fn held<T>(read: Result<T, Refused>) -> T {
    match read {
        Ok(token) => token,
        Err(refused) => too_many_readers(refused),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn too_many_readers(refused: Refused) -> ! {
    panic!("{refused}");
}
