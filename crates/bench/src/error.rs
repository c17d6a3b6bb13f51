//! The program's errors. Each message says what the user can do.

use std::path::PathBuf;
use std::process::ExitCode;

use thiserror::Error;

use crate::run::Fault;
use crate::subjects::Subject;

/// Why the program ends without a result.
#[derive(Debug, Error)]
pub(crate) enum Error {
    /// A sample could not be taken, or showed that its lock is broken.
    #[error("{} {fault} ({experiment}, {threads} thread(s))", subject.name())]
    Sample { subject: Subject, experiment: &'static str, threads: usize, fault: Fault },

    /// The file for the results cannot be written.
    #[error("cannot write {}: {source}; name a file in a directory that exists and is yours", path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },

    /// The file for the results did not take all of them.
    #[error(
        "cannot write all results to {}: {source}; make room there, or name another file, and \
         measure again",
        path.display()
    )]
    Unwritten { path: PathBuf, source: std::io::Error },

    /// The standard output takes nothing more.
    #[error("cannot print: {0}; send the standard output elsewhere")]
    Unprintable(String),

    /// The file to compare with holds no results.
    #[error("cannot compare with {}: {why}; name a file that --json has written", path.display())]
    NotResults { path: PathBuf, why: String },

    /// Only trace compares without a file.
    #[error("--compare needs a file that --json has written on this machine: --compare FILE")]
    NoFileToCompare,

    /// The file to compare with comes from elsewhere.
    #[error(
        "{} comes from another machine ({theirs}; this is {ours}), whose figures say nothing beside these; measure \
         both here",
        path.display()
    )]
    OtherMachine { path: PathBuf, theirs: String, ours: String },

    /// The file to compare with has figures of another experiment, or of another load.
    #[error(
        "{} has figures of {theirs}, and this is {ours}: they say nothing beside each other; name a file of the same \
         experiment and load",
        path.display()
    )]
    OtherLoad { path: PathBuf, theirs: String, ours: String },

    /// A test that was named belongs to another experiment.
    #[cfg(target_os = "linux")]
    #[error("{experiment} has no test {test}; it has {has}")]
    NoSuchTest { experiment: &'static str, test: String, has: String },

    /// No subject that was named takes part.
    #[error(
        "none of these subjects takes part in {experiment}; leave --subjects out to see who does"
    )]
    NobodyTakesPart { experiment: &'static str },

    /// An option that the experiment would ignore.
    #[error("{command} has no {option}; {instead}")]
    NoSuchOption { command: String, option: String, instead: String },

    /// A simulated machine that cannot hold the experiment.
    #[error(
        "simulate {experiment} needs {needs} processors, and {machine} with topology {topology} \
         has {has}; choose another --machine, or a --topology like 1x{needs}x1"
    )]
    TooFewProcessors {
        experiment: String,
        machine: &'static str,
        topology: String,
        needs: usize,
        has: usize,
    },

    /// A simulated run did not end, or showed that its lock is broken.
    #[error("simulated: {0}")]
    Simulation(String),

    /// A word that follows --compare was taken for a file.
    #[cfg(target_os = "linux")]
    #[error("--compare {} is no program; put two dashes before it: trace --compare -- PROGRAM", .0.display())]
    NoDashes(PathBuf),

    /// An option that only the measured experiments have.
    #[cfg(target_os = "linux")]
    #[error("trace has no {0}: it measures a program, not the subjects; leave it out")]
    NotTraced(&'static str),

    /// An option that says how to trace, beside --compare.
    #[cfg(target_os = "linux")]
    #[error("--compare measures the program without tracing it; leave {0} out, or --compare")]
    NoReportCompared(&'static str),

    /// --rounds without --compare: the program runs only once.
    #[cfg(target_os = "linux")]
    #[error(
        "--rounds says how often --compare runs the program; add --compare, or leave --rounds out"
    )]
    NothingToRepeat,

    /// The file's ending would give the report another form than asked for.
    #[cfg(target_os = "linux")]
    #[error("{} must end with .{ending}: the tracer chooses a report's form by that", path.display())]
    OtherEnding { path: PathBuf, ending: &'static str },

    /// A path that cannot stand in a list of paths.
    #[cfg(target_os = "linux")]
    #[error(
        "a path with a colon in it cannot be given to the loader or the tracer; rename the folder"
    )]
    ColonInPath,

    /// There is no such program.
    #[cfg(target_os = "linux")]
    #[error(
        "{program} is not there, or is no program that you may run; give its path, or a name that is in PATH"
    )]
    NoProgram { program: String },

    /// The system does not run the program.
    #[cfg(target_os = "linux")]
    #[error("{program} does not start: {source}")]
    NoStart { program: String, source: std::io::Error },

    /// The program is linked statically: the loader cannot put a library under it.
    #[cfg(target_os = "linux")]
    #[error(
        "{program} is linked statically, so no library can be put under it; link it dynamically"
    )]
    Static { program: String },

    /// The tracer, or the lock, is not there.
    #[cfg(target_os = "linux")]
    #[error(
        "there is no {file}: {why}; build it in a clone by `cargo build --package {package} --profile preload`, and \
         name its folder by --libraries"
    )]
    NoLibrary { file: &'static str, package: &'static str, why: String },

    /// The system has no room for a report.
    #[cfg(target_os = "linux")]
    #[error("no folder for the report can be made: {0}; set TMPDIR to one that is yours")]
    NoFolder(std::io::Error),

    /// The program ended before the tracer could report.
    #[cfg(target_os = "linux")]
    #[error(
        "{program} left no report ({ended}): a signal or _exit has ended it, or it runs with other rights than yours \
         (setuid); to have a report while it runs, see SIFTLOCK_REPORT_SIGNAL in docs/trace.md"
    )]
    NoReport { program: String, ended: String },

    /// The program that was traced failed.
    #[cfg(target_os = "linux")]
    #[error("{program} failed: {ended}")]
    ProgramFailed { program: String, ended: std::process::ExitStatus },

    /// The cost of a failing program says nothing.
    #[cfg(target_os = "linux")]
    #[error("{program} failed ({ended}): --compare needs runs that end with status 0")]
    NotComparable { program: String, ended: std::process::ExitStatus },

    /// The system does not say which processors there are.
    #[error("threads cannot be pinned on this system; leave --pin out")]
    NoPinning,
}

impl Error {
    /// The exit status: 1 where a measurement failed, or its tables are lost; 2, as for wrong
    /// arguments, where no measurement could begin. A program that failed gives its own status.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Sample { .. }
            | Self::Simulation(_)
            | Self::Unprintable(_)
            | Self::Unwritten { .. } => ExitCode::from(1),
            Self::Unwritable { .. }
            | Self::NotResults { .. }
            | Self::OtherMachine { .. }
            | Self::OtherLoad { .. }
            | Self::NoFileToCompare
            | Self::NoPinning
            | Self::NobodyTakesPart { .. }
            | Self::NoSuchOption { .. }
            | Self::TooFewProcessors { .. } => ExitCode::from(2),
            #[cfg(target_os = "linux")]
            Self::NoSuchTest { .. } => ExitCode::from(2),
            #[cfg(target_os = "linux")]
            Self::NoReport { .. } | Self::NoStart { .. } => ExitCode::from(1),
            // The program's own status, as a shell reports it.
            #[cfg(target_os = "linux")]
            Self::ProgramFailed { ended, .. } | Self::NotComparable { ended, .. } => {
                use std::os::unix::process::ExitStatusExt;
                let signal = ended.signal().map(|signal| 128 + signal);
                let code = ended.code().or(signal).and_then(|code| u8::try_from(code).ok());
                ExitCode::from(code.unwrap_or(1))
            }
            #[cfg(target_os = "linux")]
            Self::NoDashes(_)
            | Self::NotTraced(_)
            | Self::NoReportCompared(_)
            | Self::NothingToRepeat
            | Self::OtherEnding { .. }
            | Self::ColonInPath
            | Self::NoProgram { .. }
            | Self::Static { .. }
            | Self::NoLibrary { .. }
            | Self::NoFolder(_) => ExitCode::from(2),
        }
    }
}
