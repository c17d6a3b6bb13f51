//! What the locks keep for each thread: plain data. Nothing here sleeps or asks the system.
//!
//! Records are never freed, so a thread that knows an id may always touch the record, even long
//! after the record's thread went on, or ended. So an unlock can wake a waiter without looking at
//! the lock again (rule U of the locks).

mod bias;
mod free_ids;
mod habit;
mod instant;
mod learnt;
mod listed;
mod mark;
mod notes;
mod passes;
mod samples;
#[cfg_attr(siftlock_model, path = "in_models/sleep_cost.rs")]
mod sleep_cost;
mod slot;
mod slots;
mod spin_node;
#[cfg(not(siftlock_model))]
mod table;
mod tries;

pub use self::bias::Bias;
pub(crate) use self::bias::MOST_PRICE;
pub use self::free_ids::FreeIds;
pub use self::instant::Instant;
pub(crate) use self::mark::Key;
pub(crate) use self::passes::{MAY_BE_LONGER, MOST_PASSES, PassesSeen};
pub(crate) use self::slot::Slot;
pub(crate) use self::slots::Slots;
pub(crate) use self::spin_node::{NONE, SpinNode};
#[cfg(not(siftlock_model))]
pub use self::table::{Entry, Memory, Table};
pub(crate) use self::tries::Try;

use self::notes::Notes;
use self::passes::Passes;
use self::samples::Samples;
use self::sleep_cost::SleepCost;
use crate::sync::{AtomicU32, Ordering, const_fn};
#[cfg(not(siftlock_model))]
use core::mem::offset_of;
use core::num::NonZeroU32;

/// The id of a [`Record`]: from 1, at most 24 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordId(NonZeroU32);

impl RecordId {
    /// The greatest id: 24 bits, so that an id, some flags and a small number fit one 32-bit word.
    /// Ids are used again, so only as many threads at once exhaust them; Linux has at most a
    /// quarter as many.
    pub const MAX: u32 = (1 << 24) - 1;

    /// The id with this number, if it is one: 1 to [`MAX`](Self::MAX).
    #[inline]
    #[must_use]
    pub const fn new(number: u32) -> Option<Self> {
        match NonZeroU32::new(number) {
            Some(id) if number <= Self::MAX => Some(Self(id)),
            _ => None,
        }
    }

    /// The id as a number.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

/// The least cost of a sleep, in nanoseconds: less cannot be measured.
const LEAST_SLEEP: u64 = 2_000;

/// What the locks keep for each thread, in cache lines of its own: one that writers look through,
/// one that callers, spinners and waiters touch, one of further notes, and one of samples.
#[derive(Debug)]
#[repr(C, align(128))]
pub struct Record {
    slots: Slots,
    /// The thread's wake-up token: see `wait::token`.
    pub(crate) token: AtomicU32,
    passes: Passes,
    sleep_cost: SleepCost,
    spin: SpinNode,
    id: RecordId,
    notes: Notes,
    samples: Samples,
    /// See [`set_thread`](Record::set_thread).
    thread: AtomicU32,
    /// While the id is free: the next free id, or 0.
    next_free: AtomicU32,
}

#[cfg(not(siftlock_model))]
const _: () = assert!(size_of::<Record>() == 256 && offset_of!(Record, samples) == 192);

impl Record {
    const_fn! {
        /// The record with this id. The platform keeps it for ever.
        #[must_use]
        pub const fn new(id: RecordId) -> Self {
            Self {
                slots: Slots::new(),
                token: AtomicU32::new(0),
                passes: Passes::new(),
                sleep_cost: SleepCost::new(),
                spin: SpinNode::new(),
                id,
                notes: Notes::new(),
                samples: Samples::new(),
                thread: AtomicU32::new(0),
                next_free: AtomicU32::new(0),
            }
        }
    }

    /// The record's id.
    #[inline]
    pub const fn id(&self) -> RecordId {
        self.id
    }

    /// Whether the thread has reads that this record stands for: it has them still, or has
    /// forgotten their guards. A platform asks when the thread ends. If it has such reads, no other
    /// thread may have the record: a destructor that comes later may drop such a guard, and no two
    /// threads may write one slot.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        self.slots.are_in_use() || self.notes.are_in_use()
    }

    /// The number that the system gives to the thread, or 0 where that is not known.
    pub fn thread(&self) -> u32 {
        // Relaxed: a number, and a hint.
        self.thread.load(Ordering::Relaxed)
    }

    /// Says what number the system gives to the thread, for a platform that asks the system about
    /// the threads of other records.
    pub fn set_thread(&self, number: u32) {
        // Relaxed: a number, and a hint.
        self.thread.store(number, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }

    #[inline]
    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }

    pub(crate) fn spin_node(&self) -> &SpinNode {
        &self.spin
    }

    /// When the thread looks at the clock, to learn when a bias pays.
    pub(crate) fn samples(&self) -> &Samples {
        &self.samples
    }

    /// What a sleep costs the thread.
    pub(crate) fn sleep_cost(&self) -> &SleepCost {
        &self.sleep_cost
    }

    /// The cost of so many of the thread's sleeps, in nanoseconds. A sleep is taken to cost at
    /// least two microseconds.
    pub(crate) fn sleeps(&self, times: u32) -> u64 {
        self.sleep_cost.nanos().max(LEAST_SLEEP) * u64::from(times)
    }

    /// When the thread sleeps, if it waits awake from now on: after the cost of one sleep, at the
    /// deadline at the latest.
    pub(crate) fn awake_until(&self, now: Instant, deadline: Option<Instant>) -> Instant {
        now.after(self.sleeps(1)).at_most(deadline)
    }

    /// Whether this word is the record's token, for a platform that treats the token apart.
    #[cfg(siftlock_model)]
    pub fn has_token(&self, word: &AtomicU32) -> bool {
        core::ptr::eq(&raw const self.token, word)
    }

    /// How often in a row the thread has passed waiters by.
    #[inline]
    pub(crate) fn passes(&self) -> &Passes {
        &self.passes
    }
}
