//! Trying to read: without a wait, and without a share that is added and taken back.

use crate::platform::Platform;
use crate::rwsem::slots::{NotedSlot, has_slots};
use crate::rwsem::word::count::Count;
use crate::rwsem::{Policy, ReadToken, RwSem};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Takes the lock for reading unless a writer has it or it is reserved for a waiter. A thread
    /// that has the lock already, and [notes](Policy::NOTE_READS) its reads, may go before that
    /// waiter. (Without [joining](Policy::JOIN_READERS) the try also fails if anybody waits.)
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

    /// Tries to read by another slot, or by a share.
    #[inline(never)]
    fn try_read_otherwise(&self, noted: NotedSlot) -> Option<ReadToken<L::Guards>> {
        let by_slot = self.read_by_slot_otherwise(noted);
        by_slot.or_else(|| self.try_read_counted().then_some(ReadToken::COUNTED))
    }

    /// Tries to read by a share in the count.
    #[inline]
    pub(in crate::rwsem) fn try_read_counted(&self) -> bool {
        // Where neither holds, a free lock is taken without a look at the thread.
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
}
