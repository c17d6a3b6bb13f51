//! Backing off: a spinner lets a writer that comes back at once go on.
//!
//! A thread may take a lock many times in a row, once for each entry of a list, and then leave it
//! alone. If a spinner takes the lock as soon as it is free, both go through their lists by turns,
//! and each section moves the lock's line, and the lines under it, to another processor. So a
//! spinner that sees the lock free first looks whether it is taken again at once. If so, it pauses
//! before it looks again, since each look takes the lock's line from the owner. It takes the lock
//! when that stays free; or else after a quarter of the time that was left for its spin when it
//! first saw the lock free. A spinner with a deadline takes the lock at once. (So should one of
//! real-time priority, but to ask the system for that costs more than is to be saved.)
//!
//! That is in vain where nobody comes back so soon, and where those who do never leave: the spinner
//! gets the lock only after its quarter, or not at all. Then it is tried more rarely (see
//! `record::tries`). A spin whose time is over before it sees the lock free tells nothing.

use crate::platform::{Instant, Platform};
use crate::record::{Record, Try};
use crate::rwsem::Policy;
use crate::rwsem::word::count::{Count, WRITER};
use crate::spin::SHORT_SPIN;
use crate::sync::{AtomicU64, spin_while};

/// For so many beats the lock has to stay free: somewhat longer than a line's way to another
/// processor and back.
const STAYS_FREE: u32 = SHORT_SPIN / 16;

/// For so many beats it does not look at a lock whose owner has come back.
const RARELY: u32 = SHORT_SPIN / 2;

/// The part of the time left for its spin for which a spinner backs off.
const PART: u64 = 4;

/// What a spinner has seen of the writer that it waits for.
pub(super) struct BackOff<'a> {
    me: &'a Record,
    /// Whether it backs off, or goes on to.
    tries: bool,
    /// It backs off until then, since it saw the lock free.
    until: Option<Instant>,
    came_back: bool,
}

impl<'a> BackOff<'a> {
    /// The turn of this spinner begins. It is `pressed` by a deadline.
    pub(super) fn new<L: Policy>(me: &'a Record, pressed: bool) -> Self {
        let tries = L::BACK_OFF && !pressed && me.spin_node().is_to_try(Try::BackOff);
        Self { me, tries, until: None, came_back: false }
    }

    /// The spinner, which has seen a writer and spins until `end`, sees the lock free at `v`.
    /// Whether it has let somebody come back.
    pub(super) fn lets_go_on<P: Platform>(
        &mut self,
        count: &AtomicU64,
        v: Count,
        end: Instant,
    ) -> bool {
        if !self.tries {
            return false;
        }
        let now = P::now();
        let a_while = || now.after(end.nanos_since(now) / PART);
        let in_time = now < *self.until.get_or_insert_with(a_while);
        let seen = if in_time { Count(spin_while(count, v.0, STAYS_FREE)) } else { v };
        if seen != v {
            self.came_back |= seen.has(WRITER);
            self.me.spin_node().pause(RARELY);
            return true;
        }
        if in_time || self.came_back {
            self.me.spin_node().has_tried(Try::BackOff, in_time && self.came_back);
        }
        self.tries = false;
        false
    }

    /// The spin ends, and the lock was not got.
    pub(super) fn has_failed(self) {
        if self.tries && self.came_back {
            self.me.spin_node().has_tried(Try::BackOff, false);
        }
    }
}
