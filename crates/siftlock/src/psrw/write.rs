//! Writing.

use super::place::{class_of, where_it_waits};
use super::{Place, Policy, PsRwLock, PsWriteGuard, Readers, held};
use crate::Limit;
use crate::context::{Context, Thread};
use siftlock_core::platform::Platform;
use std::time::{Duration, Instant};

/// Writing as a [`Thread`], for locks that threads write: `write()` is `write_at(Thread)`, and so
/// on.
impl<T: ?Sized, R: Readers, L: Policy, P: Platform> PsRwLock<T, R, Thread, L, P> {
    /// Writes. First it waits, asleep, for the writers before this one and for the Thread readers
    /// that are in. Then it waits, awake and raised, for the readers of the higher classes.
    ///
    /// **Under the guard, do not allocate, free or lock if handlers read the lock**: see [the
    /// rule](crate::psrw#in-a-write-section), and [`update`](Self::update).
    ///
    /// ```
    /// use siftlock::PsRwLock;
    ///
    /// let lock = PsRwLock::new(5);
    /// *lock.write() += 1;
    /// assert_eq!(*lock.read(), 6);
    /// ```
    ///
    /// # Panics
    /// In debug builds, if the thread reads or writes this lock already or is raised. If it would
    /// have to sleep, and more than four million threads are alive.
    #[inline]
    #[track_caller]
    pub fn write(&self) -> PsWriteGuard<'_, T, R, Thread, L, P> {
        self.write_at(Thread)
    }

    /// Writes, without sleep. It succeeds only if no other writer has the lock or has it reserved,
    /// and if the readers leave within some microseconds.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    pub fn try_write(&self) -> Option<PsWriteGuard<'_, T, R, Thread, L, P>> {
        self.try_write_at(Thread)
    }

    /// [`write`](Self::write), waiting at most for `time`.
    ///
    /// # Panics
    /// In debug builds, if the thread is raised.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    #[track_caller]
    pub fn try_write_for(&self, time: Duration) -> Option<PsWriteGuard<'_, T, R, Thread, L, P>> {
        self.write_within(time)
    }

    /// [`write`](Self::write), waiting at most until `end`.
    ///
    /// # Panics
    /// In debug builds, if the thread is raised.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    #[track_caller]
    pub fn try_write_until(&self, end: Instant) -> Option<PsWriteGuard<'_, T, R, Thread, L, P>> {
        self.write_within(end)
    }
}

/// Writing from the [`Place`] that a lock's type names: a handler, a thread raised to its class.
impl<T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<T, R, W, L, P> {
    /// Writes from a place of the writing class. Above [`Thread`] it waits awake all the time,
    /// raised to that class, for other writers as well. So their sections must be short.
    ///
    /// ```
    /// use siftlock::PsRwLock;
    /// use siftlock::context::{Irq, NonPreemptible};
    ///
    /// let meter: PsRwLock<_, (NonPreemptible, Irq), NonPreemptible> = PsRwLock::with_classes(0);
    /// *meter.write_at(NonPreemptible) = 7;
    /// assert_eq!(*meter.read_at(NonPreemptible), 7);
    /// ```
    ///
    /// # Panics
    /// As [`write`](PsRwLock::write). In the handler of a fault that has interrupted a raised
    /// thread it ends the process. In debug builds, if the caller stands above that class.
    #[inline]
    #[track_caller]
    pub fn write_at<Q>(&self, place: Q) -> PsWriteGuard<'_, T, R, W, L, P>
    where
        Q: Place<Class = W>,
    {
        let class = where_it_waits(place);
        held::check_write(&self.raw);
        PsWriteGuard::new(self, self.raw.write(class))
    }

    /// Writes from a place of the writing class, under the conditions of
    /// [`try_write`](PsRwLock::try_write).
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    pub fn try_write_at<Q>(&self, place: Q) -> Option<PsWriteGuard<'_, T, R, W, L, P>>
    where
        Q: Place<Class = W>,
    {
        let raised = self.raw.try_write(class_of(place));
        raised.map(|raised| PsWriteGuard::new(self, raised))
    }

    /// [`write_at`](Self::write_at), waiting at most for `time`.
    ///
    /// # Panics
    /// In debug builds, if the caller stands above that class. In a handler the call ends the
    /// process instead, also in the handler of a fault on a thread that was raised to the class.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    #[track_caller]
    pub fn try_write_at_for<Q>(
        &self,
        _place: Q,
        time: Duration,
    ) -> Option<PsWriteGuard<'_, T, R, W, L, P>>
    where
        Q: Place<Class = W>,
    {
        self.write_within(time)
    }

    /// [`write_at`](Self::write_at), waiting at most until `end`.
    ///
    /// # Panics
    /// In debug builds, if the caller stands above that class. In a handler the call ends the
    /// process instead, also in the handler of a fault on a thread that was raised to the class.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    #[track_caller]
    pub fn try_write_at_until<Q>(
        &self,
        _place: Q,
        end: Instant,
    ) -> Option<PsWriteGuard<'_, T, R, W, L, P>>
    where
        Q: Place<Class = W>,
    {
        self.write_within(end)
    }

    /// Makes no try first, unlike a timed read: a try would begin to sift, give up, and lose its
    /// turn.
    #[track_caller]
    fn write_within(&self, limit: impl Limit) -> Option<PsWriteGuard<'_, T, R, W, L, P>> {
        let raised = self.raw.write_until(W::default(), limit.deadline::<P>()).ok()?;
        Some(PsWriteGuard::new(self, raised))
    }
}
