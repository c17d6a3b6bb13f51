//! The phases of a sample, and the times between which it is measured.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicU64, fence};

use crate::machine::clock::ticks;

/// Whether a thread's work counts now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    /// Nothing counts yet.
    WarmUp,
    /// Everything counts.
    Measure,
    /// Nothing counts any more: the thread returns.
    Over,
}

/// The phase, as the threads see it.
#[derive(Debug)]
pub(crate) struct Signal {
    phase: AtomicU8,
    /// When the measured phase began and ended, in ticks; `u64::MAX` as long as it has not.
    begin: AtomicU64,
    end: AtomicU64,
}

impl Signal {
    /// A signal that says that nothing counts yet.
    pub(super) const fn new() -> Self {
        Self {
            phase: AtomicU8::new(Phase::WarmUp as u8),
            begin: AtomicU64::new(u64::MAX),
            end: AtomicU64::new(u64::MAX),
        }
    }

    /// The phase now. Work done before the call belongs to this phase, so work that ended only
    /// after the time was up does not count.
    #[inline]
    pub(crate) fn phase(&self) -> Phase {
        // Relaxed: `span` alone needs what was published with it, and has a fence.
        match self.phase.load(Relaxed) {
            0 => Phase::WarmUp,
            1 => Phase::Measure,
            _ => Phase::Over,
        }
    }

    /// The measured phase, as far as [`phase`](Self::phase) has shown it to the caller.
    #[inline]
    pub(crate) fn span(&self) -> Span {
        // Pairs with the Release of `begin` and `end`: a thread that has seen the phase sees its
        // moment.
        fence(Acquire);
        Span { begin: self.begin.load(Relaxed), end: self.end.load(Relaxed) }
    }

    /// Begins the measured phase.
    pub(super) fn begin(&self) {
        self.begin.store(ticks(), Relaxed);
        self.phase.store(Phase::Measure as u8, Release);
    }

    /// Ends the measured phase.
    pub(super) fn end(&self) {
        self.end.store(ticks(), Relaxed);
        self.phase.store(Phase::Over as u8, Release);
    }
}

/// When the measured phase began and ended, in ticks; `u64::MAX` is not yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

impl Span {
    /// How long a wait from `asked` to `got` had lasted when it was over, or when the phase was.
    /// Nothing if it began later: the threads in its way are leaving then.
    #[inline]
    pub(crate) fn reached(self, asked: u64, got: u64) -> Option<u64> {
        (asked < self.end).then(|| got.min(self.end).saturating_sub(asked))
    }

    /// How much of a wait from `asked` to `got` lies within the phase.
    #[inline]
    pub(crate) fn part(self, asked: u64, got: u64) -> u64 {
        got.min(self.end).saturating_sub(asked.max(self.begin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span { begin: 100, end: 200 };

    #[test]
    fn span_cuts_a_wait_at_its_end_and_leaves_later_ones_out() {
        assert_eq!(SPAN.reached(50, 150), Some(100));
        assert_eq!(SPAN.reached(150, 900), Some(50));
        assert_eq!(SPAN.reached(200, 900), None);
    }

    #[test]
    fn span_has_a_part_of_a_wait() {
        let parts = [(50, 150), (150, 160), (150, 900), (50, 900), (50, 90), (200, 900)];
        assert_eq!(parts.map(|(asked, got)| SPAN.part(asked, got)), [50, 10, 50, 100, 0, 0]);
    }

    #[test]
    fn signal_tells_its_span_with_the_phase() {
        let signal = Signal::new();
        assert_eq!((signal.phase(), signal.span().part(0, 10)), (Phase::WarmUp, 0));
        let before = ticks();
        signal.begin();
        assert_eq!((signal.phase(), signal.span().end), (Phase::Measure, u64::MAX));
        signal.end();
        let Span { begin, end } = signal.span();
        assert!(signal.phase() == Phase::Over && before <= begin && begin <= end);
    }
}
