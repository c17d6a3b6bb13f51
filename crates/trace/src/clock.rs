//! The clock: the processor's counter of ticks where it is steady, and the system's clock
//! elsewhere.
//!
//! The length of a tick is measured when a report is made: by then enough time has passed since
//! the start.

use core::sync::atomic::{AtomicU64, Ordering};

/// What a look at the clock takes, in ticks: part of every time between two looks.
static LOOK: AtomicU64 = AtomicU64::new(0);

/// Ticks and nanoseconds when the library began.
static BEGAN_TICKS: AtomicU64 = AtomicU64::new(0);
static BEGAN_NANOS: AtomicU64 = AtomicU64::new(0);

/// The time in ticks.
#[inline]
pub(crate) fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    if steady::counter() {
        // SAFETY: every x86-64 processor has the instruction.
        return unsafe { core::arch::x86_64::_rdtsc() };
    }
    nanos()
}

/// The ticks between two looks at the clock, without the look itself.
#[inline]
pub(crate) fn between(began: u64, ended: u64) -> u64 {
    // Relaxed: a number, which publishes nothing.
    ended.saturating_sub(began).saturating_sub(LOOK.load(Ordering::Relaxed))
}

/// The time of the system's monotonic clock, in nanoseconds.
pub(crate) fn nanos() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a place for the time. The clock is always there.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Remembers when the library, or a forked child, began.
pub(crate) fn begin() {
    // Relaxed, here and below: if first calls race, a report right after them may miss these
    // values. Its times are then wrong.
    let looks = (0..16).map(|_| ticks().abs_diff(ticks()));
    LOOK.store(looks.min().unwrap_or(0), Ordering::Relaxed);
    BEGAN_TICKS.store(ticks(), Ordering::Relaxed);
    BEGAN_NANOS.store(nanos(), Ordering::Relaxed);
}

/// Nanoseconds since the library began.
pub(crate) fn elapsed() -> u64 {
    nanos().saturating_sub(BEGAN_NANOS.load(Ordering::Relaxed))
}

/// How many nanoseconds a tick is.
pub(crate) fn nanos_per_tick() -> f64 {
    // One millisecond, in nanoseconds. A shorter time does not compare the two clocks to a percent.
    const ENOUGH: u64 = 1_000_000;
    let started = nanos();
    while elapsed() < ENOUGH && nanos() - started < ENOUGH {
        std::hint::spin_loop();
    }
    let ticked = ticks().saturating_sub(BEGAN_TICKS.load(Ordering::Relaxed));
    if ticked == 0 { 1.0 } else { elapsed() as f64 / ticked as f64 }
}

#[cfg(target_arch = "x86_64")]
mod steady {
    use core::arch::x86_64::__cpuid;
    use core::sync::atomic::{AtomicU8, Ordering};

    const UNKNOWN: u8 = 0;
    const NO: u8 = 1;
    const YES: u8 = 2;

    static COUNTER: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// Whether the counter of ticks has one rate in all states of the processor.
    #[inline]
    pub(super) fn counter() -> bool {
        // Relaxed, here and below: every thread finds the same answer.
        match COUNTER.load(Ordering::Relaxed) {
            UNKNOWN => look(),
            known => known == YES,
        }
    }

    #[cold]
    fn look() -> bool {
        const LEAVES: u32 = 0x8000_0000;
        const POWER: u32 = 0x8000_0007;
        let has = __cpuid(LEAVES).eax >= POWER && __cpuid(POWER).edx & (1 << 8) != 0;
        COUNTER.store(if has { YES } else { NO }, Ordering::Relaxed);
        has
    }
}
