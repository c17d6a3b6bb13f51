//! For the models only: the parts that locks are made of, to be modelled alone.

use crate::platform::{Instant, Platform};
use crate::record::Record;
pub use crate::rwsem::Snapshot;
use crate::spin::SpinQueue;
use crate::wait::Waiting;

/// The queue of optimistic spinners.
#[derive(Debug)]
pub struct Spinners(SpinQueue);

impl Spinners {
    /// An empty queue.
    #[expect(clippy::new_without_default, reason = "a model has no use for it")]
    pub fn new() -> Self {
        Self(SpinQueue::new())
    }

    /// Enters the queue and waits for the turn, unless `give_up` says so before. True: the turn is
    /// ours.
    pub fn enter<P: Platform>(&self, me: &Record, give_up: impl FnMut() -> bool) -> bool {
        self.0.enter::<P>(me, give_up)
    }

    /// Ends the turn.
    pub fn leave<P: Platform>(&self, me: &Record) {
        self.0.leave::<P>(me);
    }

    /// Whether nobody spins.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A wait of the record's thread, until it is dropped.
#[derive(Debug)]
pub struct Wait(#[expect(dead_code, reason = "its end is what it is for")] Waiting);

impl Wait {
    /// Begins a wait, on top of the wait that the thread has, if any.
    pub fn begin(me: &'static Record) -> Self {
        Self(Waiting::new(me))
    }
}

/// Sleeps until the record's token is given, at most until `until`.
pub fn park<P: Platform>(me: &Record, until: Option<Instant>) {
    me.park::<P>(until);
}

/// Gives the record's token.
pub fn unpark<P: Platform>(record: &Record) {
    record.unpark::<P>();
}
