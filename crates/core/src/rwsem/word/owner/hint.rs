//! What the owner word says: its bits, and questions about one value of it.

use crate::record::RecordId;

/// A name, or a number of reads.
pub(super) const ASKED: u32 = RecordId::MAX;
pub(super) const SYMMETRIC: u32 = 1 << 28 | READER_OWNED;
pub(super) const ASYMMETRIC: u32 = 1 << 29 | READER_OWNED;
pub(super) const BIASED: u32 = (SYMMETRIC | ASYMMETRIC) & !READER_OWNED;
pub(super) const READER_OWNED: u32 = 1 << 30;
pub(super) const NONSPINNABLE: u32 = 1 << 31;
pub(super) const PASSED: u32 = NONSPINNABLE;

/// What the word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rwsem) struct Hint(pub(super) u32);

/// How readers by slot note the lock, and so what a writer has to do to see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rwsem) enum Form {
    /// By a store: the writer makes a heavy fence.
    Asymmetric,
    /// By a swap: the writer only looks. So many reads are left over to pay for writes.
    Symmetric(u32),
}

impl Form {
    pub(super) const fn word(self) -> u32 {
        match self {
            Self::Asymmetric => ASYMMETRIC,
            Self::Symmetric(reads) if reads < ASKED => SYMMETRIC | reads,
            Self::Symmetric(_) => SYMMETRIC | ASKED,
        }
    }
}

impl Hint {
    /// Tells a model what the word is from now on.
    #[inline]
    pub(super) fn tell(self) {
        #[cfg(siftlock_model)]
        crate::sync::watch::biased(self.is_on());
    }

    /// Whether the word is the mere name of the writer with this number. A thread without a record
    /// has the number 0, as has a word that names nobody.
    #[inline]
    pub(in crate::rwsem) const fn is_writer(self, number: u32) -> bool {
        self.0 == number
    }

    /// Whether the word names the writer with this number, which passed waiters.
    #[inline]
    pub(in crate::rwsem) const fn is_passing_writer(self, number: u32) -> bool {
        self.0 == number | PASSED
    }

    /// Whether readers may be inside by slots that they note by a store.
    #[inline]
    pub(in crate::rwsem) const fn is_asymmetric(self) -> bool {
        self.0 == ASYMMETRIC
    }

    /// Whether readers may be inside by slots that they note by a swap.
    #[inline]
    pub(in crate::rwsem) const fn is_symmetric(self) -> bool {
        self.0 & SYMMETRIC == SYMMETRIC
    }

    /// Whether a reader may be inside by a slot.
    #[inline]
    pub(in crate::rwsem) const fn is_on(self) -> bool {
        self.0 & BIASED != 0
    }

    /// The number in bits 0 to 23, if the word names no writer.
    pub(in crate::rwsem) const fn asked(self) -> u32 {
        self.0 & ASKED
    }

    /// The writer that owns the lock took it past waiters.
    #[inline]
    pub(in crate::rwsem) const fn passed(self) -> bool {
        self.0 & (PASSED | READER_OWNED) == PASSED
    }

    /// The writer that owns the lock, if it has signed.
    pub(in crate::rwsem) const fn writer(self) -> Option<RecordId> {
        if self.is_reader() { None } else { RecordId::new(self.0 & !PASSED) }
    }

    pub(super) const fn is_reader(self) -> bool {
        self.0 & READER_OWNED != 0
    }

    /// Whether spinning on the readers was forbidden.
    pub(in crate::rwsem) const fn forbids_spinning(self) -> bool {
        self.0 & (NONSPINNABLE | READER_OWNED) == NONSPINNABLE | READER_OWNED
    }
}
