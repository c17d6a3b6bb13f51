//! The records that a writer has to look through: those of all threads that ever read by slot.
//!
//! There is a bit for each id. The bits of 64 ids in a row stand in the record of the first of
//! them, their *leader*, in the line of its slots. So the list has no memory of its own. A thread
//! joins it by a step or two, however many are there. A writer finds each record by its number
//! alone: no look waits for the one before, as it would along links from record to record, and the
//! processor has many cache misses under way at once. A writer does not touch the record of a
//! thread that never read by slot; 64 such records in a row cost their leader's line.
//!
//! Records are never freed and their ids are used again, so no bit ever goes off.
//!
//! # Memory orderings
//! All accesses are Relaxed. A thread lists itself before it notes its first lock. So the fences
//! that make a writer see the reader's slot also make it find the reader. The bits publish nothing:
//! [`Platform::record`](crate::platform::Platform::record) finds the record of any id.

use super::{Record, RecordId};
use crate::sync::{AtomicU32, Ordering, const_fn, mutated};

/// The number of ids that share a word. A model has few threads, but needs more than one group.
const GROUP: u32 = if cfg!(siftlock_model) { 2 } else { u64::BITS };

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct Listed {
    /// How many words there are to look through.
    groups: AtomicU32,
}

impl Listed {
    const_fn! {
        pub(crate) const fn new() -> Self {
            Self { groups: AtomicU32::new(0) }
        }
    }

    /// Puts the calling thread's record on the list. Until then its slots say that it is not there.
    #[cold]
    pub(crate) fn add(&self, me: &Record, record: impl Fn(RecordId) -> &'static Record) {
        if !mutated!(ThreadListedNowhere) {
            let (group, bit) = place(me.id());
            leader(group, record).slots().listed().fetch_or(bit, Ordering::Relaxed);
            self.grow_to(group + 1);
        }
        me.slots().list();
    }

    fn grow_to(&self, groups: u32) {
        let mut now = self.groups.load(Ordering::Relaxed);
        while now < groups {
            match self.groups.compare_exchange(now, groups, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return,
                Err(_) if mutated!(ListGrowsOnce) => return,
                Err(theirs) => now = theirs,
            }
        }
    }

    /// All records on the list.
    pub(crate) fn all(
        &self,
        record: impl Fn(RecordId) -> &'static Record + Copy,
    ) -> impl Iterator<Item = &'static Record> {
        (0..self.groups.load(Ordering::Relaxed)).flat_map(move |group| {
            let mut left = leader(group, record).slots().listed().load(Ordering::Relaxed);
            core::iter::from_fn(move || {
                let id = member(group, left)?;
                left &= left - 1;
                Some(record(id))
            })
        })
    }
}

/// The group of an id, and its bit there.
const fn place(id: RecordId) -> (u32, u64) {
    let n = id.get() - 1;
    (n / GROUP, 1 << (n % GROUP))
}

/// The id of the lowest of these bits of a group, if there is one.
const fn member(group: u32, bits: u64) -> Option<RecordId> {
    if bits == 0 { None } else { RecordId::new(group * GROUP + bits.trailing_zeros() + 1) }
}

/// The record in which a group's bits stand. It exists: ids are given out from 1 on, so a thread
/// has had the leader's id before.
fn leader(group: u32, record: impl Fn(RecordId) -> &'static Record) -> &'static Record {
    match member(group, 1) {
        Some(id) => record(id),
        None => unreachable!("a group of an id begins with an id"),
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    extern crate std;

    use super::*;
    use std::sync::LazyLock;
    use std::vec::Vec;

    static RECORDS: LazyLock<Vec<Record>> =
        LazyLock::new(|| (1..=200).map(|id| Record::new(RecordId::new(id).unwrap())).collect());

    fn record(id: RecordId) -> &'static Record {
        &RECORDS[id.get() as usize - 1]
    }

    #[test]
    fn listed_records_are_found_in_order_and_once() {
        let listed = Listed::new();
        let all = || listed.all(record).map(|record| record.id().get()).collect::<Vec<_>>();
        assert!(all().is_empty());
        for number in [130, 1, 66, 64, 65, 1, 130, 3, 128, 129] {
            listed.add(record(RecordId::new(number).unwrap()), record);
        }
        assert_eq!(all(), [1, 3, 64, 65, 66, 128, 129, 130]);
        let groups = || listed.groups.load(Ordering::Relaxed);
        assert_eq!(groups(), 3, "the last id is in the third");
        for (to, then) in [(2, 3), (3, 3), (5, 5), (4, 5)] {
            listed.grow_to(to);
            assert_eq!(groups(), then);
        }
    }

    #[test]
    fn listed_place_of_an_id_leads_back_to_it() {
        let ids = (1..1_000).chain([RecordId::MAX - 64, RecordId::MAX - 1, RecordId::MAX]);
        for id in ids.map(|number| RecordId::new(number).unwrap()) {
            let (group, bit) = place(id);
            assert_eq!(member(group, bit), Some(id));
            assert_eq!(member(group, bit | u64::MAX << bit.trailing_zeros()), Some(id));
            assert!(member(group, 1).unwrap().get() <= id.get(), "its leader came before");
            assert_eq!(member(group, 0), None);
        }
    }
}
