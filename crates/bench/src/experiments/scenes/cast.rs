//! The roles in a test: how often they act, and for how long.

use std::time::Duration;

/// Pause of a writer between two writes.
pub(crate) const WRITER_DELAY: Duration = Duration::from_micros(100);
/// Pause of a trylock writer between two rounds of tries.
pub(crate) const TRYLOCK_WRITER_DELAY: Duration = Duration::from_micros(1000);
/// After this many tries a trylock reader or writer gives up.
pub(crate) const FAIL_AFTER: u32 = 100;
/// Pause between two reads from the handler of one thread.
pub(crate) const INTERRUPT_READER_DELAY: Duration = Duration::from_millis(100);

/// The work of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Writes, and pauses between writes.
    Writer,
    /// Tries to write, and pauses between rounds.
    TrylockWriter,
    /// Reads without a pause, non-preemptible.
    NonPreemptibleReader,
    /// Reads without a pause, as any thread.
    PreemptibleReader,
    /// Tries to read without a pause, as any thread.
    TrylockReader,
    /// Is busy with something else: only its handler reads.
    Bystander,
}

impl Role {
    /// Its name in the lines of results, as published.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Writer => "writer_thread",
            Self::TrylockWriter => "trylock_writer_thread",
            Self::NonPreemptibleReader => "npreader_thread",
            Self::PreemptibleReader => "preader_thread",
            Self::TrylockReader => "trylock_reader_thread",
            Self::Bystander => "bystander_thread",
        }
    }

    /// Whether it only tries.
    pub(crate) const fn tries(self) -> bool {
        matches!(self, Self::TrylockWriter | Self::TrylockReader)
    }
}

/// One test.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Test {
    /// Its name in commands and files.
    pub(crate) name: &'static str,
    /// Its name above tables.
    pub(crate) title: &'static str,
    /// How many threads of each role.
    pub(crate) cast: &'static [(Role, usize)],
    /// Whether a timer's handler on each thread reads as well.
    pub(crate) interrupts: bool,
    /// How long each reader stays inside beyond its look at the data.
    pub(crate) inside: Duration,
    /// How long one sample takes, unless asked for otherwise.
    pub(crate) brief: Duration,
    /// How long it ran in 2008.
    pub(crate) full: Duration,
}

impl Test {
    /// The number of its threads.
    pub(crate) fn threads(&self) -> usize {
        self.cast.iter().map(|(_, number)| number).sum()
    }

    /// The role of the thread on this seat, and its number among the threads of that role.
    pub(crate) fn role(&self, seat: usize) -> (Role, usize) {
        let mut first = 0;
        for &(role, number) in self.cast {
            if seat < first + number {
                return (role, seat - first);
            }
            first += number;
        }
        unreachable!("there is no seat {seat} in {}", self.name)
    }

    /// The role of a test that has only one.
    pub(crate) fn only_role(&self) -> Option<Role> {
        match self.cast {
            [(role, _)] => Some(*role),
            _ => None,
        }
    }
}
