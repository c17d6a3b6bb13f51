//! What can be asked of simulated machines.

use clap::{Args, ValueEnum};

use crate::simulate::{Placement, Subject};

/// Which experiment, on which machine, and for how long.
#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// The experiment
    #[arg(value_enum, default_value_t = Simulated::Mixed)]
    pub(crate) experiment: Simulated,

    /// The machine, by name; `list` shows them all. Default: amd-2; delays: harpertown; sifting: 64
    /// processors of ivb-ex
    #[arg(long, value_name = "NAME")]
    pub(crate) machine: Option<String>,

    /// Another topology: sockets x cores in each x threads of each core
    #[arg(long, value_name = "SxCxT", value_parser = topology)]
    pub(crate) topology: Option<[usize; 3]>,

    /// Whether idle processors sleep deeply
    #[arg(long, value_enum, default_value_t = Switch::On)]
    pub(crate) idle: Switch,

    /// Where threads begin
    #[arg(long, value_enum, default_value_t = Placement::Compact)]
    pub(crate) placement: Placement,

    /// Only these locks, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) locks: Vec<Subject>,

    /// Numbers of threads, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = super::values::threads)]
    pub(crate) threads: Vec<usize>,

    /// How many of a hundred sections write (readers and uncontended)
    #[arg(long, value_name = "%", default_value_t = 1.0, value_parser = super::values::writes)]
    pub(crate) write_share: f64,

    /// Each thread reads and writes, by coin (mixed)
    #[arg(long)]
    pub(crate) each: bool,

    /// Length of the critical section, in pause instructions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) load: Option<u32>,

    /// Simulated milliseconds of one run, besides a quarter of it to warm up
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) ms: Option<u64>,

    /// Which disorder: one run for each, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "N", default_values_t = [1, 2, 3])]
    pub(crate) seed: Vec<u64>,
}

/// The simulated experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Simulated {
    /// Exact counts of everything that has one, without disorder
    Counts,
    /// Threads with a lock each
    Uncontended,
    /// E1: threads that only try-read
    Trylock,
    /// E2: as many readers as writers
    Mixed,
    /// E3: a mail server
    Mail,
    /// Any share of writes
    Readers,
    /// E5: how long each context takes to get in and out, for the locks that handlers may read
    Delays,
    /// E4: how long a writer keeps interrupts out, by the number of its slow readers
    Sifting,
    /// The tables of the sources, with their own figures beside
    Published,
    /// The machines
    List,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// Yes
    On,
    /// No
    Off,
}

/// Sockets, cores, threads.
fn topology(text: &str) -> Result<[usize; 3], String> {
    let parts = text.split('x').map(|part| part.parse().ok().filter(|&n: &usize| n > 0));
    let numbers: Option<Vec<usize>> = parts.collect();
    let numbers = numbers.and_then(|numbers| <[usize; 3]>::try_from(numbers).ok());
    let fits = |all: &[usize; 3]| all.iter().product::<usize>() <= 4_096;
    numbers
        .filter(fits)
        .ok_or_else(|| "give three numbers, like 8x15x2, of at most 4096 processors".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulate_takes_a_topology_of_three_numbers() {
        assert_eq!(topology("8x15x2"), Ok([8, 15, 2]));
        for bad in ["8x15", "8x15x2x1", "0x1x1", "x", "", "64x64x2", "axbxc"] {
            assert!(topology(bad).is_err(), "{bad}");
        }
    }
}
