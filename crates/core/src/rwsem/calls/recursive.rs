//! Recursive reads: of a thread that has the lock already, and must not wait for a writer that
//! waits for that thread.

use crate::platform::{Class, Instant, Platform, may_wait};
use crate::rwsem::calls::or_panic;
use crate::rwsem::word::count::Count;
use crate::rwsem::{Policy, ReadToken, Refused, RwSem};
use crate::sync::{Ordering, mutated};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Takes the lock for reading even if others wait for it: for a thread that has it already and
    /// must not wait for a writer that waits for this very thread.
    ///
    /// The count, or the slot by which the thread took the lock, shows that the thread has it. A
    /// slot stands for 1,024 reads; one more, while a writer waits for the slot, is
    /// [refused](Refused::TooManyReaders).
    #[inline]
    #[track_caller]
    pub fn read_recursive(&self) -> ReadToken<L::Guards> {
        or_panic(self.read_recursive_until(None))
    }

    /// [`read_recursive`](Self::read_recursive), waiting at most until `deadline` (`None`: for
    /// ever) while a writer has the lock.
    ///
    /// # Errors
    /// See [`Refused`].
    #[inline]
    #[track_caller]
    pub fn read_recursive_until(
        &self,
        deadline: Option<Instant>,
    ) -> Result<ReadToken<L::Guards>, Refused> {
        may_wait::<P>(Class::Thread);
        if deadline.is_some() {
            return match self.try_read_recursive() {
                Some(token) => Ok(token),
                None => self.read_timed(deadline),
            };
        }
        if let Some(token) = self.read_by_slot() {
            return Ok(token);
        }
        let v = self.add_share();
        if !v.admits_recursive_reader() {
            return self.read_slow(v);
        }
        self.consider_bias(v);
        Ok(self.counted())
    }

    /// [`read_recursive`](Self::read_recursive) unless a writer has the lock.
    #[inline]
    #[must_use]
    pub fn try_read_recursive(&self) -> Option<ReadToken<L::Guards>> {
        if let Some(token) = self.read_by_slot() {
            return Some(token);
        }
        match self.share_beside_readers() {
            Some(v) => {
                self.consider_bias(v);
                Some(self.counted())
            }
            None => self.read_again(),
        }
    }

    /// v → v + READER, past all waiters, unless a writer has the lock. Returns the value after.
    pub(in crate::rwsem) fn share_beside_readers(&self) -> Option<Count> {
        // Relaxed: only a reason to try.
        let mut v = Count(self.count.load(Ordering::Relaxed));
        while v.admits_recursive_reader() {
            let taken = v.plus_readers(1);
            match self.count_cas(v, taken) {
                Ok(()) => return Some(taken),
                Err(now) => v = now,
            }
        }
        None
    }

    /// Reads once more by the same slot, if the caller, which is kept out, holds the lock by a
    /// slot. A share would wait for a writer that waits for that slot. A second slot may come too
    /// late for the writer's look.
    pub(in crate::rwsem) fn read_again(&self) -> Option<ReadToken<L::Guards>> {
        if !self.has_bias() {
            return None;
        }
        let (slots, key) = (P::current().slots(), self.key());
        let again = if mutated!(SlotReadAgainByAnother) {
            slots.find(|slot| slot.mark.names(key))?;
            slots.find(|slot| slot.mark.make(key))
        } else {
            slots.find(|slot| slot.mark.add(key))
        };
        again.map(ReadToken::of)
    }

    /// Whether the calling thread is inside by a slot.
    pub(in crate::rwsem) fn names_own_slot(&self) -> bool {
        self.has_bias() && P::current().slots().name(self.key())
    }
}
