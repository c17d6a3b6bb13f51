//! Backing off: a spinner lets a writer that comes back at once go on.
//!
//! A thread may take a lock many times in a row, once for each entry of a list, and then leave it alone. If a spinner
//! takes the lock as soon as it is free, both go through their lists by turns, and each section moves the lock's line, and
//! the lines under it, to another processor. So a spinner that sees the lock free first looks whether it is taken again
//! at once. As long as that is so it looks rarely, since each look takes the lock's line from the owner. It takes the lock
//! when that stays free; or else after a quarter of the time for which it may spin.
//!
//! That is in vain where nobody comes back so soon, and where those who do never leave. Then it is tried more rarely
//! (see `record::tries`).

use crate::platform::Instant;
use crate::record::{Record, Try};
use crate::rwsem::word::count::Count;
use crate::spin::SHORT_SPIN;
use crate::sync::{AtomicU64, spin_while};

/// For so many beats the lock has to stay free: somewhat longer than a line's way to another processor and back.
const STAYS_FREE: u32 = SHORT_SPIN / 16;

/// So many beats pass between two looks at a lock whose owner comes back.
const RARELY: u32 = SHORT_SPIN / 2;

/// The part of its time for which a spinner backs off.
const PART: u64 = 4;

/// What a spinner has seen of the writer that it waits for.
pub(super) struct BackOff {
    /// It backs off until then. Nothing if it does not, or not any more.
    until: Option<Instant>,
    came_back: bool,
}

impl BackOff {
    /// A spinner's turn begins, if it is one that backs off; the spin ends at `end`.
    pub(super) fn new(
        me: &Record,
        end: Instant,
        backs_off: bool,
        now: impl FnOnce() -> Instant,
    ) -> Self {
        let tries = backs_off && me.spin_node().is_to_try(Try::BackOff);
        let until = tries.then(|| {
            let now = now();
            now.after(end.nanos_since(now) / PART)
        });
        Self { until, came_back: false }
    }

    /// The spinner, whose turn it is, sees the lock free at `v` behind a writer. Whether it has let that one come back.
    pub(super) fn lets_go_on(
        &mut self,
        me: &Record,
        count: &AtomicU64,
        v: Count,
        now: impl FnOnce() -> Instant,
    ) -> bool {
        let Some(until) = self.until else { return false };
        let in_time = now() < until;
        if in_time && spin_while(count, v.0, STAYS_FREE) != v.0 {
            self.came_back = true;
            me.spin_node().pause(RARELY);
            return true;
        }
        me.spin_node().has_tried(Try::BackOff, in_time && self.came_back);
        self.until = None;
        false
    }
}
