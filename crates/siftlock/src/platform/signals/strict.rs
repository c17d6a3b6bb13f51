//! Masking by the system's own means. It is there for comparison, and for programs whose raised
//! regions must not be interrupted even for a moment.

use super::{set, table};
use crate::platform::Linux;
use siftlock_core::defer::{Raises, Signals};
use siftlock_core::forward_platform;
use siftlock_core::platform::{Class, Platform, Raised};
use std::cell::Cell;
use std::sync::atomic::{Ordering, compiler_fence};

/// [`Linux`] with masking by `pthread_sigmask`: two system calls for each raised region, whether or
/// not a signal comes.
///
/// `SIGABRT` and signals of faults are not blocked, nor are signals that are registered while a
/// thread is raised. If such a signal comes, it is put off as [`Linux`] does it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strict;

thread_local! {
    /// The classes that were raised here. The thread's `PendingSignals` counts them too, for
    /// signals that cannot be blocked, and for signals that were noted before.
    static RAISES: Cell<Raises> = const { Cell::new(Raises::NONE) };
    /// The signals that were blocked here, and that the program had not blocked.
    static OURS: Cell<Signals> = const { Cell::new(Signals::NONE) };
}

/// Blocks a class before it counts it, and `restore` counts it out before it unblocks it. So a
/// handler that comes between finds no class counted that can still interrupt it.
fn raise(to: Class, held: Raised) -> Raised {
    let before = RAISES.get();
    let mut new = Signals::NONE;
    if before.level() < to {
        let wanted = table::up_to(to).without(set::NEVER_BLOCKED);
        new = wanted.without(set::from(&set::block(wanted)));
    }
    fence();
    RAISES.set(before.and(Raises::once(to)));
    OURS.set(OURS.get().and(new));
    fence();
    super::raise(to, held)
}

fn restore(held: Raised) {
    fence();
    let after = RAISES.get().without(Raises::from_bits(held.state()));
    let done = OURS.get().within(table::above(after.level()));
    OURS.set(OURS.get().without(done));
    fence();
    RAISES.set(after);
    fence();
    // Noted signals are sent once more, and come when they are unblocked.
    super::restore(held);
    if !done.is_empty() {
        set::unblock(done);
        // A noted signal that could not be sent can be handled only now.
        super::restore(Raised::NOTHING);
    }
}

/// Between a thread and its handlers.
fn fence() {
    // SeqCst, the one order that also keeps a store before a later load. The partner is a handler.
    compiler_fence(Ordering::SeqCst);
}

// SAFETY: as `Linux`.
unsafe impl Platform for Strict {
    forward_platform!(Linux: records, sleep, wake, bias, time, processors);

    fn raise(to: Class, held: Raised) -> Raised {
        raise(to, held)
    }

    fn restore(held: Raised) {
        restore(held);
    }

    #[track_caller]
    fn level() -> Class {
        super::level_of_waiter()
    }

    #[cold]
    #[track_caller]
    fn misused(why: std::fmt::Arguments<'_>) -> ! {
        super::misused(why)
    }
}
