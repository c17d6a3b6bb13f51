//! The library's words for each thread, in 128 bytes of *initial-exec* thread-local storage. To
//! read one takes two loads and no call. `thread_local!` in a shared library is a call, which costs
//! half as much as a lock call.
//!
//! Stable Rust cannot ask for that form, so assembly declares the variable. The loader keeps room
//! for such a variable, so that `dlopen` of the library works as well.

use crate::nested::Nested;
use core::arch::global_asm;
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};
use libc::timespec;
use siftlock_core::initial_exec;
use siftlock_core::platform::Countdown;
use siftlock_core::record::{Record, RecordId};

/// The library's words for one thread. At the thread's start the first word is `&NOBODY`, and all
/// others are 0.
#[repr(C)]
pub(crate) struct Mine {
    pub(crate) record: Cell<&'static Record>,
    /// The record's id; 0 = the thread has none. One load instead of two that depend on each other.
    pub(crate) number: Cell<u32>,
    /// Reads until the thread next asks whether a bias would pay. Over while it has no record.
    pub(crate) countdown: Countdown,
    /// Whether the realtime deadline is over, whatever the lock's own clock says.
    pub(crate) is_over: Cell<bool>,
    /// The realtime deadline of the thread's wait.
    pub(crate) realtime: Cell<timespec>,
    /// The realtime deadline on the lock's own clock, by both clocks as the wait began, in
    /// nanoseconds; 0 = none.
    pub(crate) realtime_ends: Cell<u64>,
    /// The name of the thread in the locks that it writes; 0 = it has had no record yet. A record's
    /// id cannot be the name: an ending thread may lose its record, and another thread may get it.
    /// The thread keeps this name to its end, and no other thread has it.
    pub(crate) name: Cell<u32>,
    /// Handlers that have interrupted calls: see `nested`.
    pub(crate) nested: Nested,
}

const _: () = assert!(size_of::<Mine>() <= 128 && align_of::<Mine>() <= 8);
const _: () = assert!(core::mem::offset_of!(Mine, record) == 0);

/// The record of all threads that have none of their own.
static NOBODY: Record = Record::new(RecordId::new(RecordId::MAX).unwrap());

/// How many names threads have got.
static NAMES: AtomicU32 = AtomicU32::new(0);

// What the compiler would write for `thread_local!`, but hidden, and with a fixed name.
global_asm!(
    ".pushsection .tdata.siftlock_preload_mine,\"awT\",%progbits",
    ".p2align 6",
    ".globl siftlock_preload_mine",
    ".hidden siftlock_preload_mine",
    ".type siftlock_preload_mine, %tls_object",
    ".size siftlock_preload_mine, 128",
    "siftlock_preload_mine:",
    ".quad {nobody}",
    ".zero 120",
    ".popsection",
    nobody = sym NOBODY,
);

/// The calling thread's words.
#[inline(always)]
pub(crate) fn mine() -> &'static Mine {
    let mine: *const Mine = initial_exec!("siftlock_preload_mine").cast();
    // SAFETY: the variable lives as long as its thread, and no other thread has this reference: the
    // cells are not `Sync`. All bytes are valid from the start: only the first word is a reference.
    unsafe { &*mine }
}

impl Mine {
    /// The calling thread's record, or `NOBODY`.
    #[inline(always)]
    pub(crate) fn record_or_nobody(&self) -> &'static Record {
        self.record.get()
    }

    /// Whether the thread has a record.
    pub(crate) fn is_known(&self) -> bool {
        !ptr::eq(self.record.get(), &NOBODY)
    }

    /// Gives this record to the thread, and a name if the thread has none.
    pub(crate) fn take(&self, record: &'static Record) {
        self.record.set(record);
        self.number.set(record.id().get());
        while self.name.get() == 0 {
            // Relaxed: a counter. It wraps after 2^32 threads, and 0 is no name.
            self.name.set(NAMES.fetch_add(1, Ordering::Relaxed).wrapping_add(1));
        }
    }

    /// Takes the record away from the thread.
    pub(crate) fn forget(&self) {
        self.countdown.end();
        self.number.set(0);
        self.record.set(&NOBODY);
    }
}
