//! Signal handlers that read a lock whose call they interrupted. POSIX forbids such a read, glibc
//! bears it, and programs do it.
//!
//! A read marks the lock in its thread's record by a plain load and a plain store, and its unlock
//! clears the mark in the same way. A handler between the load and the store could clear the mark
//! that its thread is about to clear. Then one of the two holds would stay for ever. So a thread
//! says when it is inside a call. A handler that interrupts the call touches no mark. It reads by a
//! share in the count, past waiting writers, and remembers the lock here.
//!
//! A handler that has interrupted no call reads like any other code: it leaves all marks as it
//! found them.

use crate::lock::Lock;
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{Ordering, compiler_fence};
use siftlock_core::rwsem::ReadToken;

/// How many shares a thread can remember at once for handlers that have interrupted calls. Further
/// reads of such handlers mark the lock like any other read.
const HOLDS: usize = 6;

/// A thread's calls and its handlers' shares. All zero at first.
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

    /// Whether the thread remembers a share of a handler that has interrupted a call.
    #[inline(always)]
    pub(crate) fn holds(&self) -> bool {
        self.held.get() != 0
    }

    /// The thread begins a call that may mark locks.
    #[inline(always)]
    pub(crate) fn begin(&self) {
        self.is_inside.set(true);
        // SeqCst: the one order that also keeps a store before a later load. The partner is a
        // handler of this thread.
        compiler_fence(Ordering::SeqCst);
    }

    /// The thread ends a call that may mark locks.
    #[inline(always)]
    pub(crate) fn end(&self) {
        // SeqCst: keeps all accesses of the call before the store. The partner is a handler of this
        // thread.
        compiler_fence(Ordering::SeqCst);
        self.is_inside.set(false);
    }

    /// Remembers the share by which a handler has got in. False: there is no room.
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

    /// Forgets shares that the thread remembers of an earlier lock at this address: a new lock
    /// begins there.
    pub(crate) fn forget(&self, lock: &Lock) {
        for held in self.locks.iter().filter(|held| ptr::eq(held.get(), lock)) {
            held.set(ptr::null());
            self.held.set(self.held.get() - 1);
        }
    }

    /// Releases a handler's share of this lock, if the thread remembers one.
    pub(crate) fn unlock(&self, lock: &Lock) -> bool {
        if !self.holds() {
            return false;
        }
        let held = self.locks.iter().rev().find(|held| ptr::eq(held.get(), lock));
        if let Some(held) = held {
            held.set(ptr::null());
            self.held.set(self.held.get() - 1);
            // SAFETY: a handler took this share, which the thread remembered until now.
            unsafe { lock.counted().read_unlock(ReadToken::COUNTED) };
        }
        held.is_some()
    }
}
