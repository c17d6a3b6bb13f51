//! The processor's own counter, in which short times are taken.
//!
//! x86-64: the time-stamp counter. AArch64: `cntvct_el0`. Elsewhere: nanoseconds of the system's
//! monotonic clock. A reading waits for the instructions before it, so that a lock's atomic
//! operation ends before the reading after it. That makes a reading dearer, so its cost is measured
//! and subtracted.

use std::time::{Duration, Instant};

use serde::Serialize;

/// How long the counter is compared with the system's clock.
const CALIBRATION: Duration = Duration::from_millis(50);
/// How often a reading of the counter is timed.
const COST_READINGS: u32 = 10_000;

/// The counter's value now.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    use core::arch::x86_64::{_mm_lfence, _rdtsc};

    // `lfence` holds `rdtsc` back until everything before it has been done.
    // SAFETY: every x86-64 processor has both instructions.
    unsafe { _mm_lfence() };
    // SAFETY: every x86-64 processor has both instructions.
    unsafe { _rdtsc() }
}

/// The counter's value now.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    let value: u64;
    // SAFETY: reads a register that user space may read; `isb` holds it back until everything
    // before it has been done.
    unsafe {
        core::arch::asm!("isb", "mrs {}, cntvct_el0", out(reg) value, options(nostack, nomem));
    }
    value
}

/// The counter's value now.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn ticks() -> u64 {
    use std::sync::OnceLock;

    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    u64::try_from(ORIGIN.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Stays awake for this many ticks.
pub(crate) fn stay_awake(time: u64) {
    if time == 0 {
        return;
    }
    let start = ticks();
    while ticks().saturating_sub(start) < time {
        std::hint::spin_loop();
    }
}

/// The counter's name.
const COUNTER: &str = if cfg!(target_arch = "x86_64") {
    "time-stamp counter"
} else if cfg!(target_arch = "aarch64") {
    "cntvct_el0"
} else {
    "monotonic clock"
};

/// The counter's rate, and the cost of a reading.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Clock {
    pub(crate) counter: &'static str,
    pub(crate) ticks_per_second: f64,
    /// The time that one reading adds to a time taken with two: least, mean, most, in ticks.
    pub(crate) reading: Reading,
}

/// The cost of one reading, in ticks.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Reading {
    pub(crate) min: u64,
    pub(crate) avg: u64,
    pub(crate) max: u64,
}

impl Clock {
    /// Compares the counter with the system's clock.
    pub(crate) fn calibrate() -> Self {
        let (start, start_ticks) = (Instant::now(), ticks());
        let reading = Reading::measure();
        while start.elapsed() < CALIBRATION {
            std::hint::spin_loop();
        }
        let (end_ticks, elapsed) = (ticks(), start.elapsed());
        let counted = end_ticks.saturating_sub(start_ticks) as f64;
        Self { counter: COUNTER, ticks_per_second: counted / elapsed.as_secs_f64(), reading }
    }

    /// A time between two readings without the cost of taking it. The least cost seen is
    /// subtracted, so that a delay never comes out too short.
    #[inline]
    pub(crate) fn net(&self, ticks: u64) -> u64 {
        ticks.saturating_sub(self.reading.min)
    }

    /// A time in ticks.
    pub(crate) fn in_ticks(&self, time: Duration) -> u64 {
        (time.as_secs_f64() * self.ticks_per_second) as u64
    }

    /// A number of ticks in microseconds.
    pub(crate) fn micros(&self, ticks: u64) -> f64 {
        ticks as f64 / self.ticks_per_second * 1e6
    }
}

impl Reading {
    fn measure() -> Self {
        let mut sum = 0;
        let mut cost = Self { min: u64::MAX, avg: 0, max: 0 };
        for _ in 0..COST_READINGS {
            let start = ticks();
            let took = ticks().saturating_sub(start);
            cost.min = cost.min.min(took);
            cost.max = cost.max.max(took);
            sum += took;
        }
        cost.avg = sum / u64::from(COST_READINGS);
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(min: u64) -> Clock {
        let reading = Reading { min, avg: min, max: min };
        Clock { counter: "test", ticks_per_second: 2e9, reading }
    }

    #[test]
    fn clock_subtracts_its_own_cost_and_never_goes_below_nothing() {
        assert_eq!(clock(30).net(100), 70);
        assert_eq!(clock(30).net(10), 0);
    }

    #[test]
    fn clock_counts_in_microseconds() {
        assert!((clock(0).micros(3_000) - 1.5).abs() < 1e-12);
    }

    #[test]
    fn clock_calibration_orders_its_costs() {
        let reading = Clock::calibrate().reading;
        assert!(reading.min <= reading.avg && reading.avg <= reading.max);
    }
}
