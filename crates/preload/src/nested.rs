//! Handlers that read what they interrupted. POSIX forbids it, glibc bears it, and programs do it.
//!
//! A read marks the lock in its thread's record by a plain look and a plain store, and so does its
//! unlock. A handler between the two that did the same could clear the mark that its thread is
//! about to clear: one of their two holds would stay for ever. So a thread says when it is inside a
//! call. A handler on top of that touches no mark. It reads by a share in the count, past waiting
//! writers, and remembers the lock here.
//!
//! Handlers that have interrupted no call read as anybody does: they leave all marks as they found
//! them.

use crate::lock::Lock;
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{Ordering, compiler_fence};
use siftlock_core::rwsem::ReadToken;

/// So many locks handlers can hold at once that have interrupted calls. Further ones are marked as
/// ever.
const HOLDS: usize = 6;

/// What a thread knows of its handlers. All zero at first.
#[repr(C)]
pub(crate) struct Nested {
    is_inside: Cell<bool>,
    held: Cell<u32>,
    locks: [Cell<*const Lock>; HOLDS],
}

impl Nested {
    /// Whether the caller is a handler that has interrupted a call.
    #[inline(always)]
    pub(crate) fn is_inside(&self) -> bool {
        self.is_inside.get()
    }

    /// Whether a handler that has interrupted a call holds anything.
    #[inline(always)]
    pub(crate) fn holds(&self) -> bool {
        self.held.get() != 0
    }

    /// A call of the thread begins, which may mark locks.
    #[inline(always)]
    pub(crate) fn begin(&self) {
        self.is_inside.set(true);
        // SeqCst: the one order that also keeps a store before a later load. The partner is a
        // handler.
        compiler_fence(Ordering::SeqCst);
    }

    /// It ends.
    #[inline(always)]
    pub(crate) fn end(&self) {
        // SeqCst: as above.
        compiler_fence(Ordering::SeqCst);
        self.is_inside.set(false);
    }

    /// A handler has got in by a share. False: it cannot be remembered.
    pub(crate) fn remember(&self, lock: &Lock) -> bool {
        let free = self.locks.iter().find(|held| held.get().is_null());
        if let Some(free) = free {
            // A handler on top of this one leaves the place as it found it.
            free.set(lock);
            self.held.set(self.held.get() + 1);
        }
        free.is_some()
    }

    /// Whether there is room to remember one more.
    pub(crate) fn has_room(&self) -> bool {
        self.locks.iter().any(|held| held.get().is_null())
    }

    /// A new lock begins at this address: what handlers have left behind there is forgotten.
    pub(crate) fn forget(&self, lock: &Lock) {
        for held in self.locks.iter().filter(|held| ptr::eq(held.get(), lock)) {
            held.set(ptr::null());
            self.held.set(self.held.get() - 1);
        }
    }

    /// Releases a share of a handler, if one of this lock is remembered.
    pub(crate) fn unlock(&self, lock: &Lock) -> bool {
        if !self.holds() {
            return false;
        }
        let held = self.locks.iter().rev().find(|held| ptr::eq(held.get(), lock));
        if let Some(held) = held {
            held.set(ptr::null());
            self.held.set(self.held.get() - 1);
            // SAFETY: the handler has a share, and gives it back once.
            unsafe { lock.counted().read_unlock(ReadToken::COUNTED) };
        }
        held.is_some()
    }
}
