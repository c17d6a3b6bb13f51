//! The count word: its bits, and pure functions from value to value.
//!
//! Functions of one value of this word decide which threads hold the lock and which waiter is to be
//! woken. The slow paths only choose which function to apply. See the bit table in the [lock's
//! documentation](crate::rwsem).

use crate::record::RecordId;
use crate::rwsem::Policy;
use crate::sync::mutated;
use crate::wait::{Kind, Name};

pub(in crate::rwsem) const WRITER: u64 = 1;
pub(in crate::rwsem) const HEAD_HEEDED: u64 = 1 << 1;
pub(in crate::rwsem) const HANDOFF: u64 = 1 << 2;
pub(in crate::rwsem) const SPINNER_NEXT: u64 = 1 << 3;
pub(in crate::rwsem) const HEAD_READER: u64 = 1 << 4;
pub(in crate::rwsem) const HEAD_BEATEN: u64 = 1 << 5;
pub(in crate::rwsem) const UPGRADER: u64 = 1 << 6;
pub(in crate::rwsem) const HEAD_DOZES: u64 = 1 << 7;
/// One reader.
pub(in crate::rwsem) const READER: u64 = 1 << 8;
/// Top bit of the readers' field: no more readers get in.
pub(in crate::rwsem) const GUARD: u64 = 1 << 31;
const HEAD_SHIFT: u32 = 32;
/// All bits of the first waiter's record id.
const HEAD: u64 = (RecordId::MAX as u64) << HEAD_SHIFT;
/// One reader that has given way to the first waiter. Two are enough: they make the bit above.
const GIVER: u64 = 1 << 56;
const GIVERS_ENOUGH: u64 = 1 << 57;
const GIVERS: u64 = GIVER | GIVERS_ENOUGH;

const _: () = assert!(HEAD < GIVER);

const READERS: u64 = 0xffff_ff00;
/// A reader whose addition shows none of these has the lock.
const READ_FAILED: u64 = WRITER | HEAD_HEEDED | HANDOFF | GUARD;
/// Somebody holds the lock. The guard bit is one of these: with 2^23 readers all others are 0.
const LOCKED: u64 = WRITER | READERS;
/// All bits that tell of the first waiter.
const HEAD_BITS: u64 =
    HEAD_HEEDED | HEAD_READER | HEAD_BEATEN | HEAD_DOZES | u64::MAX << HEAD_SHIFT;

/// A value of the count word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rwsem) struct Count(pub(in crate::rwsem) u64);

impl Count {
    pub(in crate::rwsem) const fn has(self, bits: u64) -> bool {
        self.0 & bits != 0
    }

    pub(in crate::rwsem) const fn with(self, bits: u64) -> Self {
        Self(self.0 | bits)
    }

    pub(in crate::rwsem) const fn without(self, bits: u64) -> Self {
        Self(self.0 & !bits)
    }

    pub(in crate::rwsem) const fn plus_readers(self, n: u32) -> Self {
        Self(self.0 + n as u64 * READER)
    }

    pub(in crate::rwsem) const fn minus_reader(self) -> Self {
        Self(self.0 - READER)
    }

    /// How many shares are out, granted ones included.
    pub(in crate::rwsem) const fn readers(self) -> u32 {
        ((self.0 & READERS) >> 8) as u32
    }

    /// Nobody holds the lock.
    #[inline]
    pub(in crate::rwsem) fn is_free(self) -> bool {
        if mutated!(GuardLeftOutOfLocked) {
            return !self.has(LOCKED & !GUARD);
        }
        !self.has(LOCKED)
    }

    /// Rule H: a waiter of this kind that comes first by a step with this result has to be woken.
    /// It gets in, or, where readers may go on joining, it has to watch its time.
    pub(in crate::rwsem) fn must_wake_new_head<L: Policy>(self, kind: Kind) -> bool {
        let watches = L::JOIN_READERS && !mutated!(WriterHeirNotTold);
        self.admits(kind) || watches && !self.has(WRITER)
    }

    /// A waiter of this kind that comes first gets in.
    pub(in crate::rwsem) fn admits(self, kind: Kind) -> bool {
        match kind {
            Kind::Reader => !self.has(WRITER),
            Kind::Upgradable => !self.has(WRITER | UPGRADER),
            Kind::Writer | Kind::Upgrade => self.is_free(),
        }
    }

    /// The only share is the upgradable reader's, and nobody waits. A thread that waits to upgrade
    /// has no share: then the only share is another reader's.
    pub(in crate::rwsem) const fn is_upgradable_alone(self) -> bool {
        self.0 & (READERS | UPGRADER) == READER | UPGRADER && !self.has_head()
    }

    /// A reader that sees this after adding its share has the lock.
    pub(in crate::rwsem) const fn admits_reader(self) -> bool {
        !self.has(READ_FAILED)
    }

    /// A reader that lets spinners by, and sees this after adding its share, has the lock.
    pub(in crate::rwsem) const fn admits_polite_reader(self) -> bool {
        !self.has(READ_FAILED | SPINNER_NEXT)
    }

    /// A spinner asks readers to let it by, and nobody sleeps.
    pub(in crate::rwsem) const fn asks_readers(self) -> bool {
        self.0 & (READ_FAILED | SPINNER_NEXT) == SPINNER_NEXT && !self.has_head()
    }

    /// Readers have the lock, nobody sleeps, and more may come at once.
    pub(in crate::rwsem) const fn is_read_by_newcomers(self) -> bool {
        self.admits_polite_reader() && self.readers() != 0 && !self.has_head()
    }

    /// [`admits_reader`](Self::admits_reader) under this policy, by which readers may join readers
    /// past all waiters.
    #[inline]
    pub(in crate::rwsem) fn lets_reader_in<L: Policy>(self) -> bool {
        if L::JOIN_READERS {
            let ignored = if mutated!(ReaderJoinsThoughHandoff) { HANDOFF } else { 0 };
            !self.has(READ_FAILED & !HEAD_HEEDED & !ignored)
        } else {
            self.admits_reader()
        }
    }

    /// A reader that sees this after it has noted the lock in a slot has the lock, if the bias
    /// admits that, and passes nobody.
    #[inline]
    pub(in crate::rwsem) fn lets_slot_reader_in(self) -> bool {
        let against = match () {
            () if mutated!(SlotReadersIgnoreWaiters) => WRITER,
            () if mutated!(SlotLooksAtBiasOnly) => 0,
            () => WRITER | HANDOFF | HEAD,
        };
        !self.has(against)
    }

    /// A reader that sees this after it has noted the lock in a slot has the lock, if the bias
    /// admits that; where readers join readers, also past all waiters.
    pub(in crate::rwsem) const fn lets_slot_reader_pass<L: Policy>(self) -> bool {
        let waiters = if L::JOIN_READERS { 0 } else { HEAD };
        !self.has(WRITER | HANDOFF | waiters)
    }

    /// A reader that has the lock already, and adds a share, has it once more.
    pub(in crate::rwsem) const fn admits_recursive_reader(self) -> bool {
        !self.has(WRITER | GUARD)
    }

    /// The first waiter dozes, and would read beside the readers inside.
    pub(in crate::rwsem) const fn has_dozing_reader(self) -> bool {
        self.has(HEAD_DOZES) && self.has(HEAD_READER)
    }

    /// Somebody waits.
    pub(in crate::rwsem) const fn has_head(self) -> bool {
        self.has(HEAD)
    }

    /// The first waiter's record.
    pub(in crate::rwsem) const fn head(self) -> Option<RecordId> {
        RecordId::new((self.0 >> HEAD_SHIFT) as u32 & RecordId::MAX)
    }

    /// Rule F: after a plain unlock with this result the first waiter has to be woken.
    #[inline]
    pub(in crate::rwsem) fn must_wake_head(self) -> bool {
        if mutated!(GuardLeftOutOfLocked) {
            return self.is_free() && self.has(HEAD_HEEDED);
        }
        self.0 & (LOCKED | HEAD_HEEDED | HEAD_DOZES) == HEAD_HEEDED
    }

    /// The first waiter was called, or will be: nobody has the lock, which is not reserved. Fewer
    /// than two readers have given way to the waiter.
    pub(in crate::rwsem) fn wants_givers(self) -> bool {
        self.must_wake_head() && !self.has(HANDOFF | GIVERS_ENOUGH)
    }

    /// One more reader gives way to the first waiter.
    pub(in crate::rwsem) const fn plus_giver(self) -> Self {
        Self(self.0 + GIVER)
    }

    /// The first waiter has come, and waits on.
    pub(in crate::rwsem) const fn without_givers(self) -> Self {
        self.without(GIVERS)
    }

    /// The first waiter was beaten and listens, is no plain reader, and waits for no upgradable
    /// read.
    pub(in crate::rwsem) const fn has_beaten_writer(self) -> bool {
        self.has(HEAD_BEATEN) && !self.has(HEAD_READER | HEAD_DOZES | UPGRADER)
    }

    /// The waiter that rule F wakes after a step with this result which is no plain unlock: the
    /// first waiter of a lock left free.
    pub(in crate::rwsem) fn head_if_free(self) -> Option<RecordId> {
        if self.is_free() { self.head() } else { None }
    }

    /// The lock is reserved for the first waiter, which listens.
    pub(in crate::rwsem) fn reserved(self) -> Self {
        self.with(HANDOFF).heeded().without(HEAD_DOZES)
    }

    /// The first waiter has looked, and stays the first: each thread that comes or goes heeds it.
    pub(in crate::rwsem) fn heeded(self) -> Self {
        if mutated!(HeadStaysUnheeded) { self } else { self.with(HEAD_HEEDED) }
    }

    /// Nobody has to heed the first waiter until it has looked: since the lock is free, it was
    /// called, or is about to be, or dozes. `None` where that is not so, and where a reader that
    /// passes the waiter would call it.
    pub(in crate::rwsem) fn unheeded(self) -> Option<Self> {
        let was_called = self.is_free() || mutated!(HeadUnheededBeforeItsCall);
        let may_be = self.has(HEAD_HEEDED) && !self.has(HANDOFF) && !self.has_dozing_reader();
        (may_be && was_called).then_some(self.without(HEAD_HEEDED))
    }

    /// The first waiter dozes, or listens.
    pub(in crate::rwsem) const fn with_dozing(self, dozes: bool) -> Self {
        let listens = self.without(HEAD_DOZES);
        if dozes { listens.with(HEAD_DOZES) } else { listens }
    }

    /// The first waiter has looked in vain. Where the lock is reserved nobody passes it, and the
    /// bit stays off.
    pub(in crate::rwsem) fn beaten(self) -> Self {
        if self.has(HANDOFF) || mutated!(BeatenInSilence) { self } else { self.with(HEAD_BEATEN) }
    }

    /// HEAD stays, and names another wait of the same thread: of this kind, and listening.
    pub(in crate::rwsem) fn headed_by(self, kind: Kind) -> Self {
        let listens = self.heeded().without(HEAD_READER | HEAD_DOZES);
        if matches!(kind, Kind::Reader) { listens.with(HEAD_READER) } else { listens }
    }

    /// What to add to a value without waiters so that it names this first waiter.
    pub(in crate::rwsem) const fn naming((id, kind): Name) -> u64 {
        let reads = if matches!(kind, Kind::Reader) { HEAD_READER } else { 0 };
        (id.get() as u64) << HEAD_SHIFT | HEAD_HEEDED | reads
    }

    /// The value with another first waiter, or none. The lock is then reserved for nobody. A new
    /// first waiter that readers keep out is beaten already.
    pub(in crate::rwsem) fn with_head(self, head: Option<Name>) -> Self {
        let kept = if mutated!(GiversStayBehind) { GIVERS } else { 0 };
        let cleared = self.without((HEAD_BITS | HANDOFF) & !kept);
        let Some(name) = head else { return cleared };
        let named = cleared.with(Self::naming(name));
        let kept_out = !self.has(WRITER) && !self.admits(name.1) && !mutated!(HeirNotBeaten);
        if kept_out { named.beaten() } else { named }
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests;
