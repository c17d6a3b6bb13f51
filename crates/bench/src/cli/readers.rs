//! The options of `readers`, readers that scale.

use clap::Args;

use super::{PointArgs, values};

/// Which part of the study of readers, and for how long.
#[derive(Debug, Default, Args)]
pub(crate) struct ReadersArgs {
    #[command(flatten)]
    pub(crate) point: PointArgs,

    /// How many of a hundred sections write, separated by commas: 0,0.1,1,10,50 by default
    #[arg(long, value_delimiter = ',', value_name = "%", value_parser = values::writes)]
    pub(crate) writes: Vec<f64>,

    /// Measure only the forms of our lock, and peers only if --subjects names them
    #[arg(long)]
    pub(crate) policies: bool,

    /// Instead: what read biases cost where they cannot pay, as ratios round by round: write only,
    /// read and write in turn, E2. Defaults: 1 thread, one and two for each CPU, 0.05 s, 21 rounds
    #[arg(long, conflicts_with_all = ["writes", "policies"])]
    pub(crate) price: bool,

    /// Instead: what taking a bias back costs, by the number of threads that ever read by slot.
    /// Defaults: 1,100,1000,10000 threads (--threads takes 4096 at most), 3 rounds
    #[cfg(target_os = "linux")]
    #[arg(long, conflicts_with_all = ["writes", "policies", "price", "seconds", "load"])]
    pub(crate) revoke: bool,
}
