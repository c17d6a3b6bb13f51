//! Which threads read and write, how often, and on which processor.

use siftlock_core_sim::platform::Class;
use siftlock_sim::{Machine, calls};

use super::locks::Placed;
use super::site::{Section, Site, Tally};

/// The work of one thread until the run is over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Its name in a table.
    pub(super) name: &'static str,
    pub(super) section: Section,
    pub(super) is_try: bool,
    /// Cycles inside, besides the data, and between two sections.
    pub(super) hold: u64,
    pub(super) gap: u64,
    /// The gap varies by chance by at most this. Threads with equal gaps would begin together, and
    /// stay together.
    pub(super) disorder: u64,
    pub(super) processor: usize,
}

/// Tries in a row that fail before a trying thread gives up and pauses.
const TRIES: u32 = 100;

/// All threads of a run, and one handler on each processor if interrupts come.
#[derive(Clone, Debug)]
pub(super) struct Cast {
    pub(super) parts: Vec<Part>,
    /// Nanoseconds between two interrupts of a processor, and cycles that a handler reads for.
    pub(super) interrupts: Option<(u64, u64)>,
    pub(super) has_data: bool,
}

impl Cast {
    /// Runs the cast. The tallies of the handlers, by processor, come after the tallies of the
    /// parts.
    pub(super) fn play<L: Placed>(
        &self,
        machine: &Machine,
        nanos: u64,
        seed: Option<u64>,
    ) -> Result<Vec<Tally>, String> {
        let handlers = if self.interrupts.is_some() { machine.topology.processors() } else { 0 };
        let site = Site::<L>::new(self.parts.len() + handlers, self.has_data);
        let mut run = site.run(machine, nanos, seed);
        for (seat, &part) in self.parts.iter().enumerate() {
            let site = site.clone();
            run.thread(part.processor, move || part.act(&site, seat));
        }
        if let Some((every, hold)) = self.interrupts {
            for processor in 0..handlers {
                let (site, seat) = (site.clone(), self.parts.len() + processor);
                run.handler(processor, Class::Irq as u8, every, move || {
                    site.section(seat, Section::Read(Class::Irq), false, hold);
                });
            }
        }
        site.finish(run)
    }
}

impl Part {
    fn act<L: Placed>(self, site: &Site<L>, seat: usize) {
        let mut rng = fastrand::Rng::with_seed(seat as u64 + 1);
        while !calls::is_over() {
            let mut left = if self.is_try { TRIES } else { 1 };
            while left > 0 && !site.section(seat, self.section, self.is_try, self.hold) {
                left -= 1;
                calls::work(calls::pauses(1));
            }
            calls::work(self.gap - self.disorder + rng.u64(0..=2 * self.disorder));
        }
    }
}
