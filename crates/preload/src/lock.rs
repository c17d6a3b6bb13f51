//! The lock in place of glibc's, in the same 56 bytes.
//!
//! | bytes | content |
//! | --- | --- |
//! | 0–23 | RwSem |
//! | 24–27 | the writer's name: stored once inside, cleared before the release; 0 = none |
//! | 28–31 | glibc's `__shared`: if not 0, processes share the lock, and all bytes are glibc's |
//! | 32–35 | how many readers are overdue, and how often a reader was refused: see `overdue` |
//! | 36–39 | whether the lock's memory is the process's own: see `memory` |
//! | 40–47 | spare |
//! | 48–51 | glibc's `__flags`: the kind |
//! | 52–55 | nothing |
//!
//! Both of glibc's static initialisers are zeroes but for the kind, so they are an unlocked lock.
//!
//! **The writer's name** answers two questions. Does the calling thread write (`EDEADLK`)? And does
//! its unlock end a write or a read? RwSem's owner word cannot answer them: it is a hint, and may
//! still name one writer while the next is inside.

use crate::memory::Memory;
use crate::overdue::{Overdue, TURN};
use crate::platform::System;
use crate::thread::mine;
use core::mem::offset_of;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use libc::{c_int, pthread_rwlock_t};
use siftlock_core::rwsem::RwSem;
use siftlock_core::rwsem::policy::{Local, Policy, ReadBias, Sendable};

/// Where many threads use a lock, one of them nearly always waits, so the count is nearly never 0.
/// A first compare-and-swap from 0 would only move the lock's cache line once more.
const CAS_FIRST: bool = false;

/// The usual policy: a read is noted, so that its unlock finds it.
#[derive(Debug)]
pub(crate) struct Noted;

impl Policy for Noted {
    type Guards = Local;
    const NOTE_READS: bool = true;
    const PASS_BY_NOTES: bool = false;
    const TRY_READ_CAS_FIRST: bool = CAS_FIRST;
    const DRAIN_AT_MOST: u64 = TURN;
}

/// The policy for a reader that is kept out, on a lock of a kind that does not prefer writers: if
/// the reader's thread reads the lock already, the reader passes waiting writers by its notes.
#[derive(Debug)]
pub(crate) struct Passing;

impl Policy for Passing {
    type Guards = Local;
    const TRY_READ_CAS_FIRST: bool = CAS_FIRST;
    const NOTE_READS: bool = true;
    const DRAIN_AT_MOST: u64 = TURN;
}

/// The policy for a handler that has interrupted a call: its reads are counted, and neither noted
/// nor marked in a slot (see `nested`).
#[derive(Debug)]
pub(crate) struct Counted;

impl Policy for Counted {
    type Guards = Sendable;
    const TRY_READ_CAS_FIRST: bool = CAS_FIRST;
    const READ_BIAS: ReadBias = ReadBias::Off;
}

/// The lock; the [module](self) has its layout.
#[repr(C)]
pub(crate) struct Lock {
    pub(crate) sem: RwSem<System, Noted>,
    writer: AtomicU32,
    shared: AtomicI32,
    pub(crate) overdue: Overdue,
    pub(crate) memory: Memory,
    _spare: u64,
    kind: AtomicI32,
    _nothing: u32,
}

const _: () = {
    assert!(size_of::<Lock>() == size_of::<pthread_rwlock_t>() && size_of::<Lock>() == 56);
    assert!(align_of::<Lock>() <= align_of::<pthread_rwlock_t>());
    assert!(offset_of!(Lock, writer) == 24 && offset_of!(Lock, shared) == 28);
    assert!(offset_of!(Lock, kind) == 48);
};

/// glibc's kind of a lock on which a waiting writer goes before all readers.
const WRITER_NONRECURSIVE: c_int = 2;

impl Lock {
    /// An unlocked lock of this kind.
    pub(crate) const fn new(kind: c_int) -> Self {
        Self {
            sem: RwSem::new(),
            writer: AtomicU32::new(0),
            shared: AtomicI32::new(0),
            overdue: Overdue::new(),
            memory: Memory::new(),
            _spare: 0,
            kind: AtomicI32::new(kind),
            _nothing: 0,
        }
    }

    /// The lock at this address, unless processes share it.
    ///
    /// # Safety
    /// There is a lock at this address, and nobody ends it during the caller's call.
    #[inline(always)]
    pub(crate) unsafe fn at<'a>(place: *mut pthread_rwlock_t) -> Option<&'a Self> {
        // SAFETY: the caller's promise. All that changes is atomic, so threads may share it.
        let lock = unsafe { NonNull::new_unchecked(place).cast::<Self>().as_ref() };
        // Relaxed: the word does not change once the lock is in use.
        (lock.shared.load(Ordering::Relaxed) == 0).then_some(lock)
    }

    /// The lock that begins at this address.
    ///
    /// # Safety
    /// `sem` is the address of a lock's RwSem. The lock lives as long as the answer is used.
    pub(crate) unsafe fn around<'a>(sem: *const ()) -> &'a Self {
        // SAFETY: RwSem is the first field of a lock, and every RwSem of this library is in one.
        unsafe { &*sem.cast::<Self>() }
    }

    /// The lock under the policy for a thread that may read it already.
    pub(crate) fn passing(&self) -> &RwSem<System, Passing> {
        // SAFETY: the type differs by its policy alone, which is no data.
        unsafe { &*(&raw const self.sem).cast() }
    }

    /// The lock under the policy for a handler that has interrupted a call.
    pub(crate) fn counted(&self) -> &RwSem<System, Counted> {
        // SAFETY: the type differs by its policy alone, which is no data.
        unsafe { &*(&raw const self.sem).cast() }
    }

    /// Whether readers that do not read yet wait for waiting writers as long as it takes.
    pub(crate) fn prefers_writers(&self) -> bool {
        // Relaxed: the kind does not change once the lock is in use.
        self.kind.load(Ordering::Relaxed) == WRITER_NONRECURSIVE
    }

    /// The calling reader was refused. If a writer kept it out while it waited for readers in slots
    /// alone, and writers do not go first, the refusal is counted, so that this writer stands
    /// aside: glibc would let the reader in.
    #[cold]
    pub(crate) fn refuse(&self) {
        // Relaxed: a refusal by a writer that is about to store or clear its name counts in vain.
        let is_written = self.writer.load(Ordering::Relaxed) != 0;
        if !is_written && !self.prefers_writers() && self.sem.is_locked_for_writing() {
            self.overdue.refuse();
        }
    }

    /// Whether the calling thread writes.
    #[inline]
    pub(crate) fn is_mine(&self) -> bool {
        let me = mine().name.get();
        // Relaxed, here and below: only the thread's own store matters to it.
        me != 0 && self.writer.load(Ordering::Relaxed) == me
    }

    /// Stores the name of the calling thread, which has got in to write.
    #[inline]
    pub(crate) fn name_me(&self) {
        self.writer.store(mine().name.get(), Ordering::Relaxed);
    }

    /// Clears the name of the calling thread, which is about to release its write.
    #[inline]
    pub(crate) fn name_nobody(&self) {
        self.writer.store(0, Ordering::Relaxed);
    }
}
