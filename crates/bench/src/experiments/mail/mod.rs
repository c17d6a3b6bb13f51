//! E3, after the anon-vma report: a mail server that forks a process for each message.
//!
//! Each client deals with one message after the other. **Fork*: for each mapping of the parent the
//! lock is taken for writing once. The child's copy goes into one interval tree that all processes
//! share. *Delivery*: the message's body is copied, without the lock. *Exit*: the child's mappings
//! come out again, each with the lock for writing. Page reclaim, rarely, walks the tree with the
//! lock for reading.
//!
//! Counted: messages that were finished before time was up. The report's columns are those of
//! `vmstat`: context switches, and how the processors' time went by. A client's *waiting* is the
//! time from its call for the lock until it is inside.

mod tree;

use std::sync::Arc;

use self::tree::{Mapping, Tree};
use super::{Experiment, pause};
use crate::machine::Clock;
use crate::machine::clock::ticks;
use crate::run::{Arena, Crew, Fault, Phase, Shift, Signal};
use crate::stats::{Metric, Reading, Waits};
use crate::subjects::Lock;
use crate::verify::{Violation, Witness};

/// Mappings of the process that forks.
const MAPPINGS: usize = 30;
/// Bytes of a message's body.
const BODY: usize = 64 * 1024;
/// Messages of one client between two walks of page reclaim.
const MESSAGES_PER_WALK: u64 = 100;

/// The experiment and its parameters.
pub(crate) struct Mail {
    /// Pauses in each section, besides what it does to the tree.
    pub(crate) load: u32,
    pub(crate) clock: Clock,
}

impl Experiment for Mail {
    const NAME: &'static str = "mail";

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let (arena, load, clock) = (Arc::clone(arena), self.load, self.clock.clone());
        let tree = Arc::new(Tree::of_parent(MAPPINGS));
        let shared = Arc::clone(&tree);
        let shift = crew.run(move |seat, signal| {
            let client = Client::new(arena.lock(seat), arena.ward().witness(), &shared, load);
            client.work(seat, &clock, signal)
        })?;
        // A floor does not exclude, and its figures are not judged.
        if L::EXCLUDES && !tree.is_as_planted() {
            return Err(Violation::LostUpdate.into());
        }
        Ok(self.readings(&shift))
    }
}

impl Mail {
    /// The metrics of one sample.
    fn readings(&self, shift: &Shift<Tally>) -> Vec<Reading> {
        let seconds = shift.elapsed.as_secs_f64();
        let messages = shift.members.iter().map(|tally| tally.messages).sum::<u64>() as f64;
        let waited = shift.members.iter().map(|tally| self.clock.micros(tally.waited)).sum::<f64>();
        let processors = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        let of_processors = |busy: std::time::Duration| busy.as_secs_f64() / (seconds * processors);
        let per_message = |amount: f64| (messages > 0.0).then_some(amount / messages);
        let usage = shift.usage;
        let waits = Waits::of_all(shift.members.iter().map(|tally| &tally.waits));
        let mut out = Reading::known([
            (Metric::Total, Some(messages / seconds)),
            (Metric::UserShare, usage.map(|usage| of_processors(usage.user))),
            (Metric::SystemShare, usage.map(|usage| of_processors(usage.system))),
            (Metric::IdleShare, usage.map(|usage| 1.0 - of_processors(usage.cpu()))),
            (Metric::WaitShare, Some(waited / 1e6 / (seconds * shift.members.len() as f64))),
            (
                Metric::SwitchesPerMessage,
                usage.and_then(|usage| per_message(usage.switches as f64)),
            ),
            (
                Metric::CpuMicrosPerMessage,
                usage.and_then(|usage| per_message(usage.cpu().as_secs_f64() * 1e6)),
            ),
        ]);
        out.extend(shift.pressure(|tally| tally.messages, Some(waits.in_micros(&self.clock))));
        out
    }
}

/// The counts of one client in the measured phase.
struct Tally {
    messages: u64,
    /// How long these messages waited, in ticks.
    waited: u64,
    /// The wait of every section that ended after the warm-up.
    waits: Waits,
}

/// One client, and all that it works with.
struct Client<'a, L> {
    lock: &'a L,
    witness: Witness<'a>,
    tree: &'a Tree,
    load: u32,
}

impl<'a, L: Lock> Client<'a, L> {
    fn new(lock: &'a L, witness: Witness<'a>, tree: &'a Tree, load: u32) -> Self {
        Self { lock, witness, tree, load }
    }

    /// Deals with messages until the run is over.
    fn work(mut self, seat: usize, clock: &Clock, signal: &Signal) -> Tally {
        let (message, mut spool) = (vec![b'.'; BODY], vec![0; BODY]);
        let mut tally = Tally { messages: 0, waited: 0, waits: Waits::new() };
        for number in 1_u64.. {
            let mut waited = 0;
            let mut add = |wait| {
                waited += wait;
                if signal.phase() != Phase::WarmUp {
                    tally.waits.add(wait);
                }
            };
            self.each_mapping(seat, clock, Tree::insert, &mut add);
            spool.copy_from_slice(std::hint::black_box(&message));
            self.each_mapping(seat, clock, Tree::remove, &mut add);
            if number.is_multiple_of(MESSAGES_PER_WALK) {
                add(self.walk(clock));
            }
            std::hint::black_box(&spool);
            match signal.phase() {
                Phase::WarmUp => {}
                Phase::Measure => {
                    tally.messages += 1;
                    tally.waited += waited;
                }
                Phase::Over => break,
            }
        }
        tally
    }

    /// One write section for each mapping; `add` gets how long each section waited, in ticks.
    fn each_mapping(
        &mut self,
        seat: usize,
        clock: &Clock,
        act: fn(&Tree, Mapping),
        mut add: impl FnMut(u64),
    ) {
        for place in 0..MAPPINGS {
            let asked = ticks();
            let got = self.lock.writing(|| {
                let got = ticks();
                self.witness.write(|| act(self.tree, Mapping { place, of: seat + 1 }));
                pause(self.load);
                got
            });
            add(clock.net(got.saturating_sub(asked)));
        }
    }

    /// Looks at every mapping; returns how long it waited, in ticks.
    fn walk(&mut self, clock: &Clock) -> u64 {
        let asked = ticks();
        let got = self.lock.reading(|| {
            let got = ticks();
            self.witness.read(|| std::hint::black_box(self.tree.walk()));
            got
        });
        clock.net(got.saturating_sub(asked))
    }
}
