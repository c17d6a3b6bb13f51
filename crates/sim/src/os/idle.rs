//! How deeply an idle processor sleeps: as deeply as its sleeps before were long.
//!
//! Long sleeps make deep ones, deep ones make slow wake-ups, and slow wake-ups make longer sleeps.
//! That is how a slow lock becomes a very slow one on some machines.

use crate::machine::{Cycles, Machine};

/// Nanoseconds that a processor's first sleep is expected to last: the machine has done nothing
/// before.
const COLD: u64 = 10_000_000;

/// How long, and how deeply, one processor sleeps.
#[derive(Debug)]
pub(super) struct Idle {
    since: Cycles,
    /// How long the present sleep is expected to last.
    expected: Cycles,
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

    /// The sleep ends. `others_sleep`: the core's other processors are idle as well. Returns how
    /// long the way out takes.
    pub(super) fn end(&mut self, at: Cycles, others_sleep: bool, machine: &Machine) -> Cycles {
        let lasted = at.saturating_sub(self.since);
        let fits = machine.system.idle.iter().filter(|state| {
            state.residency <= self.expected && (others_sleep || !state.whole_core)
        });
        let exit = fits.map(|state| state.exit).max().unwrap_or(0);
        self.before += lasted;
        self.expected = (self.expected * 7 + lasted) / 8;
        exit
    }

    pub(super) fn total(&self, is_idle: bool, at: Cycles) -> Cycles {
        self.before + if is_idle { at.saturating_sub(self.since) } else { 0 }
    }
}
