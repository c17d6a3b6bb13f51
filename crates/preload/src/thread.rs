//! What is kept for each thread, in 128 bytes of *initial-exec* thread-local storage: reading it is
//! two loads and no call. `thread_local!` in a shared library is a call, which costs half as much
//! as a lock call.
//!
//! Stable Rust cannot ask for that form, so the variable is declared in assembly. The loader has
//! room for it also where the library comes by `dlopen`.

use crate::nested::Nested;
use core::arch::global_asm;
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};
use libc::timespec;
use siftlock_core::initial_exec;
use siftlock_core::platform::Countdown;
use siftlock_core::record::{Record, RecordId};

/// What is kept for the calling thread. Its first word at a thread's start is `&NOBODY`, all others
/// are 0.
#[repr(C)]
pub(crate) struct Mine {
    pub(crate) record: Cell<&'static Record>,
    /// The record's id, 0 if the thread has none: one load instead of two that wait for each other.
    pub(crate) number: Cell<u32>,
    /// Until the thread next asks whether a bias would pay; over without a record.
    pub(crate) countdown: Countdown,
    /// A deadline of the realtime clock is over, whatever the other clock says.
    pub(crate) is_over: Cell<bool>,
    /// That deadline.
    pub(crate) realtime: Cell<timespec>,
    /// It on the lock's own clock, as that stood when the wait began, in nanoseconds; 0 = none.
    pub(crate) realtime_ends: Cell<u64>,
    /// By which locks know that the thread writes; 0 = it has written none yet. Ids of records are
    /// used again, and a thread that ends may have its own no more: this it keeps, and no other
    /// thread has it.
    pub(crate) name: Cell<u32>,
    /// Calls of handlers on top of calls: see `nested`.
    pub(crate) nested: Nested,
}

const _: () = assert!(size_of::<Mine>() <= 128 && align_of::<Mine>() <= 8);
const _: () = assert!(core::mem::offset_of!(Mine, record) == 0);

/// That of a thread without one.
static NOBODY: Record = Record::new(RecordId::new(RecordId::MAX).unwrap());

/// How many names were given out.
static NAMES: AtomicU32 = AtomicU32::new(0);

// As the compiler would write `thread_local!`, but hidden, and with a name.
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

/// What is kept for the calling thread.
#[inline(always)]
pub(crate) fn mine() -> &'static Mine {
    let mine: *const Mine = initial_exec!("siftlock_preload_mine").cast();
    // SAFETY: the variable lives as long as its thread, which alone has this reference: the cells
    // are not `Sync`. All its bytes are valid from the start: no word but the first is a reference.
    unsafe { &*mine }
}

impl Mine {
    /// The calling thread's record, or that of nobody.
    #[inline(always)]
    pub(crate) fn record_or_nobody(&self) -> &'static Record {
        self.record.get()
    }

    /// Whether the thread has a record.
    pub(crate) fn is_known(&self) -> bool {
        !ptr::eq(self.record.get(), &NOBODY)
    }

    /// The thread has this record from now on.
    pub(crate) fn take(&self, record: &'static Record) {
        self.record.set(record);
        self.number.set(record.id().get());
        while self.name.get() == 0 {
            // Relaxed: a counter. It begins anew after 2^32 threads.
            self.name.set(NAMES.fetch_add(1, Ordering::Relaxed).wrapping_add(1));
        }
    }

    /// The thread has no record any more.
    pub(crate) fn forget(&self) {
        self.countdown.end();
        self.number.set(0);
        self.record.set(&NOBODY);
    }
}
