//! The two ways of measuring a thread.

use crate::machine::masked::{self, Masked};
use crate::machine::{Clock, CpuClock, Mark, Spell};

/// A way of measuring, for one thread.
pub(super) trait Watch: Sized {
    /// Whether it takes times: above all, how long a thread waited.
    const TAKES_TIMES: bool = true;

    /// The beginning of a time.
    type Mark;

    /// A watch for the calling thread.
    fn new(clock: &Clock) -> Self;

    /// Begins to count: earlier times do not.
    fn begin(&mut self) {}

    /// Now, as the beginning of a time.
    fn mark(&mut self) -> Self::Mark;

    /// The moment of a mark, in ticks; 0 where no times are taken.
    fn moment(_: &Self::Mark) -> u64 {
        0
    }

    /// The time from `from` to now.
    fn since(&mut self, from: &Self::Mark) -> Spell;

    /// How long the thread kept each class out.
    fn end(self) -> Option<Masked> {
        None
    }
}

/// Every lock and unlock is timed.
pub(super) struct Stopwatch(CpuClock);

impl Watch for Stopwatch {
    type Mark = Mark;

    fn new(clock: &Clock) -> Self {
        Self(CpuClock::new(clock))
    }

    #[inline]
    fn mark(&mut self) -> Mark {
        self.0.mark()
    }

    #[inline]
    fn moment(mark: &Mark) -> u64 {
        mark.at
    }

    #[inline]
    fn since(&mut self, from: &Mark) -> Spell {
        self.0.since(from)
    }
}

/// The lock's platform measures; nothing else looks at the clock inside.
pub(super) struct Tracer;

impl Watch for Tracer {
    const TAKES_TIMES: bool = false;
    type Mark = ();

    fn new(clock: &Clock) -> Self {
        masked::begin(clock);
        Self
    }

    fn begin(&mut self) {
        masked::clear();
    }

    #[inline]
    fn mark(&mut self) {}

    #[inline]
    fn since(&mut self, (): &()) -> Spell {
        Spell::default()
    }

    fn end(self) -> Option<Masked> {
        masked::end()
    }
}
