//! The options of `plane`.

use std::time::Duration;

use clap::Args;

use super::values;

/// Which part of the plane, and for how long.
#[derive(Debug, Default, Args)]
pub(crate) struct PlaneArgs {
    /// How long sections last, separated by commas: 50ns,1us,10us,100us by default
    #[arg(long, value_delimiter = ',', value_name = "TIMES", value_parser = values::stay)]
    pub(crate) holds: Vec<Duration>,

    /// How long threads are outside between two sections, awake: 0ns,1us,10us,100us by default
    #[arg(long, value_delimiter = ',', value_name = "TIMES", value_parser = values::stay)]
    pub(crate) pauses: Vec<Duration>,

    /// Numbers of threads, separated by commas (1 to 4096): 1, 2 and 8 for each CPU by default
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = values::threads)]
    pub(crate) threads: Vec<usize>,

    /// How many of a hundred sections write, separated by commas: 100,50,10,1,0 by default
    #[arg(long, value_delimiter = ',', value_name = "%", value_parser = values::writes)]
    pub(crate) writes: Vec<f64>,

    /// How long one sample takes: one subject, in one cell, in one round
    #[arg(long, value_name = "S", value_parser = values::seconds)]
    pub(crate) seconds: Option<Duration>,

    /// How many samples are taken of each subject in each cell (1 to 1000); one more counts readers
    #[arg(long, value_name = "N", value_parser = values::rounds)]
    pub(crate) rounds: Option<usize>,

    /// Instead: the corners without a pause, and some cells in which our lock was behind; about 20
    /// s
    #[arg(long, conflicts_with_all = ["holds", "pauses", "threads", "writes"])]
    pub(crate) short: bool,

    /// List every cell below the maps, with processor time, the longest wait and the share of reads
    /// that begin beside another reader
    #[arg(long)]
    pub(crate) cells: bool,
}
