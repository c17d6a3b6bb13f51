//! The tables of thread records: never freed, ids used again.
//!
//! Each platform has a table of its own. A wake-up may come late, after the record has passed to
//! another thread. Suppose that this thread slept by another platform's means. Then the wake-up
//! would leave it asleep, and the mark of the wake-up would keep the next one from waking it.
//!
//! Records lie in chunks of 64, 128, 256, …. So the table grows without moving a record, and an id
//! finds its record by two loads. Free ids form a stack, with its links in the table. All of it is
//! lock-free: a thread may be in here when another forks, and the child must still be able to
//! register threads. Nor does it use the program's allocator, which may be built on a lock.

use super::pages;
use super::portable::Bell;
use siftlock_core::record::{FreeIds, Record, RecordId};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// Records in the first chunk.
const FIRST: u32 = 64;
/// Enough chunks for all ids.
const CHUNKS: usize = ((RecordId::MAX - 1 + FIRST).ilog2() - FIRST.ilog2() + 1) as usize;

/// A record, and the platforms' data beside it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) record: Record,
    /// Where the thread sleeps, on the portable platform, and writers that wait for its slots.
    pub(super) bell: Bell,
    /// The thread's number in the system, or 0 where that is not known.
    #[cfg(target_os = "linux")]
    pub(super) thread: AtomicU32,
    /// While this id is free: the next free id, or 0.
    next_free: AtomicU32,
}

/// The records of one platform.
#[derive(Debug)]
pub(super) struct Registry {
    table: [AtomicPtr<Entry>; CHUNKS],
    /// The greatest id given out so far.
    highest: AtomicU32,
    free: FreeIds,
}

/// Chunk, place in it, and size of the chunk of this id. Inline: a writer that looks through all
/// threads asks for each.
#[inline]
const fn place(id: RecordId) -> (usize, usize, u32) {
    let n = id.get() - 1 + FIRST;
    let chunk = n.ilog2() - FIRST.ilog2();
    let size = FIRST << chunk;
    (chunk as usize, (n - size) as usize, size)
}

impl Registry {
    pub(super) const fn new() -> Self {
        Self {
            table: [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS],
            highest: AtomicU32::new(0),
            free: FreeIds::new(),
        }
    }

    /// The entry of an id that [`take`](Self::take) has given out.
    ///
    /// An id travels through the locks' words by relaxed steps. So a weakly ordered processor can
    /// show it before the chunk that was made for it, which is on its way. (It is awaited inline: a
    /// call would make every caller save registers.)
    #[inline]
    pub(super) fn entry(&self, id: RecordId) -> &'static Entry {
        let (chunk, offset, _) = place(id);
        loop {
            // Acquire: pairs with the release in `make_chunk_of`.
            let first = self.table[chunk].load(Ordering::Acquire);
            if !first.is_null() {
                // SAFETY: chunks are never freed, and the place lies inside by its construction.
                return unsafe { &*first.add(offset) };
            }
            std::hint::spin_loop();
        }
    }

    /// The greatest id given out so far, and so how many records have ever been in use at once.
    pub(super) fn highest(&self) -> u32 {
        // Relaxed: a counter.
        self.highest.load(Ordering::Relaxed)
    }

    /// The greatest id up to which each id has its entry. A thread may have been about to make a
    /// chunk as another forked. In the child the ids of that chunk have no entry, and never get
    /// one.
    pub(super) fn complete(&self) -> u32 {
        let mut number = self.highest();
        while let Some(id) = RecordId::new(number) {
            let (chunk, offset, _) = place(id);
            // Acquire: pairs with the release in `make_chunk_of`.
            if !self.table[chunk].load(Ordering::Acquire).is_null() {
                break;
            }
            number -= offset as u32 + 1;
        }
        number
    }

    /// A free id, used before or new.
    ///
    /// # Panics
    /// If 2^24 threads use locks at once.
    pub(super) fn take(&self) -> &'static Entry {
        if let Some(id) = self.free.pop(|id| &self.entry(id).next_free) {
            return self.entry(id);
        }
        // Relaxed: a counter.
        let number = self.highest.fetch_add(1, Ordering::Relaxed) + 1;
        let id =
            RecordId::new(number).expect("at most 2^24 threads can use siftlock's locks at once");
        self.make_chunk_of(id);
        self.entry(id)
    }

    /// Gives an id back: its thread has ended, or uses no lock any more.
    pub(super) fn give_back(&self, id: RecordId) {
        self.free.push(id, &self.entry(id).next_free);
    }

    fn make_chunk_of(&self, id: RecordId) {
        let (chunk, _, size) = place(id);
        // Acquire: pairs with the release below.
        if !self.table[chunk].load(Ordering::Acquire).is_null() {
            return;
        }
        let first_id = size - FIRST + 1;
        let made = pages::make::<Entry>(size as usize);
        for number in 0..size {
            let id = RecordId::new((first_id + number).min(RecordId::MAX)).expect("from 1");
            let entry = Entry {
                record: Record::new(id),
                bell: Bell::default(),
                #[cfg(target_os = "linux")]
                thread: AtomicU32::new(0),
                next_free: AtomicU32::new(0),
            };
            // SAFETY: a place in the new memory, which nobody else knows.
            unsafe { made.add(number as usize).write(entry) };
        }
        // Release: pairs with the acquires in `entry` and above.
        let won = self.table[chunk].compare_exchange(
            ptr::null_mut(),
            made,
            Ordering::Release,
            Ordering::Relaxed,
        );
        if won.is_err() {
            // SAFETY: another thread's chunk is in place; nobody has seen ours.
            unsafe { pages::give_back(made, size as usize) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_places_follow_one_another_without_gaps() {
        let mut expected = (0, 0);
        for number in 1..5_000 {
            let id = RecordId::new(number).unwrap();
            let (chunk, offset, size) = place(id);
            assert_eq!((chunk, offset), expected);
            expected =
                if offset + 1 == size as usize { (chunk + 1, 0) } else { (chunk, offset + 1) };
        }
        let (last, ..) = place(RecordId::new(RecordId::MAX).unwrap());
        assert!(last < CHUNKS);
    }

    #[test]
    fn registry_is_complete_up_to_the_last_chunk_that_was_made() {
        static REGISTRY: Registry = Registry::new();
        assert_eq!(REGISTRY.complete(), 0);
        for _ in 0..FIRST {
            REGISTRY.take();
        }
        assert_eq!(REGISTRY.complete(), FIRST);
        // A thread that was forked away behind this step.
        REGISTRY.highest.fetch_add(1, Ordering::Relaxed);
        assert_eq!((REGISTRY.highest(), REGISTRY.complete()), (FIRST + 1, FIRST));
        REGISTRY.take();
        assert_eq!(REGISTRY.complete(), FIRST + 2);
    }

    #[test]
    fn registry_entry_knows_its_id() {
        static REGISTRY: Registry = Registry::new();
        let taken: Vec<_> = (0..300).map(|_| REGISTRY.take()).collect();
        for entry in &taken {
            assert!(ptr::eq(REGISTRY.entry(entry.record.id()), *entry));
        }
        for entry in taken {
            REGISTRY.give_back(entry.record.id());
        }
        assert_eq!(REGISTRY.highest(), 300);
        REGISTRY.take();
        assert_eq!(REGISTRY.highest(), 300, "ids are used again");
    }
}
