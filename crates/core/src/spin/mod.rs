//! Spinning: the queue of optimistic spinners, and the bounds of all spins.

mod queue;
mod running;

pub(crate) use self::queue::SpinQueue;
pub(crate) use self::running::Running;

use crate::platform::Platform;
use crate::sync::{Watched, spin_while};

/// Looks at a word that its holder is about to change (a list lock, a link of a queue) before the
/// processor is given up. 0.7 to 3 µs, by what a pause takes.
pub(crate) const SHORT_SPIN: u32 = 64;

/// Another thread is about to change the word from `seen`: it takes a moment, or has lost its
/// processor, and is offered ours.
pub(crate) fn wait_a_moment<P: Platform, W: Watched>(word: &W, seen: W::Value) {
    let bound = if P::may_spin() { SHORT_SPIN } else { 0 };
    if spin_while(word, seen, bound) == seen {
        P::yield_now();
    }
}
