//! Letting by: a writer that waits awake behind readers asks new readers to let it in first.
//!
//! A reader that comes back at once leaves the lock free for some ten nanoseconds. The lock's line
//! takes as long to the processor of a spinner, or ten times as long, so the spinner sees the lock
//! read at each look. The spinner would find a moment between two reads by luck, or not at all. So
//! a spinner whose turn it is, and that has looked for a moment in vain, asks in the count, by
//! SPINNER_NEXT. A reader that comes then takes its share back, waits awake until the spinner has
//! got in, and adds its share again.
//!
//! Letting by is a courtesy. Nothing is reserved, no reader sleeps for it, and a reader goes in all
//! the same:
//!
//! - if it knows that it has the lock already, by a read for which the spinner waits;
//! - once the lock has been free for a moment, and the spinner has not come: the spinner has no
//!   processor;
//! - once it has waited for as long as a sleep costs. The reader may have the lock and not know it,
//!   or be a handler that has interrupted the spinner.
//!
//! In the last two cases the reader takes the request back, so that the next reader need not wait.
//! While a waiter sleeps no spinner asks: the waiter's turn is seen to otherwise (see `pass`).
//!
//! Tries, recursive and upgradable reads and reads with a deadline pass as ever. Readers by slot
//! pass as well: a writer waits for them once it has set WRITER.

use crate::platform::Platform;
use crate::rwsem::word::count::{Count, SPINNER_NEXT};
use crate::rwsem::{Policy, RwSem};
use crate::spin::SHORT_SPIN;
use crate::sync::{Ordering, mutated, spin_while};

/// What a spinner has asked of readers in its turn.
pub(super) struct Asking {
    /// The spinner has looked for a moment, in vain.
    looked: bool,
    asks: bool,
}

impl Asking {
    pub(super) const fn new() -> Self {
        Self { looked: false, asks: false }
    }

    /// The spinner sees `v`, and is about to look for a moment. It asks if an earlier look was in
    /// vain, and new readers may join those inside.
    pub(super) fn ask<P: Platform, L: Policy>(&mut self, lock: &RwSem<P, L>, v: Count) {
        if L::ASK_READERS && self.looked && v.is_read_by_newcomers() {
            // Relaxed, here and below: the bit publishes nothing.
            lock.count.fetch_or(SPINNER_NEXT, Ordering::Relaxed);
            self.asks = true;
        }
        self.looked = true;
    }

    /// The spinner's turn is over. No other spinner has asked meanwhile.
    pub(super) fn ask_no_more<P: Platform, L: Policy>(&self, lock: &RwSem<P, L>) {
        if self.asks && !mutated!(SpinnerAsksForEver) {
            lock.count.fetch_and(!SPINNER_NEXT, Ordering::Relaxed);
        }
    }
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Whether the caller, a reader that sees `v`, has to let a spinner by. Not if the caller knows
    /// that the spinner waits for another read of the caller's thread.
    fn must_let_by(&self, v: Count) -> bool {
        let is_read_by_me = || L::NOTE_READS && P::current().notes().name(self.key());
        v.asks_readers() && P::may_spin() && !is_read_by_me()
    }

    /// The caller is a reader, and its share is in `v`. If a spinner has asked, the caller takes
    /// its share back, lets the spinner in first, and adds its share again. Returns the count with
    /// the share.
    pub(super) fn let_by_share(&self, v: Count) -> Count {
        if !self.must_let_by(v) {
            return v;
        }
        self.take_share_back(false);
        self.await_spinner();
        if mutated!(PoliteReaderHasNoShare) {
            return self.look().plus_readers(1);
        }
        self.add_share()
    }

    /// The caller is a reader without a share. If a spinner has asked, the caller lets it in first.
    pub(super) fn let_by_before_share(&self) {
        if self.must_let_by(self.look()) {
            self.await_spinner();
        }
    }

    #[cold]
    fn await_spinner(&self) {
        let (mut v, mut in_vain) = (self.look(), false);
        let end = P::current().awake_until(P::now(), None);
        while v.asks_readers() && !in_vain {
            let next = Count(spin_while(&self.count, v.0, SHORT_SPIN));
            in_vain = next == v && v.is_free() || P::now() >= end;
            v = next;
        }
        if in_vain {
            // The next reader need not wait. A spinner that runs asks once more.
            self.count.fetch_and(!SPINNER_NEXT, Ordering::Relaxed);
        }
    }
}
