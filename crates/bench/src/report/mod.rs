//! The program's output: the head of a run, tables, words, progress, files.
//!
//! Each experiment has a file with its tables and its words ([`uncontended`], [`trylock`],
//! [`mixed`], [`mail`], [`holds`], [`plane`], [`changes`], [`wakeups`]); their common parts are
//! beside them ([`grid`], [`rates`], [`standing`], [`numbers`]). No sentence about which lock is
//! ahead is written here: all are made from the results.

pub(crate) mod changes;
mod columns;
mod compared;
mod document;
mod grid;
mod header;
pub(crate) mod holds;
pub(crate) mod mail;
pub(crate) mod mixed;
mod numbers;
pub(crate) mod plane;
pub(crate) mod pressure;
mod progress;
pub(crate) mod published;
mod rates;
pub(crate) mod readers;
#[cfg(target_os = "linux")]
pub(crate) mod revocation;
#[cfg(target_os = "linux")]
pub(crate) mod scenes;
mod standing;
mod together;
pub(crate) mod trylock;
pub(crate) mod uncontended;
pub(crate) mod wakeups;

use std::io::{self, Write};
use std::sync::OnceLock;

use crate::error::Error;
use crate::machine::{Disturbance, Sharing};

pub(crate) use self::compared::Earlier;
pub(crate) use self::document::{Document, JsonFile, rows};
pub(crate) use self::grid::Grid;
pub(crate) use self::header::{header, outlook, program, roster};
pub(crate) use self::numbers::{figure, or_none, percent, threads};
pub(crate) use self::progress::{Progress, Steps};
pub(crate) use self::together::together;

/// How much a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// One table for the experiment.
    Brief,
    /// One more for each number of threads.
    Full,
}

/// Output besides the usual tables, where it is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extras {
    /// The sources' own figures.
    pub(crate) published: bool,
    /// How the threads fared, and what they cost.
    pub(crate) pressure: bool,
}

/// A share of the processors beyond which other programs spoil the figures.
const DISTURBED_FROM: f64 = 0.1;

/// The first error of printing.
static UNSAID: OnceLock<io::Error> = OnceLock::new();

/// Prints to the standard output. The program goes on if it cannot: there may be a file of results
/// to write.
pub(crate) fn say(text: &str) {
    if let Err(error) = writeln!(io::stdout().lock(), "{text}") {
        let _ = UNSAID.set(error);
    }
}

/// Whether all that was said could be printed. A reader that has gone away (`| head`) is no error.
pub(crate) fn all_said() -> Result<(), Error> {
    match UNSAID.get() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::Unprintable(error.to_string()))
        }
        _ => Ok(()),
    }
}

/// A warning if other programs had so much of the processors that the figures say little.
pub(crate) fn disturbed(others: Option<Disturbance>) -> Option<String> {
    let Disturbance { busy, processors } = others?;
    (busy > DISTURBED_FROM * processors as f64).then(|| {
        format!(
            "\nNOTE     other programs, or the host, kept {busy:.1} of {processors} CPUs busy meanwhile, \
             so the figures say little: repeat them when nothing else runs"
        )
    })
}

/// The words below the tables, as a list; nothing if there is nothing to say.
pub(crate) fn in_words(words: &[String], sharing: Sharing) -> String {
    if words.is_empty() {
        return String::new();
    }
    let mut lines: Vec<String> = words.iter().map(|line| format!("- {line}")).collect();
    if sharing != Sharing::Cores {
        lines.push("- What more than one thread did cannot be judged on this machine.".to_owned());
    }
    format!("\nIn words (medians; what is within 5 % is level)\n{}", lines.join("\n"))
}
