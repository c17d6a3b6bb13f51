//! How deeply an idle processor sleeps: the longer its earlier sleeps were, the deeper.
//!
//! Long sleeps lead to deep sleeps, deep sleeps to slow wake-ups, and slow wake-ups to longer
//! sleeps. So a slow lock becomes a very slow one on some machines.

use crate::machine::{Cycles, Machine};
use std::ops::Range;

/// Nanoseconds that a processor's first sleep is expected to last: the machine was idle until now.
const COLD: u64 = 10_000_000;

/// The sleeps of one processor.
#[derive(Debug)]
pub(super) struct Idle {
    since: Cycles,
    /// How long the present sleep is expected to last.
    expected: Cycles,
    /// How long the processor was idle in earlier sleeps, in the measured part.
    before: Cycles,
}

impl Idle {
    pub(super) fn new(machine: &Machine) -> Self {
        Self { since: 0, expected: machine.cycles(COLD), before: 0 }
    }

    pub(super) fn begin(&mut self, at: Cycles) {
        self.since = at;
    }

    /// Whether the processor is still on its way to sleep.
    pub(super) fn is_falling_asleep(&self, at: Cycles) -> bool {
        at < self.since
    }

    /// Ends the sleep. `others_sleep`: the core's other processors are idle as well. Returns how
    /// long the way out takes.
    pub(super) fn end(
        &mut self,
        at: Cycles,
        others_sleep: bool,
        machine: &Machine,
        measured: &Range<Cycles>,
    ) -> Cycles {
        let lasted = at.saturating_sub(self.since);
        let fits = machine.system.idle.iter().filter(|state| {
            state.residency <= self.expected && (others_sleep || !state.whole_core)
        });
        let exit = fits.map(|state| state.exit).max().unwrap_or(0);
        self.before = self.total(true, at, measured);
        self.expected = (self.expected * 7 + lasted) / 8;
        exit
    }

    /// How long the processor was idle in the measured part until `at`.
    pub(super) fn total(&self, is_idle: bool, at: Cycles, measured: &Range<Cycles>) -> Cycles {
        let now = at.min(measured.end).saturating_sub(self.since.max(measured.start));
        self.before + if is_idle { now } else { 0 }
    }
}
