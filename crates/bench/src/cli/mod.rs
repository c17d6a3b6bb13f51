//! The command line: the commands and their options.

mod changes;
mod plane;
mod point;
mod readers;
#[cfg(target_os = "linux")]
mod scenes;
mod simulate;
#[cfg(target_os = "linux")]
mod trace;
mod values;

use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub(crate) use self::changes::ChangesArgs;
pub(crate) use self::plane::PlaneArgs;
pub(crate) use self::point::PointArgs;
pub(crate) use self::readers::ReadersArgs;
#[cfg(target_os = "linux")]
pub(crate) use self::scenes::SceneArgs;
pub(crate) use self::simulate::{SimulateArgs, Simulated, Switch, name_of};
#[cfg(target_os = "linux")]
pub(crate) use self::trace::TraceArgs;
pub(crate) use self::values::distinct;
use crate::experiments::{Hold, Mix};
use crate::subjects::Subject;

/// Measures reader-writer locks against each other.
///
/// Without a command: a comparison of about a minute and a half, in a few tables, and in words
/// where our lock is ahead and where it is behind. Every run looks at the machine first and
/// verifies, while it measures, that each lock excludes; one that does not ends the run with
/// status 1.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Measure only these, by name, separated by commas; see --list
    #[arg(long, global = true, value_delimiter = ',', value_name = "NAMES", value_parser = values::subject)]
    pub(crate) subjects: Vec<Subject>,

    /// List the subjects and stop
    #[arg(long, global = true)]
    pub(crate) list: bool,

    /// Write every sample to this file
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Show rates of sections, cycles of a pair and times of a wake-up beside those of an earlier
    /// run on this machine, from the file that its --json has written; trace takes no file: it
    /// compares the program without and with our lock
    #[arg(long, global = true, value_name = "FILE", num_args = 0..=1, default_missing_value = WITHOUT_FILE)]
    pub(crate) compare: Option<PathBuf>,

    /// Bind thread n to CPU n, beginning again after the last (the default for latency and delays)
    #[arg(long, global = true, overrides_with = "no_pin")]
    pub(crate) pin: bool,

    /// Leave threads to the scheduler (the default for all others)
    #[arg(long, global = true, overrides_with = "pin")]
    pub(crate) no_pin: bool,

    /// Show the figures of the works that the locks come from (docs/sources.md) beside ours
    #[arg(long, global = true)]
    pub(crate) published: bool,

    /// Show for every experiment how its threads fared and what they cost: sections of the slowest,
    /// the mean and the fastest thread, long waits, context switches, user and system time; plane
    /// lists all its cells instead
    #[arg(long, global = true)]
    pub(crate) pressure: bool,
}

/// The value of --compare where no file is given.
pub(crate) const WITHOUT_FILE: &str = "-";

/// One experiment at its own length.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// What taking and leaving a lock costs when nobody else wants it, in cycles
    ///
    /// Each thread has a lock of its own. Defaults: 1 thread, 0.1 s, 9 rounds, load 0.
    Uncontended {
        #[command(flatten)]
        point: PointArgs,
    },

    /// E1: threads that only try-read and leave one lock (the try-read patch)
    ///
    /// Both forms of our try-read are measured. Defaults: 1,2,4,8 threads, 0.5 s, 5 rounds,
    /// load 10.
    Trylock {
        #[command(flatten)]
        point: PointArgs,

        /// Measure the two forms of our try-read, and peers only if --subjects names them
        #[arg(long)]
        policies: bool,
    },

    /// E2: as many readers as writers on one lock (the whole-queue patch)
    ///
    /// Defaults: 4,8,16,32,64,240 threads, 1 s, 3 rounds, load 10.
    Mixed {
        #[command(flatten)]
        point: PointArgs,

        /// Who reads and who writes
        #[arg(long, value_enum, default_value_t = Mix::Dedicated)]
        mix: Mix,

        /// Say how many reads begin beside another reader, from one sample more
        #[arg(long)]
        together: bool,

        /// Measure our lock before and after the whole-queue patch, as it stood then and as it is
        /// now, and with each other policy turned; peers only if --subjects names them
        #[arg(long)]
        policies: bool,
    },

    /// E3: a mail server that takes the lock for writing dozens of times a message (the anon-vma
    /// report)
    ///
    /// Threads are clients. The report's tweaks are measured too, each off in turn. Defaults: 1, 2
    /// and 4 clients for each CPU, 1 s, 5 rounds, load 0.
    Mail {
        #[command(flatten)]
        point: PointArgs,

        /// Measure our lock with each tweak of the anon-vma report off in turn, and peers only if
        /// --subjects names them
        #[arg(long)]
        policies: bool,
    },

    /// Sections of 0 to 100 µs, and sections that sleep, with up to 16 threads for each CPU
    ///
    /// Half of the threads read and half write; those that sleep inside write, as in the kernel's
    /// test of fairness. Says which locks collapse. Defaults: 1, 2, 4 and 16 threads for each CPU
    /// (those that sleep: 240 besides), 0.2 s, 3 rounds, load 0.
    Holds {
        #[command(flatten)]
        point: PointArgs,

        /// Only these sections, separated by commas
        #[arg(long, value_enum, value_delimiter = ',', value_name = "HOLDS")]
        holds: Vec<Hold>,

        /// Say how many reads begin beside another reader, from one sample more
        #[arg(long)]
        together: bool,
    },

    /// A map of holds, pauses, threads and writes: where our lock is ahead and where behind
    ///
    /// A cell is one hold, one pause between two sections, one number of threads and one share of
    /// writes; each thread writes by a coin. A map shows our rate over that of the best fair peer.
    ///
    /// A peer is not fair in a cell where one of its threads has less than a tenth of the mean
    /// sections, or where reads or writes are less than half of the share that was asked for. (A
    /// sample with fewer than 10 sections of a thread, with less than 10 ms of processor time for
    /// each thread, or with fewer than 20 sections of a kind tells nothing of it.) Each thread has
    /// a coin of its own, so a lock that keeps writers out shows by threads that wait for a write:
    /// by their few sections, and hardly by the share of writes.
    ///
    /// A cell holds if our rate is at least 0.95 × that peer's, or at least 0.8 × at no more than
    /// 0.75 × its processor time a section. It does not hold where our lock is not fair by the same
    /// rule. `together`, the share of reads that begin beside
    /// another reader, is counted in a sample of its own: the count would disturb the other
    /// figures. Defaults: 0.03 s, longer with more than two threads for each CPU, 3 rounds; some
    /// nine minutes.
    Plane {
        #[command(flatten)]
        plane: PlaneArgs,
    },

    /// A load that changes every 100 ms between the plane's corners
    ///
    /// The corners are holds of 50 ns and 10 µs, pauses of 0 and 10 µs, 100 and 1 % writes; each
    /// change from one of these eight to another is met. All threads change at once. A round
    /// measures each corner alone, on a new lock, and then all in turn, on one lock.
    ///
    /// `kept` is the rate under the load that changes, in sections a second, over the mean of the
    /// eight rates alone. It is a ratio, taken in each round. The fast corners decide that mean, so
    /// each corner's rate is compared with its rate alone as well. Defaults: 0.8 s a corner,
    /// 3 rounds; some ten minutes.
    Changes {
        #[command(flatten)]
        changes: ChangesArgs,
    },

    /// A writer leaves, and many readers are asleep behind it
    ///
    /// How long its unlock takes, when the last reader is in, and how many system calls that took.
    /// Threads are readers. Defaults: 16,64,256 readers, 0.3 s, 3 rounds.
    Wakeups {
        #[command(flatten)]
        point: PointArgs,
    },

    /// Readers that scale: one lock, and 0 to 50 % of its sections write
    ///
    /// Says first what a line and membarrier cost here. Our lock is measured as it is, with all
    /// readers counted, and with slots at every chance. Defaults: 1, 2, 4 … threads up to the
    /// number of CPUs, then two and four for each CPU, 0.2 s, 3 rounds, load 0.
    Readers {
        #[command(flatten)]
        readers: ReadersArgs,
    },

    /// The same protocols on a simulated machine: exact counts, and curves up to 1,024 processors
    ///
    /// Rates of simulated machines are right within a factor of two at best; counts are exact. A
    /// table shows the median of the seeds' runs, with half their range in percent. Counts are
    /// given for each operation. See docs/simulator.md.
    Simulate {
        #[command(flatten)]
        simulate: SimulateArgs,
    },

    /// What a program that is not ours waits for: runs it, and reports on its pthread_rwlocks
    ///
    /// The program comes after two dashes: siftlock-bench trace -- openssl speed sha256. With
    /// --compare it runs by turns without and with our lock in place of the C library's, and the
    /// answer is whether that is worth it. --json writes the report, or the comparison, to a file
    /// as well. See docs/trace.md.
    #[cfg(target_os = "linux")]
    Trace {
        #[command(flatten)]
        trace: TraceArgs,
    },

    /// E4: how long a lock keeps interrupts and preemption out (the 2008 lock)
    ///
    /// Each published test, and one with slow readers, for the locks that a signal handler may
    /// read. Threads are pinned unless --no-pin is given, and run under SCHED_FIFO where that is
    /// permitted and there are fewer of them than CPUs. Defaults: 3 rounds, 0.3 s a test, 1.5 s
    /// under high contention.
    #[cfg(target_os = "linux")]
    Latency {
        #[command(flatten)]
        scene: SceneArgs,
    },

    /// E5: how long it takes to get in and out, from each context (the 2008 lock)
    ///
    /// The locks of latency and the peers, as far as they can take part. Threads and defaults as
    /// for latency.
    #[cfg(target_os = "linux")]
    Delays {
        #[command(flatten)]
        scene: SceneArgs,
    },
}

/// Parses the command line. A bad line ends the program.
pub(crate) fn parse() -> Cli {
    // `-1` is a bad number, not another option: the error of its own option says which are good.
    let takes_numbers = |arg: clap::Arg| {
        let takes = arg.get_action().takes_values();
        if takes { arg.allow_negative_numbers(true) } else { arg }
    };
    let mut command = Cli::command().mut_subcommands(|command| command.mut_args(takes_numbers));
    let words = command.get_matches_mut();
    Cli::from_arg_matches(&words).unwrap_or_else(|error| error.format(&mut command).exit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cli_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn cli_takes_lists() {
        let line = ["siftlock-bench", "mixed", "--threads", "4,8,240", "--subjects", "std,usync"];
        let cli = Cli::try_parse_from(line).expect("a good line");
        assert_eq!(cli.subjects, [Subject::Std, Subject::Usync]);
        let Some(Command::Mixed { point, mix, .. }) = cli.command else { panic!("not mixed") };
        assert_eq!((point.threads.as_slice(), mix), ([4, 8, 240].as_slice(), Mix::Dedicated));
    }

    #[test]
    fn cli_lets_the_last_word_on_pinning_win() {
        let pinned = |line: &[&str]| Cli::try_parse_from(line).expect("a good line").pin;
        assert!(pinned(&["siftlock-bench", "--no-pin", "--pin"]));
        assert!(!pinned(&["siftlock-bench", "--pin", "--no-pin"]));
        assert!(!pinned(&["siftlock-bench"]));
    }
}
