//! The options of `changes`, a load that changes.

use std::time::Duration;

use clap::Args;

use super::values;

/// How often the load changes, and for how long.
#[derive(Debug, Default, Args)]
pub(crate) struct ChangesArgs {
    /// Numbers of threads, separated by commas (1 to 4096): 1, 2 and 8 for each CPU by default
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = values::threads)]
    pub(crate) threads: Vec<usize>,

    /// How long the load stays at a corner, with its unit (1ms to 10s): 100ms by default
    #[arg(long, value_name = "TIME", value_parser = values::every)]
    pub(crate) every: Option<Duration>,

    /// How long each corner is measured alone, and again while the load changes; rounded up to a
    /// multiple of --every: 8 times --every by default, which meets each change once
    #[arg(long, value_name = "S", value_parser = values::seconds)]
    pub(crate) seconds: Option<Duration>,

    /// How many samples are taken of each subject at each number of threads (1 to 1000)
    #[arg(long, value_name = "N", value_parser = values::rounds)]
    pub(crate) rounds: Option<usize>,
}
