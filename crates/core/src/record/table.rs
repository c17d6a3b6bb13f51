//! A platform's table of records: never freed, ids used again.
//!
//! The records lie in chunks, each twice as large as the one before. So the table grows without
//! moving a record, and an id finds its record by two loads. Nothing here takes a lock: a thread
//! may be in here when another forks, and the child must still be able to register threads. Nor is
//! the program's allocator asked, unless the platform has nothing else: it may be built on a lock.

use super::{FreeIds, Record, RecordId};
use crate::sync::{AtomicPtr, AtomicU32, Ordering, spin_while};
use core::alloc::Layout;
use core::marker::PhantomData;
use core::ptr::{self, NonNull};

/// Records in the first chunk, if the platform does not say how many; it may say more.
const LEAST_FIRST: usize = 64;
/// Enough chunks for all ids.
const CHUNKS: usize =
    ((RecordId::MAX as usize - 1 + LEAST_FIRST).ilog2() - LEAST_FIRST.ilog2() + 1) as usize;

/// What a platform keeps for each thread: the record, and perhaps something beside it.
pub trait Entry: Sync + 'static {
    /// The entry of a thread that has not come yet.
    fn new(id: RecordId) -> Self;

    /// The record in it.
    fn record(&self) -> &Record;
}

impl Entry for Record {
    fn new(id: RecordId) -> Self {
        Self::new(id)
    }

    fn record(&self) -> &Record {
        self
    }
}

/// Where a table has its memory from: chunks for 64 entries, 128, 256, …
///
/// A chunk is asked for in [`Table::take`], so where a thread comes. If several threads come at
/// once, each may make the same chunk; all but one give it back. No other chunk is given back.
///
/// # Safety
/// `map` returns memory of that layout, which is not empty. Nobody else has that memory, and it
/// stays until `unmap`.
pub unsafe trait Memory: 'static {
    /// Memory for a chunk, with any content. Ends the process where there is none.
    fn map(chunk: Layout) -> NonNull<u8>;

    /// Gives the memory of a chunk back.
    ///
    /// # Safety
    /// `map` returned it for this layout, and nobody uses it.
    unsafe fn unmap(memory: NonNull<u8>, chunk: Layout);
}

/// The records of one platform, `FIRST` of them in the first chunk: a power of two, at least 64.
///
/// A thread takes a record at its first lock call, and gives it back when it ends, unless the
/// record [is in use](Record::is_in_use) still:
///
/// ```
/// use siftlock_core::record::{Memory, Record, Table};
/// use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
/// use std::ptr::NonNull;
///
/// struct Heap;
///
/// // SAFETY: as the allocator promises.
/// unsafe impl Memory for Heap {
///     fn map(chunk: Layout) -> NonNull<u8> {
///         // SAFETY: the chunk is not empty.
///         NonNull::new(unsafe { alloc(chunk) }).unwrap_or_else(|| handle_alloc_error(chunk))
///     }
///     unsafe fn unmap(memory: NonNull<u8>, chunk: Layout) {
///         // SAFETY: the caller's promise.
///         unsafe { dealloc(memory.as_ptr(), chunk) }
///     }
/// }
///
/// static RECORDS: Table<Record, Heap> = Table::new();
///
/// /// The calling thread's record.
/// struct Mine(&'static Record);
///
/// impl Drop for Mine {
///     fn drop(&mut self) {
///         if !self.0.is_in_use() {
///             RECORDS.give_back(self.0.id());
///         }
///     }
/// }
///
/// thread_local!(static MINE: Mine = Mine(RECORDS.take().expect("fewer than 2^24 threads")));
///
/// // What `Platform::current` answers.
/// let current = MINE.with(|mine| mine.0);
/// assert!(std::ptr::eq(RECORDS.entry(current.id()), current));
/// ```
#[derive(Debug)]
pub struct Table<E, M, const FIRST: usize = LEAST_FIRST> {
    chunks: [AtomicPtr<E>; CHUNKS],
    /// The greatest id given out so far.
    highest: AtomicU32,
    free: FreeIds,
    memory: PhantomData<fn() -> M>,
}

impl<M, const FIRST: usize> Table<Record, M, FIRST> {
    /// The first chunk of a table that is to need no memory for so many threads.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the numbers are ids")]
    pub const fn first_chunk() -> [Record; FIRST] {
        let mut records = [const { Record::new(RecordId::new(1).unwrap()) }; FIRST];
        let mut at = 1;
        while at < FIRST {
            records[at] = Record::new(RecordId::new(at as u32 + 1).unwrap());
            at += 1;
        }
        records
    }

    /// A table that begins with this chunk, which [`first_chunk`](Self::first_chunk) has made and
    /// no other table uses.
    #[must_use]
    pub const fn beginning_with(chunk: &'static [Record; FIRST]) -> Self {
        let mut table = Self::new();
        table.chunks[0] = AtomicPtr::new(ptr::from_ref(chunk).cast_mut().cast());
        table
    }
}

impl<E, M, const FIRST: usize> Table<E, M, FIRST> {
    /// A table without any record.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!(FIRST.is_power_of_two() && FIRST >= LEAST_FIRST);
            assert!(size_of::<E>() != 0, "an entry holds a record");
        }
        Self {
            chunks: [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS],
            highest: AtomicU32::new(0),
            free: FreeIds::new(),
            memory: PhantomData,
        }
    }

    /// The greatest id given out so far, and so how many records have ever been in use at once.
    pub fn highest(&self) -> u32 {
        // Relaxed: a counter.
        self.highest.load(Ordering::Relaxed)
    }

    /// The greatest id up to which each id has its record. A thread may have been about to make a
    /// chunk as another forked. In the child the ids of that chunk have no record until a thread of
    /// the child makes the chunk.
    pub fn complete(&self) -> u32 {
        let mut number = self.highest();
        while let Some(id) = RecordId::new(number) {
            let (chunk, offset, _) = Self::place(id);
            if self.made(chunk).is_some() {
                break;
            }
            number -= offset as u32 + 1;
        }
        number
    }

    /// Chunk, place in it, and size of the chunk of this id. Inline: a writer that looks through
    /// all threads asks for each.
    #[inline]
    const fn place(id: RecordId) -> (usize, usize, usize) {
        let n = id.get() as usize - 1 + FIRST;
        let chunk = n.ilog2() - FIRST.ilog2();
        let size = FIRST << chunk;
        (chunk as usize, n - size, size)
    }

    /// A chunk, if it has been made.
    #[inline]
    fn made(&self, chunk: usize) -> Option<NonNull<E>> {
        // Acquire: pairs with the release in `make_chunk_of`.
        NonNull::new(self.chunks[chunk].load(Ordering::Acquire))
    }
}

impl<E: Entry, M: Memory, const FIRST: usize> Table<E, M, FIRST> {
    /// The entry of an id that [`take`](Self::take) has given out. With another id the call may
    /// never return.
    ///
    /// An id travels through the locks' words by relaxed steps. So a weakly ordered processor can
    /// show it before the chunk that was made for it, which is on its way. (The chunk is awaited
    /// inline: a call would make every caller save registers.)
    #[inline]
    pub fn entry(&self, id: RecordId) -> &'static E {
        let (chunk, offset, _) = Self::place(id);
        loop {
            if let Some(first) = self.made(chunk) {
                // SAFETY: chunks are never freed, and the place lies inside.
                return unsafe { first.add(offset).as_ref() };
            }
            spin_while(&self.chunks[chunk], ptr::null_mut(), u32::MAX);
        }
    }

    /// An entry that no thread has, used before or new; none where 2^24 threads have one each.
    pub fn take(&self) -> Option<&'static E> {
        if let Some(id) = self.free.pop(|id| &self.entry(id).record().next_free) {
            return Some(self.entry(id));
        }
        let id = self.next_id()?;
        self.make_chunk_of(id);
        Some(self.entry(id))
    }

    /// An id that no thread has had, if there is one left.
    fn next_id(&self) -> Option<RecordId> {
        let (mut before, order) = (self.highest(), Ordering::Relaxed);
        loop {
            let id = RecordId::new(before + 1)?;
            // Relaxed: a counter.
            match self.highest.compare_exchange(before, id.get(), order, order) {
                Ok(_) => return Some(id),
                Err(now) => before = now,
            }
        }
    }

    /// Gives an id back, once for each [`take`](Self::take): its thread has ended, or uses no lock
    /// any more.
    pub fn give_back(&self, id: RecordId) {
        self.free.push(id, &self.entry(id).record().next_free);
    }

    fn make_chunk_of(&self, id: RecordId) {
        let (chunk, _, size) = Self::place(id);
        if self.made(chunk).is_some() {
            return;
        }
        let layout = Layout::array::<E>(size).expect("fits the address space");
        let memory = M::map(layout);
        let made = memory.cast::<E>();
        for at in 0..size {
            let number = ((size - FIRST + 1 + at) as u32).min(RecordId::MAX);
            let id = RecordId::new(number).expect("from 1");
            // SAFETY: a place in the new memory, which nobody else knows.
            unsafe { made.add(at).write(E::new(id)) };
        }
        // Release: pairs with the acquire in `made`. Relaxed: the other chunk is not used here.
        let (done, not) = (Ordering::Release, Ordering::Relaxed);
        let null = ptr::null_mut();
        if self.chunks[chunk].compare_exchange(null, made.as_ptr(), done, not).is_err() {
            // SAFETY: another thread's chunk is in place; nobody has seen ours.
            unsafe { M::unmap(memory, layout) };
        }
    }
}

impl<E, M, const FIRST: usize> Default for Table<E, M, FIRST> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::vec::Vec;

    struct Heap;

    // SAFETY: as the allocator promises.
    unsafe impl Memory for Heap {
        fn map(chunk: Layout) -> NonNull<u8> {
            // SAFETY: a chunk is larger than nothing.
            NonNull::new(unsafe { std::alloc::alloc(chunk) }).expect("memory for a test")
        }

        unsafe fn unmap(memory: NonNull<u8>, chunk: Layout) {
            // SAFETY: the caller's promise.
            unsafe { std::alloc::dealloc(memory.as_ptr(), chunk) };
        }
    }

    type Small = Table<Record, Heap>;

    #[test]
    fn table_places_follow_one_another_without_gaps() {
        let mut expected = (0, 0);
        for number in 1..5_000 {
            let (chunk, offset, size) = Small::place(RecordId::new(number).unwrap());
            assert_eq!((chunk, offset), expected);
            expected = if offset + 1 == size { (chunk + 1, 0) } else { (chunk, offset + 1) };
        }
        let (last, ..) = Small::place(RecordId::new(RecordId::MAX).unwrap());
        assert!(last < CHUNKS);
    }

    #[test]
    fn table_is_complete_up_to_the_last_chunk_that_was_made() {
        const FIRST: u32 = LEAST_FIRST as u32;
        static TABLE: Small = Small::new();
        assert_eq!(TABLE.complete(), 0);
        for _ in 0..FIRST {
            TABLE.take();
        }
        assert_eq!(TABLE.complete(), FIRST);
        // A thread that was forked away behind this step.
        TABLE.highest.fetch_add(1, Ordering::Relaxed);
        assert_eq!((TABLE.highest(), TABLE.complete()), (FIRST + 1, FIRST));
        TABLE.take();
        assert_eq!(TABLE.complete(), FIRST + 2);
    }

    #[test]
    fn table_entry_knows_its_id() {
        static CHUNK: [Record; 128] = Table::<Record, Heap, 128>::first_chunk();
        static WITH_A_CHUNK: Table<Record, Heap, 128> = Table::beginning_with(&CHUNK);
        static WITHOUT: Small = Small::new();
        knows_its_ids(&WITH_A_CHUNK);
        knows_its_ids(&WITHOUT);
    }

    fn knows_its_ids<const FIRST: usize>(table: &'static Table<Record, Heap, FIRST>) {
        let taken: Vec<_> = (0..300).map(|_| table.take().unwrap().id()).collect();
        for (id, number) in taken.iter().zip(1..) {
            assert_eq!((id.get(), table.entry(*id).id()), (number, *id));
        }
        for id in taken {
            table.give_back(id);
        }
        table.take();
        assert_eq!(table.highest(), 300, "ids are used again");
    }
}
