//! The interval tree of all processes' mappings, which the lock under measurement protects.

use std::sync::{RwLock, TryLockError};

use iset::IntervalMap;

/// Pages of a mapping. Neighbours begin half as many pages apart.
const PAGES: u64 = 8;

/// One process's copy of the parent's mapping at this place.
#[derive(Clone, Copy)]
pub(super) struct Mapping {
    pub(super) place: usize,
    pub(super) of: usize,
}

/// The tree. All callers hold the lock under measurement. The lock inside is never waited for, so
/// it costs each subject the same. It makes a lock that does not exclude lose changes, not memory.
pub(super) struct Tree(RwLock<IntervalMap<u64, usize>>);

impl Tree {
    /// The tree with the parent's own mappings.
    pub(super) fn of_parent(mappings: usize) -> Self {
        let tree = Self(RwLock::new(IntervalMap::new()));
        (0..mappings).for_each(|place| tree.insert(Mapping { place, of: 0 }));
        tree
    }

    /// Puts a child's copy in.
    pub(super) fn insert(&self, mapping: Mapping) {
        self.change(|tree| tree.force_insert(range(mapping), mapping.of));
    }

    /// Takes a child's copy out.
    pub(super) fn remove(&self, mapping: Mapping) {
        self.change(|tree| {
            tree.remove_where(range(mapping), |of| *of == mapping.of);
        });
    }

    fn change(&self, change: impl FnOnce(&mut IntervalMap<u64, usize>)) {
        match self.0.try_write() {
            Ok(mut tree) => change(&mut tree),
            Err(TryLockError::Poisoned(_)) => unreachable!("nothing in it panics"),
            Err(TryLockError::WouldBlock) => {}
        }
    }

    /// How many pages all mappings have together.
    pub(super) fn walk(&self) -> u64 {
        self.0
            .try_read()
            .map_or(0, |tree| tree.iter(..).map(|(pages, _)| pages.end - pages.start).sum())
    }

    /// Whether only the parent's mappings are in it.
    pub(super) fn is_as_planted(&self) -> bool {
        self.0.read().is_ok_and(|tree| tree.iter(..).all(|(_, of)| *of == 0))
    }
}

/// Mappings overlap their neighbours, as the mappings in a tree for one file do.
fn range(mapping: Mapping) -> std::ops::Range<u64> {
    let start = mapping.place as u64 * PAGES / 2;
    start..start + PAGES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tree_tells_copies_of_one_mapping_apart() {
        let tree = Tree::of_parent(2);
        assert_eq!(tree.walk(), 2 * PAGES);
        for of in [1, 2] {
            tree.insert(Mapping { place: 0, of });
        }
        tree.remove(Mapping { place: 0, of: 2 });
        assert_eq!(tree.walk(), 3 * PAGES);
        assert!(!tree.is_as_planted());
        tree.remove(Mapping { place: 0, of: 1 });
        assert!(tree.is_as_planted());
    }
}
