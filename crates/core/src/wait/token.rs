//! A thread's wake-up token.
//!
//! | value | meaning |
//! | --- | --- |
//! | `EMPTY` | no thread has called since the last park |
//! | `PARKED` | the thread sleeps, or is about to |
//! | `NOTIFIED` | a thread has called; the next park returns at once |
//!
//! `unpark` swaps in `NOTIFIED` and makes the platform's call only if it found `PARKED`: a hundred
//! callers make one system call. A stale token, left by a call for an earlier wait, costs one more
//! iteration of a loop: every waiter tests its condition again after every park.
//!
//! **A wait on top of another** belongs to a handler that has interrupted its thread's wait. Its
//! parks take calls that are for the wait below. So where it ends it leaves `NOTIFIED`, and the
//! wait below looks again. (If the wait below had begun to sleep, its sleep ends with the first of
//! those parks: the token is `PARKED` no more.)

use crate::platform::{Instant, Platform};
use crate::record::{Record, RecordId};
use crate::sync::{Ordering, handler_fence, mutated, ordered};

/// The token of a new record.
const EMPTY: u32 = 0;
const NOTIFIED: u32 = 1;
const PARKED: u32 = 2;

impl Record {
    /// Sleeps until the token is given, at most until `until`, or wakes for no reason. Called by
    /// the record's own thread; the caller tests its condition again afterwards. Returns whether it
    /// slept: a token that was there already may be stale.
    #[doc(hidden)]
    pub fn park<P: Platform>(&self, until: Option<Instant>) -> bool {
        if mutated!(TokenEmptiedAfterTest) {
            self.token.swap(EMPTY, Ordering::Acquire);
        }
        // EMPTY → PARKED. Relaxed: publishes nothing; what the wait is for was published before,
        // under the list lock.
        let begun =
            self.token.compare_exchange(EMPTY, PARKED, Ordering::Relaxed, Ordering::Relaxed);
        if begun.is_ok() {
            P::wait(self, &self.token, PARKED, until);
            self.sleep_cost().runs(P::now);
        }
        // PARKED or NOTIFIED → EMPTY, and only then the caller tests its condition: a call that
        // comes later finds EMPTY and is kept for the next park.
        // Acquire: pairs with the release in `unpark`.
        self.token.swap(EMPTY, ordered!(Acquire, unless TokenTakenRelaxed));
        begun.is_ok()
    }

    /// Lets the next park return at once; wakes the record's thread if it is parked.
    #[doc(hidden)]
    pub fn unpark<P: Platform>(&self) {
        // Release: pairs with the acquire that ends `park`.
        if self.token.swap(NOTIFIED, ordered!(Release, unless TokenGivenRelaxed)) == PARKED {
            self.wake_parked::<P>();
        }
    }

    /// Out of line: most calls of a waiter without a processor find it called already.
    #[cold]
    #[inline(never)]
    fn wake_parked<P: Platform>(&self) {
        self.sleep_cost().called(P::now);
        P::wake(self, &self.token);
    }
}

/// A wait of the calling thread: from before any other thread can know of it until none does any
/// more.
#[derive(Debug)]
pub(crate) struct Waiting {
    me: &'static Record,
    is_nested: bool,
}

impl Waiting {
    pub(crate) fn new(me: &'static Record) -> Self {
        let is_nested = me.spin_node().begin_wait();
        handler_fence();
        Self { me, is_nested }
    }

    /// Whether this wait is on top of another.
    pub(crate) fn is_nested(&self) -> bool {
        self.is_nested
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        #[cfg(siftlock_model)]
        if std::thread::panicking() {
            // The model has failed: its words are no more.
            return;
        }
        handler_fence();
        if !self.is_nested {
            self.me.spin_node().end_wait();
        } else if !mutated!(NestedWaitKeepsCalls) {
            // Acquire: pairs with the release of a call whose token this replaces. No model falls
            // without it: the wait below parks once more.
            self.me.token.swap(NOTIFIED, Ordering::Acquire);
        }
    }
}

/// Wakes the thread with this id.
pub(crate) fn unpark<P: Platform>(id: RecordId) {
    P::record(id).unpark::<P>();
}
