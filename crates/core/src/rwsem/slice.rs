//! The time slice of a writer. A writer that loses its processor inside keeps everybody waiting for as
//! long as it takes to get another. With [`Policy::EXTEND_SLICE`] it asks the system to put that off for
//! a moment, and gives the processor up as soon as it is out. Without it nothing of this is in the
//! machine code.
//!
//! # When it asks
//! * **Before the step** that may get it in, and if that fails it takes the request back: an interrupt
//!   that arrives during the step is taken right behind it, and under contention a step lasts as long as
//!   a cache line travels. A request after the step would come too late for it.
//! * **Not while it waits.** A spinner that is let run on may keep the owner from a processor, and the
//!   system forgets the request of a thread that sleeps. So who gets in from the queue asks right after:
//!   it has just been given a processor, and a time slice with it.
//! * **Not while it drains** the lock: system calls end a slice that was granted. It asks once more when
//!   no reader is left.
//!
//! # When it gives it back
//! After the releasing step and the call to whom that names: all who wait for this thread to let go
//! come before it does. Only the thread's own memory is touched (rule U). (If there is a call to be
//! made the system takes the processor at that call.) A downgrade is such a step as well: nobody waits
//! for a reader more than for other readers.
//!
//! The request is no count: a thread with two locks gives it back with the first that it releases, and
//! one that hands its guard to another thread keeps its request until it releases some other lock, or
//! the system has granted it, once. Too little or too much of a hint, and never more than a hint.

use super::Policy;
use crate::platform::Platform;
use crate::sync::mutated;

/// A step that may let a writer in. Asks before it.
#[inline]
pub(super) fn asked<P: Platform, L: Policy, E>(
    step: impl FnOnce() -> Result<(), E>,
) -> Result<(), E> {
    ask::<P, L>();
    let done = step();
    if done.is_err() && !mutated!(SliceKeptByLoser) {
        give_back::<P, L>();
    }
    done
}

/// The caller is about to get in, or has just got in.
#[inline]
pub(super) fn ask<P: Platform, L: Policy>() {
    if L::EXTEND_SLICE {
        P::request_slice();
    }
}

/// The caller is out, or stays out.
#[inline]
pub(super) fn give_back<P: Platform, L: Policy>() {
    if L::EXTEND_SLICE {
        P::withdraw_slice();
    }
}
