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
    /// The moment `at` of `clock`. A moment before the clock's origin is as good as the origin:
    /// both are over.
    ///
    /// # Errors
    /// `EINVAL`: there is no such clock, or no such time.
    ///
    /// # Safety
    /// `at` is null, unaligned or may be read.
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

    /// Takes a lock `at_once`, or else has `take` wait until this moment: the clock is read only
    /// where there is something to wait for.
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

    /// Has `take` wait until this moment.
    ///
    /// # Errors
    /// Those of `take`, as numbers.
    pub(crate) fn wait<T>(
        &self,
        take: impl Fn(Option<Instant>) -> Result<T, Refused>,
    ) -> Result<T, c_int> {
        loop {
            // The lock's own clock is read last, so what passes between makes the wait longer, not
            // shorter.
            let left = self.left();
            match take(Native::now().checked_add(left)) {
                // Somebody has set the clock back.
                Err(Refused::TimedOut) if !self.left().is_zero() => {}
                taken => return taken.map_err(refused),
            }
        }
    }

    fn left(&self) -> Duration {
        let mut now = MaybeUninit::<timespec>::uninit();
        // SAFETY: a clock that every Linux has, and a place for its time, which is written
        // therefore.
        let now = unsafe {
            libc::clock_gettime(self.clock, now.as_mut_ptr());
            now.assume_init()
        };
        self.at.saturating_sub(Duration::new(now.tv_sec as u64, now.tv_nsec as u32))
    }
}
