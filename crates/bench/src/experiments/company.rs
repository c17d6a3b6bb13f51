//! Whether readers share the lock in fact: how many reads begin beside another reader.
//!
//! The count is one word that every reader writes twice in a section. That alone slows down a lock
//! whose readers share no line. So readers are counted only in a sample that measures nothing else.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crossbeam_utils::CachePadded;

/// The readers inside, on a line of their own.
pub(super) struct Company {
    readers: CachePadded<AtomicU32>,
}

impl Company {
    /// No reader is inside.
    pub(super) fn new() -> Self {
        Self { readers: CachePadded::default() }
    }

    /// Runs a read section, and says whether another reader was inside when it began.
    #[inline]
    pub(super) fn read(&self, section: impl FnOnce()) -> bool {
        // Relaxed: only the count itself is of interest.
        let beside = self.readers.fetch_add(1, Relaxed) > 0;
        section();
        self.readers.fetch_sub(1, Relaxed);
        beside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn company_is_another_reader_inside() {
        let company = Company::new();
        let mut inner = false;
        let outer = company.read(|| inner = company.read(|| ()));
        assert_eq!((outer, inner), (false, true));
        assert!(!company.read(|| ()), "everybody has left");
    }
}
