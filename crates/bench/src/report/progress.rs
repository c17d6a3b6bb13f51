//! How far a run has come, on the standard error where that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::say;
use crate::subjects::Subject;

/// A bar that moves by measured time. It draws between samples only: nothing of it runs while
/// something is measured.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar over this much measuring time.
    pub(crate) fn over(takes: Duration) -> Self {
        let bar = ProgressBar::new(millis(takes));
        let template = "{bar:24} {percent:>3} %  {msg}  (about {eta} left)";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Says what is measured next.
    pub(crate) fn begin(
        &self,
        experiment: &str,
        point: impl std::fmt::Display,
        subject: Subject,
        round: usize,
        rounds: usize,
    ) {
        let (name, round) = (subject.name(), round + 1);
        self.0.set_message(format!("{experiment} · {point} · {name} · round {round}/{rounds}"));
    }

    /// Says that a sample of this length is done.
    pub(crate) fn end(&self, window: Duration) {
        self.0.inc(millis(window));
    }

    /// Prints above the bar.
    pub(crate) fn say(&self, text: &str) {
        self.0.suspend(|| say(text));
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// A bar over this many steps of any length.
pub(crate) struct Steps(ProgressBar);

impl Steps {
    /// No step is done.
    pub(crate) fn of(number: usize) -> Self {
        let bar = ProgressBar::new(number as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len}  {msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Says what comes next.
    pub(crate) fn begin(&self, what: String) {
        self.0.set_message(what);
        self.0.tick();
    }

    /// One more step is done.
    pub(crate) fn end(&self) {
        self.0.inc(1);
    }

    /// Prints above the bar.
    pub(crate) fn say(&self, text: &str) {
        self.0.suspend(|| say(text));
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The bar's unit.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
