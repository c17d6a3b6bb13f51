//! Deadlines as POSIX has them: absolute times of a clock.

use crate::answer::{Answer, is_place, refused};
use libc::{CLOCK_MONOTONIC, CLOCK_REALTIME, EINVAL, c_int, timespec};
use siftlock::platform::Native;
use siftlock_core::Refused;
use siftlock_core::platform::{Instant, Platform};
use std::mem::MaybeUninit;
use std::time::Duration;

/// A moment of one of the system's clocks.
pub(crate) struct Deadline {
    clock: c_int,
    at: Duration,
}

impl Deadline {
    /// The moment `at` of `clock`. A moment before the clock's origin counts as the origin: both
    /// have passed.
    ///
    /// # Errors
    /// `EINVAL`: `clock` is neither of the two, `at` is null or not aligned, or `tv_nsec` is not
    /// from 0 to 999,999,999.
    ///
    /// # Safety
    /// `at` is null, unaligned, or valid for a read.
    pub(crate) unsafe fn new(clock: c_int, at: *const timespec) -> Result<Self, c_int> {
        if ![CLOCK_MONOTONIC, CLOCK_REALTIME].contains(&clock) || !is_place(at) {
            return Err(EINVAL);
        }
        // SAFETY: the caller's promise, and neither null nor unaligned.
        let at = unsafe { at.read() };
        match u32::try_from(at.tv_nsec) {
            Ok(nanos @ 0..1_000_000_000) => {
                let at =
                    u64::try_from(at.tv_sec).map_or(Duration::ZERO, |s| Duration::new(s, nanos));
                Ok(Self { clock, at })
            }
            _ => Err(EINVAL),
        }
    }

    /// Takes a lock by `at_once`. If that fails, `take` waits for the lock until this moment. So a
    /// call that gets the lock at once does not read the clock.
    ///
    /// # Errors
    /// Those of `take`, as numbers.
    pub(crate) fn take<T>(
        &self,
        at_once: impl FnOnce() -> Option<T>,
        take: impl Fn(Option<Instant>) -> Result<T, Refused>,
    ) -> Answer {
        match at_once() {
            Some(_taken) => Ok(()),
            None => self.wait(take).map(drop),
        }
    }

    /// Calls `take` with this moment, and calls it again if it returns before this moment because
    /// the clock was set back.
    ///
    /// # Errors
    /// Those of `take`, as numbers.
    pub(crate) fn wait<T>(
        &self,
        take: impl Fn(Option<Instant>) -> Result<T, Refused>,
    ) -> Result<T, c_int> {
        loop {
            // The lock's own clock is read last. So the time between the two readings makes the
            // wait longer, never shorter.
            let left = self.left();
            match take(Native::now().checked_add(left)) {
                // There is time left, so the clock was set back.
                Err(Refused::TimedOut) if !self.left().is_zero() => {}
                taken => return taken.map_err(refused),
            }
        }
    }

    fn left(&self) -> Duration {
        let mut now = MaybeUninit::<timespec>::uninit();
        // SAFETY: the place fits the time. Every Linux has this clock, so the call succeeds and
        // writes the place.
        let now = unsafe {
            libc::clock_gettime(self.clock, now.as_mut_ptr());
            now.assume_init()
        };
        self.at.saturating_sub(Duration::new(now.tv_sec as u64, now.tv_nsec as u32))
    }
}
