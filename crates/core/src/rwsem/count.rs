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
pub(super) const READ_BIAS: u64 = 1 << 3;
pub(super) const HEAD_READER: u64 = 1 << 4;
pub(super) const HEAD_GRANTED: u64 = 1 << 5;
pub(super) const UPGRADER: u64 = 1 << 6;
pub(super) const HEAD_DOZES: u64 = 1 << 7;
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
const HEAD_BITS: u64 = WAITERS | HEAD_READER | HEAD_DOZES | u64::MAX << HEAD_SHIFT;

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
        let watches = L::JOIN_READERS && !mutated!(WriterHeirNotTold);
        self.admits(kind) || watches && !self.has(WRITER)
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
            let ignored = if mutated!(ReaderJoinsThoughHandoff) { HANDOFF } else { 0 };
            !self.has(READ_FAILED & !WAITERS & !ignored | HEAD_READER)
        } else {
            self.admits_reader()
        }
    }

    /// A reader that sees this after it has noted the lock in a slot has it.
    #[inline]
    pub(super) fn lets_slot_reader_in(self) -> bool {
        let against = match () {
            () if mutated!(SlotReadersIgnoreWaiters) => WRITER,
            () if mutated!(SlotLooksAtBiasOnly) => 0,
            () if mutated!(BiasOffWhileDraining) => 0,
            () => WRITER | WAITERS | HANDOFF,
        };
        self.0 & (READ_BIAS | against) == READ_BIAS
    }

    /// So does one that sees this, where readers join readers past a writer that waits, while that
    /// writer dozes.
    pub(super) fn lets_slot_reader_pass<L: Policy>(self) -> bool {
        let tested = READ_BIAS | WRITER | HANDOFF | HEAD_READER | HEAD_DOZES;
        L::JOIN_READERS && self.0 & tested == READ_BIAS | HEAD_DOZES
    }

    /// The same but for the bias, which may be switched on then.
    pub(super) fn lets_bias_be_switched_on<L: Policy>(self) -> bool {
        let on = self.with(READ_BIAS);
        !self.has(READ_BIAS) && (on.lets_slot_reader_in() || on.lets_slot_reader_pass::<L>())
    }

    /// What the writer that has the lock takes off as it leaves: with it goes the bias, which it has
    /// revoked. Nobody else changes that bit meanwhile.
    pub(super) const fn writers(self) -> u64 {
        self.0 & (WRITER | READ_BIAS)
    }

    /// A reader that has the lock already, and adds a share, has it once more.
    pub(super) const fn admits_recursive_reader(self) -> bool {
        !self.has(WRITER | GUARD)
    }

    /// The first waiter dozes, and those inside may be past the count.
    pub(super) const fn is_readers_phase(self) -> bool {
        let phase = READ_BIAS | HEAD_DOZES;
        self.0 & phase == phase
    }

    /// The first waiter's record.
    pub(super) const fn head(self) -> Option<RecordId> {
        RecordId::new((self.0 >> HEAD_SHIFT) as u32)
    }

    /// Rule F: after a plain unlock with this result somebody has to be woken.
    #[inline]
    pub(super) fn is_free_with_listener(self) -> bool {
        if mutated!(GuardLeftOutOfLocked) {
            return self.is_free() && self.has(WAITERS);
        }
        self.0 & (LOCKED | WAITERS | HEAD_DOZES) == WAITERS
    }

    /// Whom rule F wakes after any other step with this result: the first waiter of a lock left free.
    pub(super) fn head_if_free(self) -> Option<RecordId> {
        if self.is_free() { self.head() } else { None }
    }

    /// The lock is reserved for the first waiter, which listens.
    pub(super) const fn reserved(self) -> Self {
        self.with(HANDOFF).without(HEAD_DOZES)
    }

    /// The first waiter listens, or does not.
    pub(super) const fn with_dozing(self, dozes: bool) -> Self {
        let listens = self.without(HEAD_DOZES);
        if dozes { listens.with(HEAD_DOZES) } else { listens }
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

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;
    use crate::rwsem::policy::{Classic, Standard};

    const FLAGS: u64 = 1 << 8;
    const COUNTS: [u64; 6] = [0, 1, 2, 255, (1 << 23) - 1, 1 << 23];
    const HEADS: [u64; 4] = [0, 1, 77, RecordId::MAX as u64];
    const KINDS: [Kind; 4] = [Kind::Reader, Kind::Upgradable, Kind::Writer, Kind::Upgrade];

    /// Every combination of flags with some numbers of readers and some heads.
    fn values() -> impl Iterator<Item = Count> {
        HEADS.into_iter().flat_map(|head| {
            COUNTS.into_iter().flat_map(move |readers| {
                (0..FLAGS).map(move |flags| Count((head << HEAD_SHIFT) | (readers * BIAS) | flags))
            })
        })
    }

    fn head(number: u32, kind: Kind) -> Option<(RecordId, Kind)> {
        RecordId::new(number).map(|id| (id, kind))
    }

    #[test]
    fn count_is_free_without_writer_and_readers() {
        for v in values() {
            assert_eq!(v.is_free(), !v.has(WRITER) && v.readers() == 0, "{v:?}");
        }
    }

    #[test]
    fn count_with_the_guard_alone_is_not_free() {
        assert!(!Count(GUARD).is_free());
        assert!(!Count(GUARD).admits_reader());
        assert!(!Count(GUARD).lets_reader_in::<Standard>());
        assert!(!Count(GUARD).admits_recursive_reader());
    }

    #[test]
    fn count_lets_no_reader_in_beside_a_writer_or_into_a_reserved_lock() {
        for v in values().filter(|v| v.has(WRITER | HANDOFF)) {
            assert!(!v.lets_reader_in::<Standard>() && !v.lets_reader_in::<Classic>(), "{v:?}");
        }
    }

    #[test]
    fn count_lets_readers_join_past_a_writer_but_not_past_a_reader() {
        let waits = |kind| Count(BIAS).with_head(head(5, kind));
        assert!(waits(Kind::Writer).lets_reader_in::<Standard>());
        assert!(!waits(Kind::Reader).lets_reader_in::<Standard>());
        assert!(!waits(Kind::Writer).lets_reader_in::<Classic>());
    }

    #[test]
    fn count_with_head_names_it_and_reserves_nothing() {
        for v in values() {
            for kind in KINDS {
                let named = v.with_head(head(9, kind));
                assert_eq!(named.head().map(RecordId::get), Some(9));
                assert!(named.has(WAITERS) && !named.has(HANDOFF));
                assert_eq!(named.has(HEAD_READER), kind == Kind::Reader);
                assert_eq!(named.readers(), v.readers());
                let nobody = named.with_head(None);
                assert!(
                    nobody.head().is_none()
                        && !nobody.has(WAITERS | HEAD_READER | HEAD_DOZES | HANDOFF)
                );
                let kept = WRITER | HEAD_GRANTED | UPGRADER | READERS;
                assert_eq!(nobody.0 & kept, v.0 & kept);
            }
        }
    }

    #[test]
    fn count_naming_added_to_a_value_without_waiters_is_with_head() {
        for kind in KINDS {
            for readers in COUNTS {
                let v = Count((readers * BIAS) | WRITER);
                let id = RecordId::new(RecordId::MAX).unwrap();
                assert_eq!(Count(v.0 + Count::naming(id, kind)), v.with_head(Some((id, kind))));
            }
        }
    }

    #[test]
    fn count_readers_never_carry_into_the_head() {
        let v = Count(0).plus_readers((1 << 23) - 1).with_head(head(3, Kind::Writer));
        let full = v.plus_readers(1).plus_readers(4095);
        assert!(full.has(GUARD));
        assert_eq!(full.head(), v.head());
    }

    #[test]
    fn count_rule_f_wakes_the_head_of_a_free_lock_alone() {
        for v in values().filter(|v| v.has(WAITERS) == v.head().is_some()) {
            let expected = if v.is_free() { v.head() } else { None };
            assert_eq!(v.head_if_free(), expected, "{v:?}");
        }
    }

    #[test]
    fn count_plain_unlock_calls_the_head_of_a_free_lock_unless_it_dozes() {
        for v in values().filter(|v| v.has(WAITERS) == v.head().is_some()) {
            let expected = v.is_free() && v.has(WAITERS) && !v.has(HEAD_DOZES);
            assert_eq!(v.is_free_with_listener(), expected, "{v:?}");
            assert!(!v.reserved().has(HEAD_DOZES) && v.reserved().has(HANDOFF));
        }
    }

    #[test]
    fn count_rule_h_concerns_whom_it_admits_and_who_has_to_watch_readers() {
        for v in values() {
            for kind in KINDS {
                assert_eq!(v.concerns::<Classic>(kind), v.admits(kind));
                let watches = !v.has(WRITER);
                assert_eq!(v.concerns::<Standard>(kind), v.admits(kind) || watches);
            }
        }
    }
}
