//! The options that most experiments have.

use std::time::Duration;

use clap::Args;

use super::values;

/// Where and how long is measured. What is left out is the experiment's default.
#[derive(Debug, Default, Args)]
pub(crate) struct PointArgs {
    /// Numbers of threads, separated by commas (1 to 4096)
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = values::threads)]
    pub(crate) threads: Vec<usize>,

    /// How long one sample takes: one subject, at one number of threads, in one round
    #[arg(long, value_name = "S", value_parser = values::seconds)]
    pub(crate) seconds: Option<Duration>,

    /// How many samples are taken of each subject at each number of threads (1 to 1000)
    #[arg(long, value_name = "N", value_parser = values::rounds)]
    pub(crate) rounds: Option<usize>,

    /// Length of the critical section, in pause instructions (0 to 1000000)
    #[arg(long, value_name = "N", value_parser = values::load)]
    pub(crate) load: Option<u32>,
}
