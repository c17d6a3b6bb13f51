//! Deadlines: absolute times of one of two clocks. If the realtime clock is set, a deadline of that
//! clock follows it.

use crate::system;
use crate::thread::mine;
use core::time::Duration;
use libc::{CLOCK_MONOTONIC, CLOCK_REALTIME, EINVAL, c_int, timespec};
use siftlock_core::platform::Instant;

/// A moment of one of the two clocks.
pub(crate) struct Deadline {
    clock: c_int,
    at: Duration,
}

impl Deadline {
    /// The moment `at` of `clock`. A moment before the clock's origin becomes the origin: both are
    /// over. A null pointer means no deadline, as in glibc.
    ///
    /// # Errors
    /// `EINVAL`: the clock is none of the two, or `at` is no valid time.
    ///
    /// # Safety
    /// `at` can be read, or is null.
    pub(crate) unsafe fn new(clock: c_int, at: *const timespec) -> Result<Option<Self>, c_int> {
        // SAFETY: the caller's promise.
        let Some(at) = (unsafe { at.as_ref() }) else { return Ok(None) };
        match u32::try_from(at.tv_nsec) {
            Ok(nanos @ 0..1_000_000_000) if [CLOCK_MONOTONIC, CLOCK_REALTIME].contains(&clock) => {
                let at =
                    u64::try_from(at.tv_sec).map_or(Duration::ZERO, |s| Duration::new(s, nanos));
                Ok(Some(Self { clock, at }))
            }
            _ => Err(EINVAL),
        }
    }

    /// Whether the moment has passed.
    pub(crate) fn is_over(&self) -> bool {
        self.left().is_zero()
    }

    fn left(&self) -> Duration {
        let now = system::clock(self.clock);
        self.at.saturating_sub(Duration::new(now.tv_sec as u64, now.tv_nsec as u32))
    }

    /// Calls `call` with `end`, this moment on the lock's own clock. Meanwhile the thread's sleeps
    /// until `end` follow the realtime clock if this deadline does (see [`futex`](crate::futex)).
    ///
    /// A handler may interrupt the wait, and wait with a deadline of its own. So the deadline of an
    /// interrupted wait is put back at the end.
    pub(crate) fn wait<T>(&self, end: Instant, call: impl FnOnce(Instant) -> T) -> T {
        let mine = mine();
        let before = (mine.realtime.get(), mine.realtime_ends.get(), mine.is_over.get());
        let is_realtime = self.clock == CLOCK_REALTIME;
        mine.realtime_ends.set(0);
        mine.is_over.set(false);
        mine.realtime.set(timespec {
            tv_sec: i64::try_from(self.at.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: self.at.subsec_nanos().into(),
        });
        mine.realtime_ends.set(if is_realtime { end.as_nanos() } else { 0 });
        let done = call(end);
        mine.realtime_ends.set(before.1);
        mine.realtime.set(before.0);
        mine.is_over.set(before.2);
        done
    }

    /// This moment on the lock's own clock, which shows `now`, unless the realtime clock is set
    /// until then. `None`: it is later than that clock can say.
    pub(crate) fn on_own_clock(&self, now: Instant) -> Option<Instant> {
        now.checked_add(self.left())
    }
}
