//! What a platform keeps for reads by slot: whose slots to look through, and when the next bias may
//! be tried.

use super::{Instant, Platform};
use crate::sync::{AtomicU64, Ordering, const_fn};
use crate::wait::{Listed, Record};

/// One for all locks of a platform, in a `static` of it.
///
/// **Pause.** A lock's read bias is an offer to readers that the next writer has to take back, at the
/// cost of a heavy fence and a look at each thread's slots. So after each such *revocation* that cost
/// more than the readers had saved no lock is offered to readers for some multiple of the loss, as
/// measured: whatever the mixture of reads and writes, and of locks, what is lost is a bounded part
/// of the time. It is one pause for
/// all locks, since a program may have a million of them and each would want a first try. Which lock
/// is tried when the pause is over is decided by who reads most; a lock that nobody writes is tried
/// once, and then stays out of the game.
#[derive(Debug)]
pub struct Bias {
    pub(crate) readers: Listed,
    /// Nanoseconds of [`Platform::now`].
    pause_until: AtomicU64,
    /// Nanoseconds that reads by slot have saved beyond what revocations cost.
    credit: AtomicU64,
}

impl Bias {
    const_fn! {
        /// No thread has read by slot yet.
        #[must_use]
        pub const fn new() -> Self {
            Self { readers: Listed::new(), pause_until: AtomicU64::new(0), credit: AtomicU64::new(0) }
        }
    }

    /// When the next lock may be offered to readers.
    pub(crate) fn pause_until(&self) -> u64 {
        // Relaxed: a time, and publishes nothing.
        self.pause_until.load(Ordering::Relaxed)
    }

    /// A revocation, begun at that time, is over, apart from so many nanoseconds spent waiting for
    /// readers. True: it cost no more than `reads` have saved, and the bias may stay. Otherwise no
    /// lock is offered to readers for so many `times` what was lost; 0: never mind.
    pub(crate) fn has_paid<P: Platform>(
        &self,
        begun: Instant,
        waited: u64,
        reads: Reads,
        times: u64,
    ) -> bool {
        if times == 0 {
            return true;
        }
        let now = P::now();
        let cost = now.nanos_since(begun).saturating_sub(waited);
        // Relaxed, here and below: numbers that publish nothing. Of two revocations at once one may
        // be forgotten: neither credit nor pause is exact.
        let earned = self.credit.load(Ordering::Relaxed).saturating_add(reads.saved());
        if earned >= cost {
            self.credit.store((earned - cost).min(cost * MOST_CREDIT), Ordering::Relaxed);
            return true;
        }
        self.credit.store(0, Ordering::Relaxed);
        let until = now.after((cost - earned).saturating_mul(times)).as_nanos();
        self.pause_until.store(until, Ordering::Relaxed);
        false
    }

    /// In a child process: clears the slots of all threads but the caller, `me`, since the child has
    /// none of them, and what they read would be read for ever.
    pub fn keep_only<P: Platform>(&self, me: &Record) {
        for record in self.readers.all::<P>() {
            if !core::ptr::eq(record, me) {
                record.slots().clear();
            }
        }
    }
}

/// Reads by slot of one lock since its bias was last revoked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reads {
    count: u64,
    threads: u32,
}

/// So many revocations may be paid for by what was saved before: reads do not come evenly between
/// writes.
const MOST_CREDIT: u64 = 8;

/// Nanoseconds that a read by slot saves a thread that reads alone.
const SAVED_ALONE: u64 = 8;
/// Nanoseconds that each saves where several threads read: those that the count's line takes from
/// one processor to another.
const SAVED_TOGETHER: u64 = 40;

impl Reads {
    pub(crate) const NONE: Self = Self { count: 0, threads: 0 };

    /// So many more, of one more thread.
    pub(crate) fn add(&mut self, reads: u64) {
        self.count += reads;
        self.threads += u32::from(reads != 0);
    }

    /// Nanoseconds that the lock's readers were faster than if they had been counted.
    fn saved(self) -> u64 {
        let each = if self.threads > 1 { SAVED_TOGETHER } else { SAVED_ALONE };
        self.count.saturating_mul(each)
    }
}

impl Default for Bias {
    fn default() -> Self {
        Self::new()
    }
}
