//! Handlers that read what they interrupted. POSIX forbids it, glibc bears it, and programs do it.
//!
//! A read marks the lock in its thread's record by a plain look and a plain store, and so does its unlock. A handler
//! between the two that did the same could clear the mark that its thread is about to clear: one of their
//! two holds would stay for ever. So a thread says when it is inside a call. A handler on top of that touches no
//! mark. It reads by a share in the count, and remembers the lock here.
//!
//! Handlers that have interrupted no call read as anybody does: they leave all marks as they found them.

use crate::lock::Lock;
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{Ordering, compiler_fence};
use siftlock_core::rwsem::ReadToken;

/// So many locks handlers can hold at once that have interrupted calls. Further ones are marked as ever.
const HOLDS: usize = 6;

/// A thread is inside a call.
const INSIDE: u32 = 1;
/// A handler holds a lock: a number above that bit.
const HELD: u32 = 2;

/// What a thread knows of its handlers. All zero at first.
#[repr(C)]
pub(crate) struct Nested {
    state: Cell<u32>,
    locks: [Cell<*const Lock>; HOLDS],
}

impl Nested {
    /// Whether a call is not on top of another, and no handler holds anything: then the call [begins](Self::begin).
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        self.state.get() == 0
    }

    /// Whether the caller is a handler that has interrupted a call.
    pub(crate) fn is_inside(&self) -> bool {
        self.state.get() & INSIDE != 0
    }

    /// A call of the thread begins, which may mark locks.
    #[inline(always)]
    pub(crate) fn begin(&self) {
        self.state.set(self.state.get() | INSIDE);
        // SeqCst: the one order that also keeps a store before a later load. The partner is a handler.
        compiler_fence(Ordering::SeqCst);
    }

    /// It ends. No handler of its own holds anything that it did not hold before.
    #[inline(always)]
    pub(crate) fn end(&self) {
        // SeqCst: as above.
        compiler_fence(Ordering::SeqCst);
        self.state.set(self.state.get() & !INSIDE);
    }

    /// A handler has got in by a share. False: it cannot be remembered.
    pub(crate) fn remember(&self, lock: &Lock) -> bool {
        let free = self.locks.iter().find(|held| held.get().is_null());
        if let Some(free) = free {
            // A handler on top of this one leaves the place as it found it.
            free.set(lock);
            self.state.set(self.state.get() + HELD);
        }
        free.is_some()
    }

    /// Whether there is room to remember one more.
    pub(crate) fn has_room(&self) -> bool {
        self.locks.iter().any(|held| held.get().is_null())
    }

    /// Releases a share of a handler, if one of this lock is remembered.
    pub(crate) fn unlock(&self, lock: &Lock) -> bool {
        if self.state.get() < HELD {
            return false;
        }
        let held = self.locks.iter().rev().find(|held| ptr::eq(held.get(), lock));
        if let Some(held) = held {
            held.set(ptr::null());
            self.state.set(self.state.get() - HELD);
            // SAFETY: the handler has a share, and gives it back once.
            unsafe { lock.counted().read_unlock(ReadToken::COUNTED) };
        }
        held.is_some()
    }
}
