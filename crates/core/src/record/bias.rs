//! What a platform keeps for reads by slot: the threads whose slots a writer looks through, and
//! when the next bias may be tried.

use super::Instant;
use super::learnt::Learnt;
use super::listed::Listed;
use crate::sync::{AtomicU32, AtomicU64, Ordering, const_fn};

/// One for all locks of a platform, in a `static` of it.
///
/// **Cost and pause.** A lock's asymmetric read bias is an offer to readers. The next writer has to
/// take it back, by a heavy fence and a look at each thread's slots. Such a *revocation* costs, as
/// measured, the writer's time and the time of each reader that it keeps out. Before the offer is
/// made again the lock's readers must have lost as much without it. And after a revocation no lock
/// is offered to readers for some multiple of its cost. So revocations take a bounded part of the
/// time, whatever the mixture of reads and writes, and of locks. All locks share one pause, since a
/// program may have a million of them and each would want a first try.
///
/// **Price of a look.** The symmetric form costs a writer the look alone. Whether reads by slot are
/// worth the look depends on how many counted reads would be made in its time. So the times of a
/// look and of a counted read are learnt here, from what threads measure now and then.
#[derive(Debug)]
pub struct Bias {
    pub(crate) readers: Listed,
    /// Nanoseconds of [`Platform::now`](crate::platform::Platform::now).
    pause_until: AtomicU64,
    /// What the last revocation took, in nanoseconds; 0 before the first.
    cost: AtomicU64,
    /// How many threads' slots the last writer has looked at.
    looked: AtomicU32,
    /// What a writer's look through the slots takes on average, apart from waiting for readers.
    look: Learnt,
    /// How long after a thread's counted read its next one follows, where nothing comes in between.
    pass: Learnt,
    /// [`UNKNOWN`], [`THERE`] or [`GONE`].
    heavy_fence: AtomicU32,
}

/// Whether there is a heavy fence. It may come once, and go once.
const UNKNOWN: u32 = 0;
const THERE: u32 = 1;
const GONE: u32 = 2;

/// Nanoseconds that a revocation costs beside what the clock sees of it: the way to it, and caches
/// and pipelines that start anew after a system call.
const UNSEEN: u64 = 300;

/// Nanoseconds. Readers that have lost this much are given the asymmetric form whatever it costs: a
/// lock cannot count many more reads.
const MOST_LOST: u64 = 10_000_000;

/// A writer's look through the slots costs the users of the lock so many times what it takes: the
/// lines of the lock and the slots go to the writer, and come back to readers that were kept out.
const LOOK_COSTS: u32 = 8;

/// The least and the most that a look may cost, in reads. Models have few reads.
const LEAST_PRICE: u32 = if cfg!(siftlock_model) { 1 } else { 8 };
pub(crate) const MOST_PRICE: u32 = if cfg!(siftlock_model) { 1 } else { 4_096 };

/// Nanoseconds. As long as nothing is known, a counted read is taken to cost no more than the lock
/// itself.
const FIRST_PASS: u32 = 8;

impl Bias {
    const_fn! {
        /// No thread has read by slot yet. There is no heavy fence, so only the symmetric form
        /// comes on.
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

    /// If `begin` says that there is a [heavy fence](crate::platform::Platform::heavy_fence), the
    /// asymmetric form may come on as well. `begin` is not asked where the fence is known already,
    /// or has [ended](Self::end_heavy_fence).
    pub fn begin_heavy_fence(&self, begin: impl FnOnce() -> bool) {
        // Relaxed, all: the word publishes nothing, and the system itself knows whether it makes
        // fences.
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
    /// form of a bias. A lock that has that form already keeps it until the next write, which needs
    /// the fence, or an equivalent.
    pub fn end_heavy_fence(&self) {
        // Relaxed: a bias that is just coming on stays as sound as earlier ones.
        self.heavy_fence.store(GONE, Ordering::Relaxed);
    }

    /// Whether there is a heavy fence.
    pub(crate) fn has_heavy_fence(&self) -> bool {
        // Relaxed: as in `begin_heavy_fence`.
        self.heavy_fence.load(Ordering::Relaxed) == THERE
    }

    /// Whether the asymmetric form pays for readers that have lost so many nanoseconds without it.
    /// While a writer takes the form back no reader gets in, so the cost counts once for each
    /// reader that may run.
    pub(crate) fn is_worth(
        &self,
        lost: u64,
        processors: impl FnOnce() -> u32,
        now: impl FnOnce() -> Instant,
    ) -> bool {
        // Relaxed, all: numbers and times, which publish nothing.
        let cost = self.cost.load(Ordering::Relaxed);
        let readers = || self.looked.load(Ordering::Relaxed).min(processors()).max(1);
        self.has_heavy_fence()
            && lost >= cost.saturating_mul(u64::from(readers())).min(MOST_LOST)
            && now().as_nanos() >= self.pause_until.load(Ordering::Relaxed)
    }

    /// A revocation is over. It began at `begun`, and spent `waited` nanoseconds waiting for
    /// readers. No lock is offered to readers for `times` times its cost.
    ///
    /// Preemption inflates a measurement. So a measurement counts for at most twice the cost
    /// before. A cost that stays, with thousands of threads to look at, is known after some
    /// measurements.
    pub(crate) fn pause(&self, begun: Instant, now: Instant, waited: u64, times: u64) {
        if times != 0 {
            let measured = now.nanos_since(begun).saturating_sub(waited) + UNSEEN;
            // Relaxed, all: as in `is_worth`. Concurrent measurements may lose one: none of this is
            // exact.
            let before = self.cost.load(Ordering::Relaxed);
            let cost = measured.min(before.saturating_mul(2) + UNSEEN);
            self.cost.store(cost, Ordering::Relaxed);
            self.rest_until(now.after(cost.saturating_mul(times)));
        }
    }

    /// The price of a writer's look through the slots, in reads by slot, as far as is known: as
    /// many as a thread that has the lock to itself would make in the time that the look costs.
    pub(crate) fn look_price(&self) -> u32 {
        let cost = self.look.parts().saturating_mul(LOOK_COSTS);
        (cost / self.pass.parts_or(FIRST_PASS).max(1)).clamp(LEAST_PRICE, MOST_PRICE)
    }

    /// A writer has looked at so many threads' slots.
    pub(crate) fn looked_at(&self, threads: u32) {
        // Relaxed, both: as in `is_worth`. Nearly always the number is the same as before: then its
        // line stays where it is.
        if self.looked.load(Ordering::Relaxed) != threads {
            self.looked.store(threads, Ordering::Relaxed);
        }
    }

    /// A writer's look through the slots took so many nanoseconds, apart from waiting for readers.
    pub(crate) fn time_look(&self, nanos: u64) {
        self.look.learn_average(nanos);
    }

    /// A thread's counted reads followed each other at intervals of so many nanoseconds.
    pub(crate) fn time_pass(&self, nanos: u64) {
        self.pass.learn_least(nanos);
        // A bias that has become too dear is tried again in the end.
        self.look.fade();
    }

    /// A lock that ends has looked through all slots since `begun`. Its look makes no fence, so it
    /// tells nothing of what a revocation costs. No lock is offered to readers for `times` times
    /// its duration.
    pub(crate) fn pause_after_look(&self, begun: Instant, now: Instant, times: u64) {
        self.rest_until(now.after(now.nanos_since(begun).saturating_mul(times)));
    }

    /// A short pause does not end a long one.
    fn rest_until(&self, until: Instant) {
        let until = until.as_nanos();
        // Relaxed, both: as in `is_worth`.
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
