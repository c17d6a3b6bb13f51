//! Deadlines: absolute times of one of two clocks. That of the realtime clock follows the clock
//! where it is set.

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
    /// The moment `at` of `clock`. One before the clock's origin is as good as the origin: both are
    /// over. A null pointer is no deadline, as glibc has it.
    ///
    /// # Errors
    /// `EINVAL`: there is no such clock, or no such time.
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

    /// Has `call` wait until this moment, which it is given on the lock's own clock.
    ///
    /// A handler that interrupts the wait, and waits itself, has a deadline of its own meanwhile.
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

    /// This moment on the lock's own clock, which shows `now`, as things stand. `None`: later than
    /// that can say.
    pub(crate) fn on_own_clock(&self, now: Instant) -> Option<Instant> {
        now.checked_add(self.left())
    }
}
