//! The word: its bits, and pure functions from value to value.
//!
//! One value of this word tells the holders, the classes that may enter, and the thread to wake.
//! See the bit table in the [module's documentation](super).

use super::Policy;
use crate::platform::Class;
use crate::record::RecordId;
use crate::sync::mutated;
use crate::wait::Kind;

pub(super) const WRITER: u64 = 1;
pub(super) const HANDOFF: u64 = 1 << 5;
const THREADS_SHIFT: u32 = 6;
const HIGHS_SHIFT: u32 = 24;
const HEAD_SHIFT: u32 = 42;

/// The greatest number that a field of readers can hold.
const FIELD: u64 = (1 << 18) - 1;

/// The greatest record id that fits HEAD.
pub(super) const MAX_ID: u32 = (1 << 22) - 1;

/// The CLOSED bit of this class: while it is set, readers of the class wait.
pub(super) const fn closed(class: Class) -> u64 {
    1 << (1 + class as u32)
}

/// One reader of this class.
pub(super) const fn reader(class: Class) -> u64 {
    match class {
        Class::Thread => 1 << THREADS_SHIFT,
        _ => 1 << HIGHS_SHIFT,
    }
}

/// A reader of this class enters only while the class's field holds fewer readers than this. A
/// lower class leaves more room, so no class fills the field against a higher one.
pub(super) const fn cap(class: Class) -> u64 {
    match class {
        Class::Thread | Class::Irq => FIELD,
        Class::SoftIrq => (1 << 17) - 1,
        Class::NonPreemptible => (1 << 16) - 1,
    }
}

/// A value of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(pub(super) u64);

impl Word {
    pub(super) const fn has(self, bits: u64) -> bool {
        self.0 & bits != 0
    }

    pub(super) const fn has_all(self, bits: u64) -> bool {
        self.0 & bits == bits
    }

    pub(super) const fn with(self, bits: u64) -> Self {
        Self(self.0 | bits)
    }

    /// The value without `bits`, flags or readers that are in it.
    pub(super) const fn minus(self, bits: u64) -> Self {
        Self(self.0 - bits)
    }

    pub(super) const fn plus_reader(self, class: Class) -> Self {
        Self(self.0 + reader(class))
    }

    /// How many Thread readers are in.
    pub(super) const fn threads(self) -> u64 {
        self.0 >> THREADS_SHIFT & FIELD
    }

    /// How many readers of higher classes are in.
    pub(super) const fn highs(self) -> u64 {
        self.0 >> HIGHS_SHIFT & FIELD
    }

    pub(super) const fn is_read(self) -> bool {
        self.threads() | self.highs() != 0
    }

    /// Whether the field that counts this class shows a reader.
    pub(super) const fn has_readers(self, class: Class) -> bool {
        self.field(class) != 0
    }

    const fn field(self, class: Class) -> u64 {
        match class {
            Class::Thread => self.threads(),
            _ => self.highs(),
        }
    }

    /// Whether a reader of this class may enter.
    pub(super) const fn admits_reader(self, class: Class) -> bool {
        !self.has(closed(class)) && self.field(class) < cap(class)
    }

    /// Whether the condition of a Thread-class waiter holds. It does not depend on HEAD and
    /// HANDOFF, because HEAD is the first waiter itself.
    pub(super) fn admits(self, kind: Kind) -> bool {
        if mutated!(PsrwQueueLooksAtHead) && self.head().is_some() {
            return false;
        }
        if kind.reads() { self.admits_reader(Class::Thread) } else { !self.has(WRITER) }
    }

    /// Whether a writer that is not the first waiter may begin to sift.
    pub(super) fn lets_writer_begin<L: Policy>(self) -> bool {
        let open = self.head().is_none() || L::STEAL && !self.has(HANDOFF);
        open && (!self.has(WRITER) || mutated!(PsrwTwoWritersSift))
    }

    /// The first waiter's record.
    pub(super) const fn head(self) -> Option<RecordId> {
        RecordId::new((self.0 >> HEAD_SHIFT) as u32)
    }

    /// The value with another first waiter, or none, and without HANDOFF.
    pub(super) const fn with_head(self, head: Option<RecordId>) -> Self {
        let rest = self.0 & ((1 << HEAD_SHIFT) - 1) & !HANDOFF;
        match head {
            Some(id) => Self(rest | (id.get() as u64) << HEAD_SHIFT),
            None => Self(rest),
        }
    }

    /// The waiter to wake, by rule F, after a Thread reader has left with this value. The last
    /// reader out lets a draining writer go on. A reader that leaves a full field lets a reader in.
    #[inline]
    pub(super) fn head_to_call(self) -> Option<RecordId> {
        let left = self.threads();
        let from_cap = left == FIELD - 1 && !mutated!(PsrwCapWakesNobody);
        if left == 0 || from_cap { self.head() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::super::policy::{Standard, Strict};
    use super::*;

    const CLASSES: [Class; 4] = [Class::Thread, Class::NonPreemptible, Class::SoftIrq, Class::Irq];

    /// All values with the fields and HEAD at 0, at a cap, beside one, or full.
    fn values() -> impl Iterator<Item = Word> {
        let fields = [0, 1, (1 << 16) - 2, (1 << 16) - 1, (1 << 17) - 2, (1 << 17) - 1, FIELD - 1];
        let heads = [0, 1, MAX_ID];
        (0..64).flat_map(move |flags| {
            let fields = fields.into_iter().chain([FIELD]);
            fields.clone().flat_map(move |threads| {
                fields.clone().flat_map(move |highs| {
                    heads.map(|head| {
                        let head = u64::from(head) << HEAD_SHIFT;
                        Word(flags | threads << THREADS_SHIFT | highs << HIGHS_SHIFT | head)
                    })
                })
            })
        })
    }

    #[test]
    fn word_fields_share_no_bit() {
        let flags = CLASSES.into_iter().fold(WRITER | HANDOFF, |bits, class| bits | closed(class));
        assert_eq!(flags, 0x3f);
        let all = [flags, FIELD << THREADS_SHIFT, FIELD << HIGHS_SHIFT, u64::MAX << HEAD_SHIFT];
        assert_eq!(all.iter().map(|bits| bits.count_ones()).sum::<u32>(), 64);
        assert_eq!(all.into_iter().fold(0, |bits, more| bits | more), u64::MAX);
        assert_eq!(MAX_ID, (u64::MAX >> HEAD_SHIFT) as u32);
    }

    #[test]
    fn word_flags_are_there_or_not() {
        let v = Word(WRITER | closed(Class::Irq));
        assert!(
            v.has(WRITER) && v.has(HANDOFF | WRITER) && !v.has(HANDOFF) && !Word(0).has(WRITER)
        );
        assert_eq!(v.with(WRITER | HANDOFF), Word(0b11_0001));
    }

    #[test]
    fn word_each_class_has_its_cap() {
        assert_eq!(CLASSES.map(cap), [262_143, 65_535, 131_071, 262_143]);
        for class in CLASSES {
            let almost = Word((cap(class) - 1) * reader(class));
            assert!(almost.admits_reader(class) && !almost.plus_reader(class).admits_reader(class));
        }
    }

    #[test]
    fn word_is_read_beside_readers_of_both_kinds() {
        let v = Word(0).plus_reader(Class::Thread).plus_reader(Class::Irq);
        assert!(v.is_read() && !Word(WRITER | HANDOFF).is_read());
    }

    #[test]
    fn word_fields_hold_what_was_put_there() {
        for flags in [0, 0x3f] {
            for (threads, highs) in [(0, 0), (1, 0), (0, 1), (FIELD, 0), (0, FIELD), (5, 7)] {
                let v = Word(flags | threads << THREADS_SHIFT | highs << HIGHS_SHIFT);
                let v = v.with_head(RecordId::new(MAX_ID));
                assert_eq!((v.threads(), v.highs()), (threads, highs));
                assert_eq!(v.is_read(), threads + highs != 0);
            }
        }
    }

    #[test]
    fn word_reader_enters_and_leaves_without_a_trace() {
        for v in values() {
            for class in CLASSES {
                if !v.admits_reader(class) {
                    let full = v.field(class) >= cap(class);
                    assert!(full || v.has(closed(class)), "{v:x?} shuts {class:?} out");
                    continue;
                }
                let inside = v.plus_reader(class);
                assert_eq!(inside.field(class), v.field(class) + 1);
                assert_eq!(inside.head(), v.head());
                assert_eq!(inside.0 & 0x3f, v.0 & 0x3f);
                assert_eq!(inside.minus(reader(class)), v);
            }
        }
    }

    #[test]
    fn word_low_class_leaves_room_for_higher_ones() {
        for v in values() {
            let high = |class| v.field(class) < cap(class);
            assert!(!high(Class::NonPreemptible) || high(Class::SoftIrq));
            assert!(!high(Class::SoftIrq) || high(Class::Irq));
        }
    }

    #[test]
    fn word_new_head_clears_handoff_and_nothing_else() {
        for v in values() {
            for id in [None, RecordId::new(1), RecordId::new(MAX_ID)] {
                let to = v.with_head(id);
                assert_eq!(to.head(), id);
                assert!(!to.has(HANDOFF));
                let rest = (1 << HEAD_SHIFT) - 1 - HANDOFF;
                assert_eq!(to.0 & rest, v.0 & rest);
            }
        }
    }

    #[test]
    fn word_writer_begins_past_others_only_by_stealing() {
        for v in values() {
            assert_eq!(v.lets_writer_begin::<Strict>(), !v.has(WRITER) && v.head().is_none());
            let waits = v.head().is_some();
            let may = !(v.has(WRITER) || waits && v.has(HANDOFF));
            assert_eq!(v.lets_writer_begin::<Standard>(), may);
            assert_eq!(v.admits(Kind::Writer), !v.has(WRITER));
            assert_eq!(v.admits(Kind::Reader), v.admits_reader(Class::Thread));
        }
    }

    #[test]
    fn word_leaving_reader_calls_from_zero_and_from_the_cap() {
        for v in values() {
            let calls = [0, FIELD - 1].contains(&v.threads());
            assert_eq!(v.head_to_call(), if calls { v.head() } else { None });
        }
    }
}
