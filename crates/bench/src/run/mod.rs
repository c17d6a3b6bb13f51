//! How measurements are carried out, whatever they measure.
//!
//! A [`session()`] goes through the points (numbers of threads), the rounds and the subjects, and
//! interleaves the subjects: A B C, then B C A. Each sample gets a new [`Arena`] (lock and ward)
//! and a new [`Crew`] of threads.

mod arena;
mod crew;
#[cfg(target_os = "linux")]
mod scenes;
mod session;
mod signal;

use thiserror::Error;

pub(crate) use self::arena::{Arena, Instances};
pub(crate) use self::crew::{Crew, Shift};
#[cfg(target_os = "linux")]
pub(crate) use self::scenes::{ScenePlan, scenes};
pub(crate) use self::session::{Plan, session, sessions};
pub(crate) use self::signal::{Phase, Signal, Span};
use crate::verify::Violation;

/// Why a sample could not be taken.
#[derive(Debug, Error)]
pub(crate) enum Fault {
    /// The lock does not exclude.
    #[error("does not exclude: {0}; no figure of it means anything")]
    Broken(#[from] Violation),
    /// Threads did not come back.
    #[error("is stuck: {missing} of its threads have not returned {after} s after the end")]
    Stuck { missing: usize, after: u64 },
    /// A thread ended by a panic.
    #[error("made a thread panic")]
    Panicked,
    /// The system has no thread left.
    #[error("could not be run: thread {seat} does not start ({source}); ask for fewer threads")]
    NoThread { seat: usize, source: std::io::Error },
    /// Threads cannot be interrupted by a timer.
    #[cfg(target_os = "linux")]
    #[error("could not be run: no handler can be set up or no timer started ({why})")]
    NoInterrupts { why: String },
}
