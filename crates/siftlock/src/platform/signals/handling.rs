//! Debug builds know in which handler the calling code runs, so that a wait that cannot end is
//! reported.
//!
//! A handler that leaves by `longjmp` does not say so. It has left if a signal that it blocks is no
//! longer blocked, or if the caller's stack does not reach down to it. Not noticed are
//! * a wait in a handler that has unblocked its own signal, or has changed to a stack at higher
//!   addresses;
//! * a wait in a handler that is not registered.
//!
//! After a handler has left by `longjmp`, a wait that could end may be reported as well. That
//! happens if its signals are blocked for another reason. Also, it must have run on an alternate
//! stack, or the caller's stack must reach as deep as the handler's did.

use super::set;
use super::table::{self, Event};
use siftlock_core::defer::{Signal, Signals};
use siftlock_core::platform::Class;
use std::cell::Cell;
use std::ptr;

#[derive(Clone, Copy, Debug)]
struct Handling {
    signal: Signal,
    class: Class,
    interrupted: Class,
    /// Where the thread's stack was when it began.
    stack: usize,
}

impl Handling {
    /// Whether it still runs, on a thread that blocks `blocked`. The handlers above it have left.
    fn runs(&self, blocked: Signals) -> bool {
        let masked =
            table::up_to(self.class).without(set::NEVER_BLOCKED).and(Signals::of(self.signal));
        masked.without(blocked).is_empty() && stack() <= self.stack
    }
}

/// So many handlers of a thread that interrupt each other are known: one of each class, and those
/// of two faults. If there are more, the lowest are forgotten.
const KNOWN: usize = 4;

/// The last is the one on top. None is below a place that is empty.
type Known = [Option<Handling>; KNOWN];

thread_local! {
    /// In the order of [`Known`]. Like `Mine::pending`, no handler finds it unmade or gone.
    static HANDLING: [Cell<Option<Handling>>; KNOWN] = const { [const { Cell::new(None) }; KNOWN] };
}

/// Calls `handler`, which handles `event` at `class`. Ends the process if it leaves the thread
/// raised, and its signals put off for ever, or lowers what it interrupted.
pub(super) fn during(event: &Event<'_>, class: Class, handler: impl FnOnce()) {
    let (signal, interrupted) = (event.signal, event.interrupted);
    let begun = Handling { signal, class, interrupted, stack: stack() };
    let before = push(begun);
    let raises = super::raises();
    handler();
    put_back(&before);
    if super::raises() != raises {
        super::abort(format_args!(
            "the handler of signal {} has left a guard or a Masked behind, or dropped one of the code \
             that it interrupted: a handler drops what it takes, and nothing else",
            signal.number()
        ));
    }
}

// The handler may run on an alternate stack of a few KiB, and debug builds are not optimised. So
// these are plain loops: an iterator's adapters take hundreds of bytes each here.

/// Puts a handler on top. Returns what was known before.
fn push(begun: Handling) -> Known {
    HANDLING.with(|known| {
        let mut before = [None; KNOWN];
        let mut place = 0;
        while place < KNOWN {
            before[place] = known[place].get();
            let above = if place + 1 < KNOWN { known[place + 1].get() } else { Some(begun) };
            known[place].set(above);
            place += 1;
        }
        before
    })
}

fn put_back(before: &Known) {
    HANDLING.with(|known| {
        let mut place = 0;
        while place < KNOWN {
            known[place].set(before[place]);
            place += 1;
        }
    });
}

/// An address on the stack, in the caller's frame or below.
#[inline(never)]
fn stack() -> usize {
    let here = 0_u8;
    ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// The handler that the calling code runs in, if any.
fn current() -> Option<Handling> {
    HANDLING.with(|known| known[KNOWN - 1].get())?;
    let blocked = set::now();
    HANDLING.with(|known| {
        let mut place = KNOWN;
        while place > 0 {
            place -= 1;
            let handling = known[place].get()?;
            if handling.runs(blocked) {
                return Some(handling);
            }
        }
        None
    })
}

/// Whether the calling code runs in a handler that the system has called.
pub(super) fn is_handling() -> bool {
    current().is_some()
}

/// The level of the calling code on a thread that was raised to `level`, since the code may be in a
/// handler. A lock that is about to wait asks for it.
///
/// Ends the process in the handler of a fault, on a thread that was raised to the handler's class.
#[track_caller]
pub(super) fn level_of_waiter(level: Class) -> Class {
    let Some(Handling { signal, class, interrupted, .. }) = current() else { return level };
    if interrupted >= class {
        super::abort(format_args!(
            "the handler of signal {} interrupted this thread where no {class:?} handler is \
             expected, perhaps inside a write: use try_read_at or try_write_at there. (A fault? Or a \
             handler that unblocks its own signal?)",
            signal.number()
        ));
    }
    level.max(class)
}
