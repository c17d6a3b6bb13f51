//! Backing off: a spinner lets a writer that comes back at once go on.
//!
//! A thread may take a lock many times in a row, once for each entry of a list, and then leave the
//! lock alone. A spinner that takes the lock as soon as it is free alternates with that thread.
//! Each section then moves the lock's line, and the lines under the lock, to another processor. So
//! a spinner that sees the lock free first looks whether the lock is taken again at once. If so,
//! the spinner pauses before its next look, since each look takes the lock's line from the owner.
//! It takes the lock once that stays free. At the latest it tries after a quarter of the spin time
//! that was left when it first saw the lock free. A spinner with a deadline takes the lock at once.
//! (A real-time spinner should, too, but to ask the system for its priority costs more than that
//! would save.)
//!
//! Backing off is in vain where no thread comes back so soon. It is also in vain where the threads
//! that come back never leave: the spinner gets the lock only after its quarter, or not at all.
//! After some tries in vain the spinner's thread backs off more rarely (see `record::tries`). A
//! spin whose time is over before the spinner sees the lock free tells nothing.

use crate::platform::{Instant, Platform};
use crate::record::{Record, Try};
use crate::rwsem::Policy;
use crate::rwsem::word::count::{Count, WRITER};
use crate::spin::SHORT_SPIN;
use crate::sync::{AtomicU64, spin_while};

/// Beats for which the lock has to stay free: somewhat longer than a line's way to another
/// processor and back.
const STAYS_FREE: u32 = SHORT_SPIN / 16;

/// Beats for which the spinner does not look at a lock whose owner has come back.
const RARELY: u32 = SHORT_SPIN / 2;

/// A spinner backs off for the time left for its spin, divided by this.
const PART: u64 = 4;

/// What a spinner has seen of the writer that it waits for.
pub(super) struct BackOff<'a> {
    me: &'a Record,
    /// Whether the spinner backs off, or goes on backing off.
    tries: bool,
    /// Until when the spinner backs off. Set when it first saw the lock free.
    until: Option<Instant>,
    came_back: bool,
}

impl<'a> BackOff<'a> {
    /// The turn of this spinner begins. `pressed`: it has a deadline.
    pub(super) fn new<L: Policy>(me: &'a Record, pressed: bool) -> Self {
        let tries = L::BACK_OFF && !pressed && me.spin_node().is_to_try(Try::BackOff);
        Self { me, tries, until: None, came_back: false }
    }

    /// The spinner, which has seen a writer and spins until `end`, sees the lock free at `v`.
    /// Returns whether the count changed while the spinner let other threads go on: then it has to
    /// look anew.
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

    /// The spin ends without the lock.
    pub(super) fn has_failed(self) {
        if self.tries && self.came_back {
            self.me.spin_node().has_tried(Try::BackOff, false);
        }
    }
}
