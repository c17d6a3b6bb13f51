//! Debug builds know in which handler the calling code runs, so that a wait that cannot end is reported.
//!
//! A handler that leaves by `longjmp` does not say so. But then the signals that it masked are no longer
//! blocked.

use super::set;
use super::table::{self, Event};
use siftlock_core::defer::{Signal, Signals};
use siftlock_core::platform::Class;
use std::cell::Cell;

#[derive(Clone, Copy, Debug)]
struct Handling {
    signal: Signal,
    class: Class,
    interrupted: Class,
}

thread_local! {
    /// As `DESK`.
    static HANDLING: Cell<Option<Handling>> = const { Cell::new(None) };
}

/// Calls `handler`, which handles `event` at `class`.
pub(super) fn during(event: &Event<'_>, class: Class, handler: impl FnOnce()) {
    let (signal, interrupted) = (event.signal, event.interrupted);
    let before = HANDLING.replace(Some(Handling { signal, class, interrupted }));
    handler();
    HANDLING.set(before);
}

/// The handler that the calling code runs in, if any.
fn current() -> Option<Handling> {
    let now = HANDLING.get()?;
    let masked = table::up_to(now.class).without(set::NEVER_BLOCKED).and(Signals::of(now.signal));
    if !masked.without(set::now()).is_empty() {
        HANDLING.set(None);
    }
    HANDLING.get()
}

/// Whether the calling code runs in a handler that the system has called.
pub(super) fn is_handling() -> bool {
    current().is_some()
}

/// The level of the calling code on a thread that was raised to `level`, since the code may be in a handler.
/// A lock that is about to wait asks for it.
///
/// Ends the process in the handler of a fault, on a thread that was raised to the handler's class.
#[track_caller]
pub(super) fn level_of_waiter(level: Class) -> Class {
    let Some(Handling { signal, class, interrupted }) = current() else { return level };
    if interrupted >= class {
        super::abort(format_args!(
            "the handler of signal {} interrupted this thread where no {class:?} handler is \
             expected, perhaps inside a write: use the try forms of the lock there. (A fault? Or a \
             handler that unblocks its own signal?)",
            signal.number()
        ));
    }
    level.max(class)
}
