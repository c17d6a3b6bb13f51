//! Readers that have waited behind a writer for a turn, or were refused there, and are to pass now.
//!
//! glibc's usual kinds let a thread that reads read again, and some programs need the reads of
//! *other* threads to pass as well, sooner or later: a reader waits for another thread's read, a
//! writer for the first of the two. So a thread that reads the lock passes waiting writers at once.
//! Any other waits behind them for a [`TURN`], and then it is *overdue* and passes as well.
//!
//! A writer that waits for readers in slots keeps new ones out meanwhile. So it gives up after a
//! turn, and stands aside until no reader is overdue.
//!
//! **A read that does not wait**, or not long enough, is *refused* there and may come again,
//! between two of the writer's turns only by luck. So it says that it was refused, and the writer
//! stands aside for a turn; and for one more each time that a reader was refused meanwhile, since
//! then another writer waits for slots, and will stand aside as well.

use crate::futex;
use crate::system::now;
use core::ops::ControlFlow;
use core::sync::atomic::Ordering;
use libc::c_int;
use siftlock_core::platform::Instant;
use siftlock_core::sync::AtomicU32;

/// Nanoseconds.
pub(crate) const TURN: u64 = 10_000_000;

/// A writer stands aside for so many turns in a row at most: where others keep writing, somebody is
/// always refused.
const MOST_TURNS: u32 = 4;

/// One reader that was refused, above the number of those that wait.
const REFUSED: u32 = 1 << 24;

/// How many readers are overdue, and above that how often one was refused, which begins anew
/// after 256.
#[repr(transparent)]
pub(crate) struct Overdue(AtomicU32);

impl Overdue {
    pub(crate) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// The calling reader is, until it gets in or gives up: meanwhile it does `wait`.
    pub(crate) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        // Relaxed, here and below: a writer that overlooks it looks again a turn later.
        self.0.fetch_add(1, Ordering::Relaxed);
        let waited = wait();
        if self.0.fetch_sub(1, Ordering::Relaxed) % REFUSED == 1 {
            futex::wake(&self.0, c_int::MAX);
        }
        waited
    }

    /// The calling reader was refused by a writer that waits for slots.
    pub(crate) fn refuse(&self) {
        self.0.fetch_add(REFUSED, Ordering::Relaxed);
    }

    /// How often a reader was refused: to be compared with a later number.
    pub(crate) fn refused(&self) -> u32 {
        self.0.load(Ordering::Relaxed) / REFUSED
    }

    /// Waits until no reader is overdue, for a turn at most. Where readers were refused since the
    /// number was `seen`, it waits for a whole turn, and for a few others while readers are
    /// refused. Not beyond the deadline.
    pub(crate) fn stand_aside(&self, mut seen: u32, deadline: Option<Instant>) {
        for _ in 0..MOST_TURNS {
            let refused = self.refused();
            self.wait_a_turn(refused != seen, deadline);
            let is_over = deadline.is_some_and(|deadline| now() >= deadline);
            if self.refused() == refused || is_over {
                return;
            }
            seen = refused;
        }
    }

    fn wait_a_turn(&self, whole: bool, deadline: Option<Instant>) {
        let turn_ends = now().after(TURN);
        let ends = deadline.map_or(turn_ends, |deadline| deadline.min(turn_ends));
        let sleep = || match self.0.load(Ordering::Relaxed) {
            seen if seen.is_multiple_of(REFUSED) && !whole => ControlFlow::Break(()),
            seen => {
                futex::wait(&self.0, seen, Some(ends));
                if now() < ends { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            }
        };
        while sleep().is_continue() {}
    }
}
