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
static TARGET: Mutex<Option<Target>> = Mutex::new(None);

/// Decides where reports go, and listens for a signal that asks for one.
pub(crate) fn prepare() {
    set_target(false);
    on_signal::listen();
}

/// A forked child's reports do not take the place of its parent's.
pub(crate) fn in_child() {
    set_target(true);
    on_signal::listen();
}

fn set_target(is_child: bool) {
    let target = settings::output().map(|output| Target::new(output, is_child));
    *TARGET.lock().unwrap_or_else(PoisonError::into_inner) = target;
}

/// The program ends.
pub(crate) fn at_exit() {
    make();
}

/// Makes a report, and writes it. The program is told if that fails: it goes on.
fn make() {
    // A handler of the program could use a lock while this thread has the registry.
    let _signals = Signals::block();
    let mut target = TARGET.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(target) = target.as_mut() else { return };
    let report = gather::report();
    if let Err(error) = target.write(&report) {
        eprintln!("siftlock: {error}");
    }
}
