//! Reading.

use super::place::{class_of, where_it_waits};
use super::{Place, Policy, PsReadGuard, PsRwLock, Readers, Reads, held};
use crate::Limit;
use crate::context::{Context, Thread};
use siftlock_core::platform::Platform;
use std::time::{Duration, Instant};

/// The guard of a read in the class of `Q`.
type Reading<'a, T, Q, R, W, L, P> = PsReadGuard<'a, T, <Q as Place>::Class, R, W, L, P>;

/// Reading as a [`Thread`]: `read()` is `read_at(Thread)`, and so on.
impl<T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<T, R, W, L, P> {
    /// Reads. It sleeps while a writer shuts threads out, or while 262,143 other reads of threads
    /// are under way (as when guards leak).
    ///
    /// ```
    /// use siftlock::PsRwLock;
    ///
    /// let lock = PsRwLock::new(5);
    /// assert_eq!(*lock.read(), 5);
    /// ```
    ///
    /// # Panics
    /// In debug builds, if the thread reads or writes this lock already or is raised. If it would
    /// have to sleep, and more than four million threads are alive.
    #[inline]
    #[track_caller]
    pub fn read(&self) -> Reading<'_, T, Thread, R, W, L, P>
    where
        Thread: Reads<R>,
    {
        self.read_at(Thread)
    }

    /// Reads, if that needs no waiting.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    pub fn try_read(&self) -> Option<Reading<'_, T, Thread, R, W, L, P>>
    where
        Thread: Reads<R>,
    {
        self.try_read_at(Thread)
    }

    /// [`read`](Self::read), waiting at most for `time`.
    ///
    /// # Panics
    /// In debug builds, if the lock is held, and the thread is raised, even with a time-out of 0.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    #[track_caller]
    pub fn try_read_for(&self, time: Duration) -> Option<Reading<'_, T, Thread, R, W, L, P>>
    where
        Thread: Reads<R>,
    {
        self.read_within(Thread, time)
    }

    /// [`read`](Self::read), waiting at most until `end`.
    ///
    /// # Panics
    /// In debug builds, if the lock is held, and the thread is raised, even with a time-out of 0.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    #[track_caller]
    pub fn try_read_until(&self, end: Instant) -> Option<Reading<'_, T, Thread, R, W, L, P>>
    where
        Thread: Reads<R>,
    {
        self.read_within(Thread, end)
    }
}

/// Reading from any [`Place`].
impl<T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<T, R, W, L, P> {
    /// Reads in the class of `place`, to which the caller stays raised until the guard is dropped.
    /// Waits while a writer shuts that class out: a [`Thread`] asleep, any other awake.
    ///
    /// ```
    /// use siftlock::PsRwLock;
    /// use siftlock::context::{NonPreemptible, Thread};
    ///
    /// let gains: PsRwLock<_, (Thread, NonPreemptible)> = PsRwLock::with_classes([0.5, 0.25]);
    /// // In the thread that must not block:
    /// let left = gains.read_at(NonPreemptible)[0];
    /// assert_eq!(left, 0.5);
    /// ```
    ///
    /// # Panics
    /// As [`read`](Self::read). In debug builds also if the caller stands above that class. In the
    /// handler of a fault that has interrupted a raised thread, the call ends the process.
    #[inline]
    #[track_caller]
    pub fn read_at<Q: Place>(&self, place: Q) -> Reading<'_, T, Q, R, W, L, P>
    where
        Q::Class: Reads<R>,
    {
        let class = where_it_waits(place);
        held::check_read::<Q::Class, _, _, _, _>(&self.raw);
        PsReadGuard::new(self, class, self.raw.read(class))
    }

    /// Reads in the class of `place`, if that needs no waiting. Ends in every context, the handler
    /// of a fault included.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    pub fn try_read_at<Q: Place>(&self, place: Q) -> Option<Reading<'_, T, Q, R, W, L, P>>
    where
        Q::Class: Reads<R>,
    {
        let class = class_of(place);
        self.raw.try_read(class).map(|raised| PsReadGuard::new(self, class, raised))
    }

    /// [`read_at`](Self::read_at), waiting at most for `time`.
    ///
    /// # Panics
    /// In debug builds, if it would have to wait, and the caller stands above that class. In a
    /// handler the call ends the process instead, also in the handler of a fault on a thread that
    /// was raised to the class.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    #[track_caller]
    pub fn try_read_at_for<Q: Place>(
        &self,
        place: Q,
        time: Duration,
    ) -> Option<Reading<'_, T, Q, R, W, L, P>>
    where
        Q::Class: Reads<R>,
    {
        self.read_within(place, time)
    }

    /// [`read_at`](Self::read_at), waiting at most until `end`.
    ///
    /// # Panics
    /// In debug builds, if it would have to wait, and the caller stands above that class. In a
    /// handler the call ends the process instead, also in the handler of a fault on a thread that
    /// was raised to the class.
    #[inline]
    #[must_use = "the lock is held only as long as its guard"]
    #[track_caller]
    pub fn try_read_at_until<Q: Place>(
        &self,
        place: Q,
        end: Instant,
    ) -> Option<Reading<'_, T, Q, R, W, L, P>>
    where
        Q::Class: Reads<R>,
    {
        self.read_within(place, end)
    }

    #[inline]
    #[track_caller]
    fn read_within<Q: Place>(
        &self,
        place: Q,
        limit: impl Limit,
    ) -> Option<Reading<'_, T, Q, R, W, L, P>>
    where
        Q::Class: Reads<R>,
    {
        let class = class_of(place);
        // The clock is read only where there is something to wait for.
        let raised = match self.raw.try_read(class) {
            Some(raised) => raised,
            None => self.raw.read_until(class, limit.deadline::<P>()).ok()?,
        };
        Some(PsReadGuard::new(self, class, raised))
    }
}
