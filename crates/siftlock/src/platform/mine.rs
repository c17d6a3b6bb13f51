//! The words that the locks and the signals keep for the calling thread, in the thread's own
//! storage. They have no destructor, so they can be read until the very end of the thread; `exit`
//! has the record given back.
//!
//! In a program, `thread_local!` is one instruction. In a shared library it is a call, which costs
//! a third of a read, and which may allocate where the library came by `dlopen`. Under the cfg
//! `siftlock_initial_exec` the words are *initial-exec* instead, which is two loads. Stable Rust
//! cannot ask for that, so they are declared in assembly. The script `install` of the C interface
//! sets that cfg. glibc's loader has room for such words also where the library comes by `dlopen`.

#[cfg(target_os = "linux")]
use super::signals::Book;
#[cfg(target_os = "linux")]
use siftlock_core::defer::PendingSignals;
use siftlock_core::platform::Countdown;
use siftlock_core::record::{Record, RecordId};
use std::cell::Cell;
#[cfg(target_os = "linux")]
use std::sync::atomic::AtomicPtr;

/// The words. Each platform has a record and a number of its own.
#[repr(C)]
pub(super) struct Mine {
    /// The thread's record, or [`NOBODY`].
    pub(super) records: [Cell<&'static Record>; 2],
    /// The record's id, 0 if the thread has none. For the fast path of writers: one load instead of
    /// two that wait for each other.
    pub(super) numbers: [Cell<u32>; 2],
    /// Reads until the thread next asks whether a bias would pay. It is over if the thread has no
    /// record.
    pub(super) countdowns: [Countdown; 2],
    /// Which signals are deferred. No handler finds it unmade or gone.
    #[cfg(target_os = "linux")]
    pub(super) pending: PendingSignals,
    /// The thread's notes about them, or null. Atomic because of handlers.
    #[cfg(target_os = "linux")]
    pub(super) book: AtomicPtr<Book>,
}

impl Mine {
    /// The words of a new thread.
    const fn new() -> Self {
        Self {
            records: [const { Cell::new(&NOBODY) }; 2],
            numbers: [const { Cell::new(0) }; 2],
            countdowns: [const { Countdown::new() }; 2],
            #[cfg(target_os = "linux")]
            pending: PendingSignals::new(),
            #[cfg(target_os = "linux")]
            book: AtomicPtr::new(std::ptr::null_mut()),
        }
    }
}

/// The record of a thread that has none.
pub(super) static NOBODY: Record = Record::new(RecordId::new(RecordId::MAX).unwrap());

pub(super) use self::storage::mine;

#[cfg(not(all(
    siftlock_initial_exec,
    target_os = "linux",
    target_env = "gnu",
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_arch = "aarch64"),
)))]
mod storage {
    use super::Mine;

    thread_local! {
        static MINE: Mine = const { Mine::new() };
    }

    /// Shows `look` the calling thread's words.
    #[inline(always)]
    pub(in crate::platform) fn mine<R>(look: impl FnOnce(&Mine) -> R) -> R {
        MINE.with(look)
    }
}

#[cfg(all(
    siftlock_initial_exec,
    target_os = "linux",
    target_env = "gnu",
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_arch = "aarch64"),
))]
mod storage {
    use super::{Mine, NOBODY};
    use siftlock_core::initial_exec;
    use std::arch::global_asm;
    use std::mem::offset_of;

    /// The words below have these values in a new thread.
    const _: Mine = Mine::new();
    const _: () = assert!(size_of::<Mine>() == 96 && align_of::<Mine>() <= 8);
    const _: () = assert!(offset_of!(Mine, records) == 0 && offset_of!(Mine, numbers) == 16);

    // As the compiler would write `thread_local!`, but hidden, and with a name. All words but the
    // records begin as 0.
    global_asm!(
        ".pushsection .tdata.siftlock_mine,\"awT\",%progbits",
        ".p2align 3",
        ".globl siftlock_mine",
        ".hidden siftlock_mine",
        ".type siftlock_mine, %tls_object",
        ".size siftlock_mine, 96",
        "siftlock_mine:",
        ".quad {nobody}",
        ".quad {nobody}",
        ".zero 80",
        ".popsection",
        nobody = sym NOBODY,
    );

    /// Shows `look` the calling thread's words.
    #[inline(always)]
    pub(in crate::platform) fn mine<R>(look: impl FnOnce(&Mine) -> R) -> R {
        let mine: *const Mine = initial_exec!("siftlock_mine").cast();
        // SAFETY: the words live as long as their thread, which alone has this reference: cells are
        // not `Sync`. All bytes are valid from the start.
        look(unsafe { &*mine })
    }
}
