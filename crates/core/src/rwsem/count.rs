//! The count word: its bits, and pure functions from value to value.
//!
//! Everything that decides who holds the lock and who is to be woken is a function of one value of
//! this word; the slow paths only choose which function to apply. See the bit table in the
//! [module's documentation](super).

use super::Policy;
use crate::sync::mutated;
use crate::wait::{Kind, RecordId};

pub(super) const WRITER: u64 = 1;
pub(super) const WAITERS: u64 = 1 << 1;
pub(super) const HANDOFF: u64 = 1 << 2;
// Bit 3 is READ_BIAS: kept free for readers that pass the count by.
pub(super) const HEAD_READER: u64 = 1 << 4;
pub(super) const HEAD_GRANTED: u64 = 1 << 5;
pub(super) const UPGRADER: u64 = 1 << 6;
/// One reader.
pub(super) const BIAS: u64 = 1 << 8;
/// Top bit of the readers' field: no more readers, please.
pub(super) const GUARD: u64 = 1 << 31;
const HEAD_SHIFT: u32 = 32;

const READERS: u64 = 0xffff_ff00;
/// A reader whose addition shows none of these has the lock.
const READ_FAILED: u64 = WRITER | WAITERS | HANDOFF | GUARD;
/// Somebody holds the lock. The guard bit is part of it: with 2^23 readers all others are 0.
const LOCKED: u64 = WRITER | READERS;
/// All that says who waits first.
const HEAD_BITS: u64 = WAITERS | HEAD_READER | u64::MAX << HEAD_SHIFT;

/// A value of the count word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count(pub(super) u64);

impl Count {
    pub(super) const fn has(self, bits: u64) -> bool {
        self.0 & bits != 0
    }

    pub(super) const fn with(self, bits: u64) -> Self {
        Self(self.0 | bits)
    }

    pub(super) const fn without(self, bits: u64) -> Self {
        Self(self.0 & !bits)
    }

    pub(super) const fn plus_readers(self, n: u32) -> Self {
        Self(self.0 + n as u64 * BIAS)
    }

    pub(super) const fn minus_reader(self) -> Self {
        Self(self.0 - BIAS)
    }

    /// How many shares are out, granted ones included.
    pub(super) const fn readers(self) -> u32 {
        ((self.0 & READERS) >> 8) as u32
    }

    /// Nobody holds the lock.
    #[inline]
    pub(super) fn is_free(self) -> bool {
        if mutated!(GuardLeftOutOfLocked) {
            return !self.has(LOCKED & !GUARD);
        }
        !self.has(LOCKED)
    }

    /// Rule H: a waiter of this kind that comes first by a step with this result has to be told,
    /// since it gets in, or, where readers may go on joining, since it has to watch its time.
    pub(super) fn concerns<L: Policy>(self, kind: Kind) -> bool {
        self.admits(kind) || L::JOIN_READERS && !self.has(WRITER)
    }

    /// A waiter of this kind that comes first gets in.
    pub(super) fn admits(self, kind: Kind) -> bool {
        match kind {
            Kind::Reader => !self.has(WRITER),
            Kind::Upgradable => !self.has(WRITER | UPGRADER),
            Kind::Writer | Kind::Upgrade => self.is_free(),
        }
    }

    /// A reader that sees this after adding its share has the lock.
    pub(super) const fn admits_reader(self) -> bool {
        !self.has(READ_FAILED)
    }

    /// The same under this policy: readers may join readers past waiting writers.
    #[inline]
    pub(super) fn lets_reader_in<L: Policy>(self) -> bool {
        if L::JOIN_READERS {
            !self.has(READ_FAILED & !WAITERS | HEAD_READER)
        } else {
            self.admits_reader()
        }
    }

    /// A reader that has the lock already, and adds a share, has it once more.
    pub(super) const fn admits_recursive_reader(self) -> bool {
        !self.has(WRITER | GUARD)
    }

    /// The first waiter's record.
    pub(super) const fn head(self) -> Option<RecordId> {
        RecordId::new((self.0 >> HEAD_SHIFT) as u32)
    }

    /// Rule F: after a step with this result somebody has to be woken.
    #[inline]
    pub(super) fn is_free_with_head(self) -> bool {
        if mutated!(GuardLeftOutOfLocked) {
            return self.is_free() && self.has(WAITERS);
        }
        self.0 & (LOCKED | WAITERS) == WAITERS
    }

    /// Whom rule F wakes after a step with this result: the first waiter of a lock left free.
    pub(super) fn head_if_free(self) -> Option<RecordId> {
        if self.is_free_with_head() { self.head() } else { None }
    }

    /// What to add to a value without waiters so that it names this first waiter.
    pub(super) const fn naming(id: RecordId, kind: Kind) -> u64 {
        let reads = if matches!(kind, Kind::Reader) { HEAD_READER } else { 0 };
        (id.get() as u64) << HEAD_SHIFT | WAITERS | reads
    }

    /// The same value with another first waiter, or none. The lock is then reserved for nobody.
    pub(super) const fn with_head(self, head: Option<(RecordId, Kind)>) -> Self {
        let cleared = self.without(HEAD_BITS | HANDOFF);
        match head {
            Some((id, kind)) => cleared.with(Self::naming(id, kind)),
            None => cleared,
        }
    }
}
