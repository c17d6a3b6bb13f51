//! How much of a time a thread spent on a processor.
//!
//! On a shared machine the longest times are other threads' time slices. So long times are also
//! given as the thread's own CPU time. The system's clock for that costs a call of some hundred
//! cycles, far more than the times that are measured. So it is read only where it matters:
//!
//! * a time of at most [`GAP`] counts as spent on the processor, all of it;
//! * for a longer time the clock is read at the end, and compared with a *base*, an earlier
//!   reading. From the base to the beginning of the time no two marks were more than [`GAP`] apart,
//!   so the thread was running all along.
//!
//! This misses switches shorter than [`GAP`] between the base, at most [`STALE`] old, and the
//! beginning: the CPU time comes out too short by as much.

use std::time::Duration;

use super::Clock;
use super::clock::ticks;

/// If two marks are further apart than this, the thread may have been switched out: a switch there
/// and back takes some microseconds.
const GAP: Duration = Duration::from_micros(10);
/// A base older than this is taken anew.
const STALE: Duration = Duration::from_millis(1);

/// A time in ticks of the counter: as it passed, and the thread's CPU time in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spell {
    pub(crate) wall: u64,
    /// At most `wall`.
    pub(crate) cpu: u64,
}

/// The beginning of a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) at: u64,
    base: Base,
}

impl Mark {
    /// The same beginning at a later moment, up to which the thread has been running.
    pub(crate) fn moved_to(self, at: u64) -> Self {
        Self { at, ..self }
    }
}

/// A reading of both clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    ticks: u64,
    cpu_nanos: u64,
}

/// Both clocks, for the thread that made the value.
#[derive(Clone, Debug)]
pub(crate) struct CpuClock {
    /// The ticks that the measurement itself adds to a time.
    cost: u64,
    ticks_per_nano: f64,
    gap: u64,
    stale: u64,
    base: Base,
    last: u64,
}

impl CpuClock {
    /// A clock of the calling thread.
    pub(crate) fn new(clock: &Clock) -> Self {
        let base = Base::now();
        Self {
            cost: clock.reading.min,
            ticks_per_nano: clock.ticks_per_second / 1e9,
            gap: clock.in_ticks(GAP),
            stale: clock.in_ticks(STALE),
            base,
            last: base.ticks,
        }
    }

    /// Now, as the beginning of a time.
    #[inline]
    pub(crate) fn mark(&mut self) -> Mark {
        let mut at = ticks();
        if at.saturating_sub(self.last) > self.gap || at - self.base.ticks.min(at) > self.stale {
            self.base = Base::now();
            at = ticks();
        }
        self.last = at;
        Mark { at, base: self.base }
    }

    /// The time from `from` to now, without the cost of taking it.
    #[inline]
    pub(crate) fn since(&mut self, from: &Mark) -> Spell {
        let to = ticks();
        let end = self.is_long(from, to).then(Base::now);
        self.between(from, to, end)
    }

    /// Whether the CPU time from `from` to `to` has to be asked for.
    #[inline]
    pub(crate) fn is_long(&self, from: &Mark, to: u64) -> bool {
        to.saturating_sub(from.at) > self.gap
    }

    /// The time from `from` to `to`. `end` is a reading made just after `to`; without it all of the
    /// time counts as CPU time.
    #[inline]
    pub(crate) fn between(&mut self, from: &Mark, to: u64, end: Option<Base>) -> Spell {
        self.last = to;
        let wall = to.saturating_sub(from.at).saturating_sub(self.cost);
        let Some(end) = end else { return Spell { wall, cpu: wall } };
        (self.base, self.last) = (end, end.ticks);
        let used = end.cpu_nanos.saturating_sub(from.base.cpu_nanos) as f64 * self.ticks_per_nano;
        let before = from.at.saturating_sub(from.base.ticks);
        let after = end.ticks.saturating_sub(to);
        Spell { wall, cpu: (used as u64).saturating_sub(before + after).min(wall) }
    }
}

impl Base {
    /// Both clocks now.
    #[cold]
    pub(crate) fn now() -> Self {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a place for the time; every Linux has this clock. The call may be made
        // in a signal handler.
        unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
        let cpu_nanos = time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64;
        Self { ticks: ticks(), cpu_nanos }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn cpu_time_of_a_sleep_is_next_to_nothing() {
        let clock = Clock::calibrate();
        let mut cpu = CpuClock::new(&clock);
        let mark = cpu.mark();
        std::thread::sleep(Duration::from_millis(20));
        let spell = cpu.since(&mark);
        assert!(clock.micros(spell.wall) >= 20_000.0);
        assert!(clock.micros(spell.cpu) < 2_000.0, "{} µs", clock.micros(spell.cpu));
    }

    #[test]
    fn cpu_time_of_work_is_not_more_than_what_passed() {
        let clock = Clock::calibrate();
        let mut cpu = CpuClock::new(&clock);
        let mark = cpu.mark();
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(20) {}
        let spell = cpu.since(&mark);
        // A thread that loses its processor while it calibrates has the counter's rate a little
        // wrong.
        assert!(spell.cpu > 0 && spell.cpu <= spell.wall + spell.wall / 8, "{spell:?}");
    }

    #[test]
    fn cpu_time_of_a_short_time_is_the_time() {
        let mut cpu = CpuClock::new(&Clock::calibrate());
        let mark = cpu.mark();
        let spell = cpu.between(&mark, mark.at + 500, None);
        assert_eq!(spell.wall, spell.cpu);
    }
}
