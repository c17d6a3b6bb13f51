//! Readers that have waited behind a writer for a turn, and pass now.
//!
//! glibc's usual kinds let a thread that reads read again, and some programs need the reads of *other* threads to pass
//! as well, sooner or later: a reader waits for another thread's read, a writer for the first of the two. So a
//! thread that reads the lock passes waiting writers at once. Any other waits behind them for a [`TURN`], and then it
//! is *overdue* and passes as well.
//!
//! A writer that waits for readers in slots keeps new ones out meanwhile. So it gives up after a turn, and stands aside
//! until no reader is overdue.

use crate::futex;
use crate::system::now;
use core::ops::ControlFlow;
use core::sync::atomic::Ordering;
use libc::c_int;
use siftlock_core::platform::Instant;
use siftlock_core::sync::AtomicU32;

/// Nanoseconds.
pub(crate) const TURN: u64 = 10_000_000;

/// How many readers are overdue.
#[repr(transparent)]
pub(crate) struct Overdue(AtomicU32);

impl Overdue {
    pub(crate) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// The calling reader is, until it gets in or gives up: meanwhile it does `wait`.
    pub(crate) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        // Relaxed, both: a writer that overlooks it looks again a turn later.
        self.0.fetch_add(1, Ordering::Relaxed);
        let waited = wait();
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            futex::wake(&self.0, c_int::MAX);
        }
        waited
    }

    /// Waits until no reader is, for a turn at most, and not beyond the deadline.
    pub(crate) fn stand_aside(&self, deadline: Option<Instant>) {
        let turn_ends = now().after(TURN);
        let ends = deadline.map_or(turn_ends, |deadline| deadline.min(turn_ends));
        let sleep = || {
            // Relaxed: as above.
            match self.0.load(Ordering::Relaxed) {
                0 => ControlFlow::Break(()),
                seen => {
                    futex::wait(&self.0, seen, Some(ends));
                    if now() < ends { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                }
            }
        };
        while sleep().is_continue() {}
    }
}
