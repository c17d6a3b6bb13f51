//! The options of `latency` and `delays`, the tests of the 2008 lock.

use std::time::Duration;

use clap::Args;

use super::values;

/// Which tests of the 2008 lock, and for how long.
#[derive(Debug, Default, Args)]
pub(crate) struct SceneArgs {
    /// How long one sample takes: one subject in one test, in one round
    #[arg(long, value_name = "S", value_parser = values::seconds, conflicts_with = "full")]
    pub(crate) seconds: Option<Duration>,

    /// As long as in 2008: 10 s, and 60 s under high contention
    #[arg(long)]
    pub(crate) full: bool,

    /// How many samples are taken of each subject in each test (1 to 1000)
    #[arg(long, value_name = "N", value_parser = values::rounds)]
    pub(crate) rounds: Option<usize>,

    /// Only these tests, by name, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = values::test)]
    pub(crate) tests: Vec<String>,

    /// How often each thread's handler reads, in seconds: 0.1 by default, as in 2008
    #[arg(long, value_name = "S", value_parser = values::interrupt_delay)]
    pub(crate) interrupts_every: Option<Duration>,

    /// Do not ask for SCHED_FIFO
    #[arg(long)]
    pub(crate) no_fifo: bool,
}
