//! Writing, and trying to: one step where the lock is free.

use super::has_to_try_again;
use crate::platform::{Class, Instant, Platform, may_wait};
use crate::rwsem::word::count::{Count, WRITER};
use crate::rwsem::{Policy, Refused, RwSem};
use crate::sync::mutated;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Takes the lock for writing, waiting while anybody has it or it is reserved for a waiter.
    #[inline]
    #[track_caller]
    pub fn write(&self) {
        while has_to_try_again::<L>(self.write_until(None)) && !mutated!(RefusedWriterGoesIn) {}
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
        // The caller got in past waiters the last time, and they will still be there: the step for
        // a free lock is sure to fail.
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
        if self.has_bias() && (self.look() != Count(0) || self.is_in_a_slot()) {
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
}
