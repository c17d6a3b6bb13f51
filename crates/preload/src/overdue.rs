//! Readers that pass waiting writers after a turn, or after a refusal.
//!
//! glibc's usual kinds let a thread that reads read again. Some programs also need the reads of
//! *other* threads to pass in the end: a reader waits for another thread's read, and a writer waits
//! for the first reader. So a thread that reads the lock passes waiting writers at once. Any other
//! thread waits behind them for a [`TURN`]; then it is *overdue*, and passes as well.
//!
//! A writer that waits for readers in slots keeps new readers out. So the writer gives up after a
//! turn, and stands aside until no reader is overdue.
//!
//! **A read that does not wait**, or not for long enough, is *refused* by such a writer. If the
//! reader tries again, it comes between two of the writer's turns only by luck. So refusals are
//! counted, and after one the writer stands aside for a whole turn. If a reader was refused during
//! that turn, another writer waits for readers in slots, and will stand aside as well. So the first
//! writer stands aside for one more turn.

use crate::futex;
use crate::system::now;
use core::ops::ControlFlow;
use core::sync::atomic::Ordering;
use libc::c_int;
use siftlock_core::platform::Instant;
use siftlock_core::sync::AtomicU32;

/// How long a reader waits behind waiting writers until it is overdue, and how long a writer waits
/// for readers in slots until it stands aside, in nanoseconds.
pub(crate) const TURN: u64 = 10_000_000;

/// A writer stands aside for so many turns in a row at most: while other threads keep writing, some
/// reader is always refused.
const MOST_TURNS: u32 = 4;

/// One refusal, in the bits above the number of overdue readers.
const REFUSED: u32 = 1 << 24;

/// How many readers are overdue, and above that how often a reader was refused, which wraps at 256.
#[repr(transparent)]
pub(crate) struct Overdue(AtomicU32);

impl Overdue {
    pub(crate) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Counts the calling reader as overdue during `wait`, in which it gets in or gives up. The
    /// last overdue reader then wakes the writers that stand aside.
    pub(crate) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        // Relaxed, here and below: a writer that misses a change looks again a turn later.
        self.0.fetch_add(1, Ordering::Relaxed);
        let waited = wait();
        if self.0.fetch_sub(1, Ordering::Relaxed) % REFUSED == 1 {
            futex::wake(&self.0, c_int::MAX);
        }
        waited
    }

    /// Counts a refusal of the calling reader by a writer that waits for readers in slots.
    pub(crate) fn refuse(&self) {
        self.0.fetch_add(REFUSED, Ordering::Relaxed);
    }

    /// How often a reader was refused, to be compared with a later answer.
    pub(crate) fn refused(&self) -> u32 {
        self.0.load(Ordering::Relaxed) / REFUSED
    }

    /// Waits until no reader is overdue, for a turn at most. If a reader was refused since the
    /// caller saw the number `seen`, the wait lasts the whole turn. As long as readers are refused
    /// meanwhile, one more whole turn follows, up to [`MOST_TURNS`]. The wait ends at the deadline.
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
