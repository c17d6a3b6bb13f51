//! Backing off: a spinner lets a writer that comes back at once go on.
//!
//! A thread may take a lock many times in a row, once for each entry of a list, and then leave it alone. If a spinner
//! takes the lock as soon as it is free, both go through their lists by turns, and each section moves the lock's line, and
//! the lines under it, to another processor. So a spinner that sees the lock free first looks whether it is taken again
//! at once. If so, it pauses before it looks again, since each look takes the lock's line from the owner. It takes the lock
//! when that stays free; or else after a quarter of the time for which it may spin, from when its turn began.
//!
//! That is in vain where nobody comes back so soon, and where those who do never leave. Then it is tried more rarely
//! (see `record::tries`). A spin that ends before it sees the lock free again tells nothing.

use crate::platform::{Instant, Platform};
use crate::record::{Record, Try};
use crate::rwsem::Policy;
use crate::rwsem::word::count::{Count, WRITER};
use crate::spin::SHORT_SPIN;
use crate::sync::{AtomicU64, spin_while};

/// For so many beats the lock has to stay free: somewhat longer than a line's way to another processor and back.
const STAYS_FREE: u32 = SHORT_SPIN / 16;

/// For so many beats it does not look at a lock whose owner has come back.
const RARELY: u32 = SHORT_SPIN / 2;

/// The part of its time for which a spinner backs off.
const PART: u64 = 4;

/// What a spinner has seen of the writer that it waits for.
pub(super) struct BackOff<'a> {
    me: &'a Record,
    /// It backs off until then. Nothing if it does not, or not any more.
    until: Option<Instant>,
    came_back: bool,
}

impl<'a> BackOff<'a> {
    /// The turn of this spinner begins, and its spin ends at `end`.
    pub(super) fn new<P: Platform, L: Policy>(me: &'a Record, end: Instant) -> Self {
        let tries = L::BACK_OFF && me.spin_node().is_to_try(Try::BackOff);
        let until = tries.then(|| {
            let now = P::now();
            now.after(end.nanos_since(now) / PART)
        });
        Self { me, until, came_back: false }
    }

    /// The spinner, which has seen a writer, sees the lock free at `v`. Whether it has let somebody come back.
    pub(super) fn lets_go_on<P: Platform>(&mut self, count: &AtomicU64, v: Count) -> bool {
        let Some(until) = self.until else { return false };
        let in_time = P::now() < until;
        let now = if in_time { Count(spin_while(count, v.0, STAYS_FREE)) } else { v };
        if now != v {
            self.came_back |= now.has(WRITER);
            self.me.spin_node().pause(RARELY);
            return true;
        }
        self.me.spin_node().has_tried(Try::BackOff, in_time && self.came_back);
        self.until = None;
        false
    }
}
