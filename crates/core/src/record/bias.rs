//! What a platform keeps for reads by slot: whose slots to look through, and when the next bias may
//! be tried.

use super::Instant;
use super::learnt::Learnt;
use super::listed::Listed;
use crate::sync::{AtomicU32, AtomicU64, Ordering, const_fn};

/// One for all locks of a platform, in a `static` of it.
///
/// **Cost and pause.** A lock's asymmetric read bias is an offer to readers that the next writer
/// has to take back, at the cost of a heavy fence and a look at each thread's slots. What such a
/// *revocation* takes, as measured, costs the writer's time and that of each reader that it keeps
/// out. So much must the readers of a lock have lost without the offer before it is made again. And
/// for some multiple of it no lock is offered to readers: whatever the mixture of reads and writes,
/// and of locks, revocations take a bounded part of the time. It is one pause for all locks, since
/// a program may have a million of them and each would want a first try.
///
/// **Price of a look.** The symmetric form costs a writer the look alone. Whether reads by slot are
/// worth that depends on how many counted ones would be made meanwhile, so both times are learnt
/// here, from what threads measure now and then.
#[derive(Debug)]
pub struct Bias {
    pub(crate) readers: Listed,
    /// Nanoseconds of [`Platform::now`](crate::platform::Platform::now).
    pause_until: AtomicU64,
    /// What the last revocation took, in nanoseconds; 0 before the first.
    cost: AtomicU64,
    /// How many threads' slots the last writer has looked at.
    looked: AtomicU32,
    /// What such a look takes on average, apart from waiting for readers.
    look: Learnt,
    /// After how long the next counted read of a thread follows, where nothing comes in between.
    pass: Learnt,
    /// [`UNKNOWN`], [`THERE`] or [`GONE`].
    heavy_fence: AtomicU32,
}

/// Whether there is a heavy fence. It may come once, and go once.
const UNKNOWN: u32 = 0;
const THERE: u32 = 1;
const GONE: u32 = 2;

/// Nanoseconds that a revocation costs beside what the clock sees of it: the ways to it, and caches
/// and pipelines that start anew behind a system call.
const UNSEEN: u64 = 300;

/// Nanoseconds. Readers that have lost as much are given the form whatever it costs: a lock cannot
/// count many more of them.
const MOST_LOST: u64 = 10_000_000;

/// A writer's look through the slots costs those who use the lock so many times what it takes: the
/// lines of the lock and the slots go to the writer, and come back to readers that were kept out.
const LOOK_COSTS: u32 = 8;

/// A look is worth so many reads at least and at most. Models have few.
const LEAST_PRICE: u32 = if cfg!(siftlock_model) { 1 } else { 8 };
pub(crate) const MOST_PRICE: u32 = if cfg!(siftlock_model) { 1 } else { 4_096 };

/// Nanoseconds. As long as nothing is known, a counted read takes no longer than the lock itself.
const FIRST_PASS: u32 = 8;

impl Bias {
    const_fn! {
        /// No thread has read by slot yet. Without a heavy fence, so only the symmetric form comes
        /// on.
        #[must_use]
        pub const fn new() -> Self {
            Self {
                readers: Listed::new(),
                pause_until: AtomicU64::new(0),
                cost: AtomicU64::new(0),
                looked: AtomicU32::new(0),
                look: Learnt::new(),
                pass: Learnt::new(),
                heavy_fence: AtomicU32::new(UNKNOWN),
            }
        }
    }

    /// If `begin` says so there is a [heavy fence](crate::platform::Platform::heavy_fence): the
    /// asymmetric form may come on as well. Not asked where there is one already, or where it has
    /// [ended](Self::end_heavy_fence).
    pub fn begin_heavy_fence(&self, begin: impl FnOnce() -> bool) {
        // Relaxed, all: the system knows whether it makes fences, and nothing else was written
        // before.
        if self.heavy_fence.load(Ordering::Relaxed) == UNKNOWN && begin() {
            let _ = self.heavy_fence.compare_exchange(
                UNKNOWN,
                THERE,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
        }
    }

    /// The heavy fence has become dear, or is refused: from now on no lock is given the asymmetric
    /// form of a bias. A lock that has it already keeps it until it is next written, and needs the
    /// fence, or what is as good, for that.
    pub fn end_heavy_fence(&self) {
        // Relaxed: a bias that is just coming on stays as sound as those before.
        self.heavy_fence.store(GONE, Ordering::Relaxed);
    }

    /// Whether there is a heavy fence.
    pub(crate) fn has_heavy_fence(&self) -> bool {
        // Relaxed: as above.
        self.heavy_fence.load(Ordering::Relaxed) == THERE
    }

    /// Whether the asymmetric form pays for readers that have lost so many nanoseconds without it.
    /// While a writer takes it back no reader gets in: that costs it once for each that may run.
    pub(crate) fn is_worth(
        &self,
        lost: u64,
        processors: impl FnOnce() -> u32,
        now: impl FnOnce() -> Instant,
    ) -> bool {
        // Relaxed, all: numbers and times, and publish nothing.
        let cost = self.cost.load(Ordering::Relaxed);
        let readers = || self.looked.load(Ordering::Relaxed).min(processors()).max(1);
        self.has_heavy_fence()
            && lost >= cost.saturating_mul(u64::from(readers())).min(MOST_LOST)
            && now().as_nanos() >= self.pause_until.load(Ordering::Relaxed)
    }

    /// A revocation, begun at that time, is over, apart from so many nanoseconds spent waiting for
    /// readers: no lock is offered to readers for so many times what it cost.
    ///
    /// Preemption inflates a measurement. So one counts at most for twice the one before; a cost
    /// that stays, with thousands of threads to look at, is known after some.
    pub(crate) fn pause(&self, begun: Instant, now: Instant, waited: u64, times: u64) {
        if times != 0 {
            let measured = now.nanos_since(begun).saturating_sub(waited) + UNSEEN;
            // Relaxed, all: as above. Of two at once one may be lost: none of this is exact.
            let before = self.cost.load(Ordering::Relaxed);
            let cost = measured.min(before.saturating_mul(2) + UNSEEN);
            self.cost.store(cost, Ordering::Relaxed);
            self.rest_until(now.after(cost.saturating_mul(times)));
        }
    }

    /// How many reads have to go by slot for what a writer's look through the slots costs, as far
    /// as is known: as many as a thread that has the lock to itself would make while it is lost.
    pub(crate) fn look_price(&self) -> u32 {
        let cost = self.look.parts().saturating_mul(LOOK_COSTS);
        (cost / self.pass.parts_or(FIRST_PASS).max(1)).clamp(LEAST_PRICE, MOST_PRICE)
    }

    /// A writer has looked at so many threads' slots.
    pub(crate) fn looked_at(&self, threads: u32) {
        // Relaxed, both: as above. Nearly always the same as before: then its line stays where it
        // is.
        if self.looked.load(Ordering::Relaxed) != threads {
            self.looked.store(threads, Ordering::Relaxed);
        }
    }

    /// That took so many nanoseconds, apart from waiting for readers.
    pub(crate) fn time_look(&self, nanos: u64) {
        self.look.learn_average(nanos);
    }

    /// Counted reads of a thread followed each other after so many nanoseconds.
    pub(crate) fn time_pass(&self, nanos: u64) {
        self.pass.learn_least(nanos);
        // A bias that has become too dear is tried again in the end.
        self.look.fade();
    }

    /// A look through all slots, begun at that time, is over: that of a lock that ends. It makes no
    /// fence, so it tells nothing of what a revocation costs.
    pub(crate) fn pause_after_look(&self, begun: Instant, now: Instant, times: u64) {
        self.rest_until(now.after(now.nanos_since(begun).saturating_mul(times)));
    }

    /// A short pause does not end a long one.
    fn rest_until(&self, until: Instant) {
        let until = until.as_nanos();
        // Relaxed, both: as above.
        if until > self.pause_until.load(Ordering::Relaxed) {
            self.pause_until.store(until, Ordering::Relaxed);
        }
    }
}

impl Default for Bias {
    fn default() -> Self {
        Self::new()
    }
}
