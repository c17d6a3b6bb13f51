//! Reports: when they are made, and what becomes of them.

mod figures;
mod folded;
mod gather;
mod names;
mod on_signal;
mod output;
mod text;
mod words;
mod writing;

use self::output::Target;
use self::writing::tell;
use crate::registry::Signals;
use crate::settings;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where reports go: decided at the start. A forked child's go beside its parent's.
///
/// A report is made under this mutex. A thread that also needs the registry's mutex takes that one
/// second.
static TARGETS: Mutex<Vec<Target>> = Mutex::new(Vec::new());

/// While this lives, no report is made.
pub(crate) struct NoReport(MutexGuard<'static, Vec<Target>>);

impl NoReport {
    /// Waits for a report that is being made.
    pub(crate) fn begin() -> Self {
        Self(TARGETS.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Decides where reports go, and listens for a signal that asks for one.
pub(crate) fn prepare() {
    *NoReport::begin().0 = settings::outputs().into_iter().map(Target::new).collect();
    on_signal::listen();
}

/// Leads a forked child's reports to places of their own.
pub(crate) fn in_child(mut no_report: NoReport) {
    no_report.0.iter_mut().for_each(Target::inherit);
}

/// Makes the report at the end of the program.
pub(crate) fn at_exit() {
    make();
}

/// Makes a report, and writes it to every target. An error goes to the standard error, and the
/// program goes on.
fn make() {
    // A handler of the program could use a lock while this thread has the registry.
    let _signals = Signals::block();
    let mut no_other = NoReport::begin();
    let report = gather::report();
    for target in &mut *no_other.0 {
        if let Err(error) = target.write(&report) {
            tell(&error);
        }
    }
}
