//! The options of `simulate`, experiments on simulated machines.

use clap::{Args, ValueEnum};
use siftlock_sim::machine::Topology;

use super::values;
use crate::simulate::{Placement, Subject};

/// Which experiment, on which machine, and for how long. What is left out is the experiment's
/// default.
#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// The experiment
    #[arg(value_enum, default_value_t = Simulated::Mixed)]
    pub(crate) experiment: Simulated,

    /// The machine; `simulate list` describes them. Default: amd-2; delays: harpertown; sifting:
    /// ivb-ex with 64 processors
    #[arg(long, value_name = "NAME", value_parser = values::machines())]
    pub(crate) machine: Option<String>,

    /// The machine's costs with another topology: sockets x cores x threads of each core, like
    /// 8x15x2; or sockets x clusters x cores of each cluster x threads, like 2x2x2x1. The cores of
    /// a cluster share a cache
    #[arg(long, value_name = "SxCxT|SxKxCxT", value_parser = values::topology)]
    pub(crate) topology: Option<Topology>,

    /// Whether idle processors sleep deeply. Default: on
    #[arg(long, value_enum)]
    pub(crate) idle: Option<Switch>,

    /// Where threads begin. Default: compact
    #[arg(long, value_enum)]
    pub(crate) placement: Option<Placement>,

    /// Only these locks, separated by commas; see --list
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) locks: Vec<Subject>,

    /// Numbers of threads, separated by commas. Default: 2, 4, 8 and so on, up to twice the
    /// processors, and to 16 at least; plane: 1, 2 and 8 for each processor
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = values::threads)]
    pub(crate) threads: Vec<usize>,

    /// How many of a hundred sections write (uncontended, readers and plane only). Default: 1;
    /// plane: 100, 50, 10, 1 and 0
    #[arg(long, value_name = "%", value_parser = values::writes)]
    pub(crate) write_share: Option<f64>,

    /// Each thread reads and writes, by coin (mixed only)
    #[arg(long)]
    pub(crate) each: bool,

    /// Length of the critical section, in pause instructions. Default: 10 for trylock and mixed, 0
    /// for uncontended, readers and mail
    #[arg(long, value_name = "N", value_parser = values::load)]
    pub(crate) load: Option<u32>,

    /// Nanoseconds inside, besides (readers and plane only). Default: 0; plane: 50, 1000, 10000 and
    /// 100000
    #[arg(long, value_name = "NS", value_parser = values::hold)]
    pub(crate) hold: Option<u64>,

    /// Nanoseconds between two sections of a thread (readers and plane only). Default: 1; plane: 1,
    /// 1000, 10000 and 100000
    #[arg(long, value_name = "NS", value_parser = values::gap)]
    pub(crate) gap: Option<u64>,

    /// Simulated milliseconds of one run, after a warm-up of a quarter of it. Default: 1 for
    /// uncontended, 5 for trylock, 10 for readers, 20 for plane, 50 for delays and sifting, 100 for
    /// mixed and mail; where threads share processors, three slices for each of them at least.
    /// Delays and sifting have no warm-up
    #[arg(long, value_name = "MS", value_parser = values::run)]
    pub(crate) ms: Option<u64>,

    /// Seeds of the machine's disorder: a run for each, separated by commas. Default: 1,2,3
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = values::seed)]
    pub(crate) seed: Vec<u64>,

    /// List the simulated locks and stop
    #[arg(long)]
    pub(crate) list: bool,

    #[command(flatten)]
    pub(crate) measured: MeasuredOnly,
}

/// Options of the whole program that mean nothing here: refused, and left out of the help. Their
/// names and types are those of [`Cli`](super::Cli).
#[derive(Debug, Args)]
pub(crate) struct MeasuredOnly {
    #[arg(long, hide = true, value_delimiter = ',', value_parser = values::subject)]
    pub(crate) subjects: Vec<crate::subjects::Subject>,

    #[arg(long, hide = true)]
    pub(crate) pin: bool,

    #[arg(long, hide = true)]
    pub(crate) no_pin: bool,

    #[arg(long, hide = true)]
    pub(crate) published: bool,

    #[arg(long, hide = true)]
    pub(crate) pressure: bool,

    #[arg(long, hide = true)]
    pub(crate) compare: Option<std::path::PathBuf>,
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
    /// RwSem against a mutex, by holds, pauses, threads and writes
    Plane,
    /// E5: how long each context takes to get in and out, for the locks that handlers may read
    Delays,
    /// E4: how long a writer keeps interrupts out, by the number of its slow readers
    Sifting,
    /// The tables of the sources, with their own figures beside
    Published,
    /// The machines
    List,
}

/// How idle processors sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// As deeply as the machine's do
    On,
    /// Always lightly
    Off,
}

/// The name of a value on the command line.
pub(crate) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
