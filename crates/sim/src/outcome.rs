//! The result of a run: its counts, or the reason why it cannot end.

use crate::counts::Counts;
use crate::machine::Cycles;
use crate::thread::State;
use crate::world::World;
use std::fmt;

/// The result of a run that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How long the run took, in cycles.
    pub took: Cycles,
    /// The counts of each thread and handler.
    pub counts: Vec<Counts>,
    /// The counts of each thread and handler in the measured part.
    pub measured: Vec<Counts>,
    /// How long all processors together were idle in the measured part, in cycles.
    pub idle: Cycles,
    /// A hash of all accesses, with their threads and times, in order.
    pub hash: u64,
}

impl Outcome {
    pub(crate) fn of(world: &World) -> Self {
        let all: Vec<Counts> = world.threads.iter().map(|thread| thread.counts).collect();
        // A run may be over before the end of its measured part.
        let mark = |which: usize| world.marks.get(which).unwrap_or(&all);
        let both = mark(0).iter().zip(mark(1));
        Self {
            measured: both.map(|(&begin, &end)| end - begin).collect(),
            took: world.now,
            counts: all,
            idle: world.processors.iter().map(|it| it.idle_until(world.now, &world.measured)).sum(),
            hash: world.hash(),
        }
    }

    /// The counts of all threads and handlers together.
    #[must_use]
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.counts.iter().for_each(|&counts| total += counts);
        total
    }
}

/// A run that cannot end.
#[derive(Debug)]
pub struct Stuck {
    why: &'static str,
    nanos: u64,
    threads: Vec<(State, Counts)>,
}

impl Stuck {
    pub(crate) fn new(why: &'static str, world: &World) -> Self {
        let threads = world.threads.iter().map(|it| (it.state, it.counts)).collect();
        Self { why, nanos: world.machine.nanos(world.now), threads }
    }
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} ns {}:", self.nanos, self.why)?;
        for (id, (state, counts)) in self.threads.iter().enumerate() {
            write!(f, "\n  thread {id}: {state:?}")?;
            for (name, count) in counts.all().filter(|(_, count)| *count != 0) {
                write!(f, ", {name} {count}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Stuck {}
