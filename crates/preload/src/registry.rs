//! The table of thread records: never freed, ids used again.
//!
//! Records lie in chunks of 256, 512, 1,024, …: the table grows without moving a record. The first
//! chunk is part of the library, the others are the kernel's. The table has no lock: a thread may
//! be in here when another forks, and the child must still be able to register threads.

use crate::system::call;
use core::mem::MaybeUninit;
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use siftlock_core::record::{FreeIds, Record, RecordId};

/// Records in the first chunk: so many threads need no memory.
const FIRST: u32 = 256;
/// Enough chunks for all ids.
const CHUNKS: usize = ((RecordId::MAX - 1 + FIRST).ilog2() - FIRST.ilog2() + 1) as usize;

/// The records of a chunk. Behind them stand the links of free ids, and behind those the threads'
/// numbers.
type Chunk = *mut Record;

static CHUNKS_MADE: [AtomicPtr<Record>; CHUNKS] = {
    let mut table = [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS];
    table[0] = AtomicPtr::new((&raw const FIRST_CHUNK).cast_mut().cast());
    table
};

/// The greatest id given out so far.
static HIGHEST: AtomicU32 = AtomicU32::new(0);
static FREE: FreeIds = FreeIds::new();

/// Records, their links and their threads, as in memory from the kernel.
#[repr(C)]
struct FirstChunk {
    records: [Record; FIRST as usize],
    links: [AtomicU32; FIRST as usize],
    threads: [AtomicU32; FIRST as usize],
}

static FIRST_CHUNK: FirstChunk = FirstChunk {
    records: {
        let mut records = [const { MaybeUninit::<Record>::uninit() }; FIRST as usize];
        let mut n = 0;
        while n < FIRST {
            records[n as usize] = MaybeUninit::new(Record::new(RecordId::new(n + 1).unwrap()));
            n += 1;
        }
        // SAFETY: the loop has written each.
        unsafe {
            core::mem::transmute::<[MaybeUninit<Record>; FIRST as usize], [Record; FIRST as usize]>(
                records,
            )
        }
    },
    links: [const { AtomicU32::new(0) }; FIRST as usize],
    threads: [const { AtomicU32::new(0) }; FIRST as usize],
};

/// Chunk, place in it, and size of the chunk of this id. Inline: a writer that looks through all
/// threads asks for each.
#[inline]
const fn place(id: RecordId) -> (usize, usize, u32) {
    let n = id.get() - 1 + FIRST;
    let chunk = n.ilog2() - FIRST.ilog2();
    let size = FIRST << chunk;
    (chunk as usize, (n - size) as usize, size)
}

/// The record of an id that [`take`] has given out.
#[inline]
pub(crate) fn record(id: RecordId) -> &'static Record {
    let (chunk, offset, _) = place(id);
    // SAFETY: chunks are never freed, and the place lies inside by its construction.
    unsafe { &*made(chunk).add(offset) }
}

/// The link that belongs to an id.
fn link(id: RecordId) -> &'static AtomicU32 {
    word(id, 0)
}

/// The number in the system of the thread that has an id, or 0.
pub(crate) fn thread(id: RecordId) -> &'static AtomicU32 {
    word(id, 1)
}

/// The word that belongs to an id, of those that stand behind the records: the first kind or the
/// second.
fn word(id: RecordId, kind: usize) -> &'static AtomicU32 {
    let (chunk, offset, size) = place(id);
    let size = size as usize;
    // SAFETY: chunks are never freed, and the place lies inside by its construction.
    unsafe { &*made(chunk).add(size).cast::<AtomicU32>().add(kind * size + offset) }
}

/// An id travels through the locks' words by relaxed steps. So a weakly ordered processor can show
/// it before the chunk that was made for it. The chunk is on its way. (It is awaited inline: a call
/// would make every caller save registers.)
#[inline]
fn made(chunk: usize) -> Chunk {
    loop {
        // Acquire: pairs with the release in `make_chunk_of`.
        let first = CHUNKS_MADE[chunk].load(Ordering::Acquire);
        if !first.is_null() {
            return first;
        }
        core::hint::spin_loop();
    }
}

/// The greatest id up to which each id has its record. A thread may have been about to make a chunk
/// as another forked. In the child the ids of that chunk have no record, and never get one.
pub(crate) fn complete() -> u32 {
    // Relaxed: a counter.
    let mut number = HIGHEST.load(Ordering::Relaxed);
    while let Some(id) = RecordId::new(number) {
        let (chunk, offset, _) = place(id);
        // Acquire: pairs with the release in `make_chunk_of`.
        if !CHUNKS_MADE[chunk].load(Ordering::Acquire).is_null() {
            break;
        }
        number -= offset as u32 + 1;
    }
    number
}

/// A record that nobody has, used before or new. Ends the process where 2^24 threads use locks at
/// once.
pub(crate) fn take() -> &'static Record {
    if let Some(id) = FREE.pop(link) {
        return record(id);
    }
    // Relaxed: a counter.
    let number = HIGHEST.fetch_add(1, Ordering::Relaxed) + 1;
    let Some(id) = RecordId::new(number) else { no_memory() };
    make_chunk_of(id);
    record(id)
}

/// Gives an id back: its thread has ended.
pub(crate) fn give_back(id: RecordId) {
    FREE.push(id, link(id));
}

fn make_chunk_of(id: RecordId) {
    let (chunk, _, size) = place(id);
    // Acquire: pairs with the release below.
    if !CHUNKS_MADE[chunk].load(Ordering::Acquire).is_null() {
        return;
    }
    let bytes = size as usize * (size_of::<Record>() + 2 * size_of::<AtomicU32>());
    let made = map(bytes).cast::<Record>();
    for number in 0..size {
        let id = RecordId::new((size - FIRST + 1 + number).min(RecordId::MAX)).expect("from 1");
        // SAFETY: a place in the new memory, which nobody else knows. The words behind are 0.
        unsafe { made.add(number as usize).write(Record::new(id)) };
    }
    // Release: pairs with the acquires above.
    let (done, not) = (Ordering::Release, Ordering::Relaxed);
    if CHUNKS_MADE[chunk].compare_exchange(ptr::null_mut(), made, done, not).is_err() {
        // SAFETY: another thread's chunk is in place; nobody has seen ours.
        unsafe { call(libc::SYS_munmap, [made.addr(), bytes, 0, 0, 0, 0]) };
    }
}

fn map(bytes: usize) -> *mut u8 {
    let (protection, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    let args = [0, bytes, protection as usize, flags as usize, usize::MAX, 0];
    // SAFETY: asks for new memory.
    match unsafe { call(libc::SYS_mmap, args) } {
        -4095..0 => no_memory(),
        at => ptr::with_exposed_provenance_mut(at.cast_unsigned()),
    }
}

#[cold]
fn no_memory() -> ! {
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}
