//! What can go wrong, in words that say what to do.

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

    /// The file to compare with is not one of results.
    #[error("cannot compare with {}: {why}; name a file that --json has written", path.display())]
    NotResults { path: PathBuf, why: String },

    /// The file to compare with comes from elsewhere.
    #[error(
        "{} comes from another machine ({theirs}; this is {ours}), whose figures say nothing beside these; measure \
         both here",
        path.display()
    )]
    OtherMachine { path: PathBuf, theirs: String, ours: String },

    /// The tests that were named belong to another experiment.
    #[cfg(target_os = "linux")]
    #[error("{experiment} has none of these tests; it has {has}")]
    NoSuchTest { experiment: &'static str, has: String },

    /// An option that the simulated experiment does not have.
    #[error("simulate {experiment} has no {option}; {instead}")]
    NotSimulated { experiment: String, option: &'static str, instead: String },

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

    /// The system does not say which processors there are.
    #[error("threads cannot be pinned on this system; leave --pin out")]
    NoPinning,
}

impl Error {
    /// 1 where a measurement failed, 2 (as for arguments) where it could not begin.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Sample { .. } | Self::Simulation(_) => ExitCode::from(1),
            Self::Unwritable { .. }
            | Self::NotResults { .. }
            | Self::OtherMachine { .. }
            | Self::NoPinning
            | Self::NotSimulated { .. }
            | Self::TooFewProcessors { .. } => ExitCode::from(2),
            #[cfg(target_os = "linux")]
            Self::NoSuchTest { .. } => ExitCode::from(2),
        }
    }
}
