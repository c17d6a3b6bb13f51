//! Reading. Two ways stand inline, each one step: by the thread's first slot, also past waiters
//! where the thread need not look about (see `pass`), or by a share. All else is one call: with two
//! calls the way by slot would have registers to save. (A noted read has more to do with a share,
//! so its way by a share stands out of line.)

use super::or_panic;
use crate::platform::{Class, Instant, Platform, may_wait};
use crate::rwsem::slots::{NotedSlot, has_slots};
use crate::rwsem::word::count::Count;
use crate::rwsem::{Policy, ReadToken, Refused, RwSem};
use crate::sync::mutated;
use core::hint::cold_path;

/// Stands for the count after the caller's share, if the caller has none.
const NO_SHARE: Count = Count(0);

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Takes the lock for reading, waiting while a writer has it or it is reserved for a waiter.
    /// Where reads last longer than a sleep takes, it may also wait for a writer that waits
    /// ([`Policy::QUEUE_IF_LONG`]).
    ///
    /// A thread that reads already and reads again may deadlock if a writer came in between; use
    /// [`read_recursive`](Self::read_recursive) there, or a policy that
    /// [notes reads](Policy::NOTE_READS), under which such a read waits for nobody.
    #[inline]
    #[track_caller]
    pub fn read(&self) -> ReadToken<L::Guards> {
        may_wait::<P>(Class::Thread);
        if !has_slots::<L>() {
            return or_panic(self.read_counted());
        }
        let first = P::current_or_nobody().slots().first();
        let (bias, mut noted, mut v) = (self.owner.hint(), None, NO_SHARE);
        if bias.is_on() {
            match self.read_under(bias, first) {
                Ok(token) => return token,
                Err(slot) => noted = slot,
            }
        } else if !L::NOTE_READS && !self.is_to_consider_bias() {
            // A thread that need not ask for a bias yet is prepared.
            v = self.add_share();
            if v.admits_polite_reader() {
                return self.counted();
            }
        }
        cold_path();
        self.read_otherwise(noted, v)
    }

    /// Reads by the caller's share, which led to `v`; by a share that is a step away; or by a slot.
    #[inline(never)]
    #[track_caller]
    fn read_otherwise(&self, noted: NotedSlot, mut v: Count) -> ReadToken<L::Guards> {
        // A caller that has made the step already has seen that it is not time to ask.
        let may_ask = v == NO_SHARE;
        if may_ask || mutated!(ShareAddedTwice) {
            if !self.is_a_share_next(noted) {
                return self.read_anyhow(noted);
            }
            v = self.add_share();
        }
        if v.admits_polite_reader() || Self::joins_unlooked(v) {
            if may_ask {
                self.consider_bias(v);
            }
            return self.counted();
        }
        self.read_slow_for_ever(v)
    }

    /// Whether a share is a step away: the lock is noted in no slot, no slot is to be had, and the
    /// thread is prepared.
    #[inline]
    pub(in crate::rwsem) fn is_a_share_next(&self, noted: NotedSlot) -> bool {
        let no_slot = || !self.has_bias() || P::current_or_nobody().slots().are_full();
        let may_share = noted.is_none() || mutated!(ShareTakenBesideNote);
        may_share && P::current_number() != 0 && no_slot()
    }

    /// Out of line, so that `read_otherwise` saves and restores no registers.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn read_slow_for_ever(&self, v: Count) -> ReadToken<L::Guards> {
        or_panic(self.read_slow(v))
    }

    /// Reads by a slot, or by a share, looking about.
    #[inline(never)]
    #[track_caller]
    fn read_anyhow(&self, noted: NotedSlot) -> ReadToken<L::Guards> {
        let mut noted = match noted {
            Some(_) => noted,
            None => match self.read_by_free_slot() {
                Ok(token) => return token,
                Err(noted) => noted,
            },
        };
        // A reader by a share gives way later, in `read_slow`.
        if noted.is_some() {
            noted = self.give_way_before_share(noted);
        }
        match self.read_by_slot_otherwise(noted) {
            Some(token) => token,
            None => or_panic(self.read_counted()),
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

    /// Reads by another slot, or by a share.
    #[inline(never)]
    #[track_caller]
    fn read_otherwise_until(
        &self,
        noted: NotedSlot,
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

    /// Reads by a share in the count.
    #[inline]
    fn read_counted(&self) -> Result<ReadToken<L::Guards>, Refused> {
        if !has_slots::<L>() {
            P::prepare();
        }
        let v = self.add_share();
        // One test for the common case.
        if !v.admits_polite_reader() {
            return self.join_or_wait(v);
        }
        self.consider_bias(v);
        Ok(self.counted())
    }

    /// Out of line, so that `read_counted` saves and restores no registers.
    #[cold]
    #[inline(never)]
    fn join_or_wait(&self, v: Count) -> Result<ReadToken<L::Guards>, Refused> {
        if !Self::joins_unlooked(v) {
            return self.read_slow(v);
        }
        self.consider_bias(v);
        Ok(self.counted())
    }
}
