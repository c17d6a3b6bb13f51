//! Reports: when they are made, and what becomes of them.

mod figures;
mod folded;
mod gather;
mod names;
mod on_signal;
mod output;
mod text;
mod words;

use self::output::Target;
use crate::registry::Signals;
use crate::settings;
use std::sync::{Mutex, PoisonError};

/// Where reports go: decided at the start, and again in a forked child.
static TARGETS: Mutex<Vec<Target>> = Mutex::new(Vec::new());

/// Decides where reports go, and listens for a signal that asks for one.
pub(crate) fn prepare() {
    set_targets(false);
    on_signal::listen();
}

/// A forked child's reports do not take the place of its parent's.
pub(crate) fn in_child() {
    set_targets(true);
    on_signal::listen();
}

fn set_targets(is_child: bool) {
    let outputs = settings::outputs().into_iter();
    let targets = outputs.map(|output| Target::new(output, is_child)).collect();
    *TARGETS.lock().unwrap_or_else(PoisonError::into_inner) = targets;
}

/// The program ends.
pub(crate) fn at_exit() {
    make();
}

/// Makes a report, and writes it everywhere. The user is told if that fails, and the program goes on.
fn make() {
    // A handler of the program could use a lock while this thread has the registry.
    let _signals = Signals::block();
    let mut targets = TARGETS.lock().unwrap_or_else(PoisonError::into_inner);
    let report = gather::report();
    for target in &mut *targets {
        if let Err(error) = target.write(&report) {
            eprintln!("siftlock: {error}");
        }
    }
}
