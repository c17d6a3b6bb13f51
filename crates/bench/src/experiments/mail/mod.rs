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
//! time from its call for the lock until it is inside, as far as it lies in the measured phase.

mod tree;

use std::sync::Arc;

use self::tree::{Mapping, Tree};
use super::{Experiment, pause};
use crate::machine::Clock;
use crate::machine::clock::ticks;
use crate::run::{Arena, Crew, Fault, Phase, Shift, Signal, Span};
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
    /// How many processors' time this process can have.
    pub(crate) processors: f64,
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
        let of_processors =
            |busy: std::time::Duration| busy.as_secs_f64() / (seconds * self.processors);
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
    /// How much of the phase the client waited, in ticks.
    waited: u64,
    /// The wait of every section that the phase let in, or cut short.
    waits: Waits,
}

impl Tally {
    fn new() -> Self {
        Self { messages: 0, waited: 0, waits: Waits::new() }
    }

    /// Adds the wait of a section, whether or not its message is finished in time.
    fn add(&mut self, span: Span, clock: &Clock, asked: u64, got: u64) {
        if let Some(wait) = span.reached(asked, got) {
            self.waits.add(clock.net(wait));
            self.waited += clock.net(span.part(asked, got));
        }
    }
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
        let mut tally = Tally::new();
        for number in 1_u64.. {
            let mut add = |asked, got| {
                if signal.phase() != Phase::WarmUp {
                    tally.add(signal.span(), clock, asked, got);
                }
            };
            self.each_mapping(seat, Tree::insert, &mut add);
            spool.copy_from_slice(std::hint::black_box(&message));
            self.each_mapping(seat, Tree::remove, &mut add);
            if number.is_multiple_of(MESSAGES_PER_WALK) {
                self.walk(&mut add);
            }
            std::hint::black_box(&spool);
            match signal.phase() {
                Phase::WarmUp => {}
                Phase::Measure => tally.messages += 1,
                Phase::Over => break,
            }
        }
        tally
    }

    /// One write section for each mapping; `add` gets when the client asked for each section, and
    /// when it was inside, in ticks.
    fn each_mapping(
        &mut self,
        seat: usize,
        act: fn(&Tree, Mapping),
        mut add: impl FnMut(u64, u64),
    ) {
        for place in 0..MAPPINGS {
            let asked = ticks();
            let got = self.lock.writing(|| {
                let got = ticks();
                self.witness.write(|| act(self.tree, Mapping { place, of: seat + 1 }));
                pause(self.load);
                got
            });
            add(asked, got);
        }
    }

    /// Looks at every mapping; `add` gets the same as for each mapping.
    fn walk(&mut self, mut add: impl FnMut(u64, u64)) {
        let asked = ticks();
        let got = self.lock.reading(|| {
            let got = ticks();
            self.witness.read(|| std::hint::black_box(self.tree.walk()));
            got
        });
        add(asked, got);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::machine::Usage;

    #[test]
    fn mail_shares_are_of_the_processors_that_a_quota_grants() {
        let mail = Mail { load: 0, clock: Clock::calibrate(), processors: 1.5 };
        let (user, system) = (Duration::from_millis(900), Duration::from_millis(300));
        let usage = Some(Usage { user, system, switches: 0 });
        let shift = Shift { members: vec![Tally::new()], elapsed: Duration::from_secs(1), usage };
        let readings = mail.readings(&shift);
        let share = |metric| readings.iter().find(|one| one.metric == metric).map(|one| one.value);
        for (metric, expected) in
            [(Metric::UserShare, 0.6), (Metric::SystemShare, 0.2), (Metric::IdleShare, 0.2)]
        {
            let share = share(metric).expect("a share");
            assert!((share - expected).abs() < 1e-9, "{metric:?}: {share}");
        }
    }

    #[test]
    fn mail_counts_the_waits_of_messages_that_the_end_cuts_short() {
        let clock = Clock::calibrate();
        let mut tally = Tally::new();
        let (from, to) = (1 << 30, 1 << 31);
        let span = Span { begin: from, end: to };
        tally.add(span, &clock, to - (1 << 29), to + (1 << 30));
        let half = clock.net(1 << 29);
        assert_eq!((tally.messages, tally.waited), (0, half));
        tally.add(span, &clock, to, to + 1);
        assert_eq!(tally.waited, half, "a section after the end");
        tally.add(span, &clock, 0, from + (1 << 28));
        assert_eq!(tally.waited, half + clock.net(1 << 28), "a section of the warm-up");
    }
}
