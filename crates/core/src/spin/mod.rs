//! Spinning: the queue of optimistic spinners, and the bounds of all spins.

mod queue;
mod running;

pub(crate) use self::queue::SpinQueue;
pub(crate) use self::running::Running;

use crate::platform::Platform;
use crate::sync::{Watched, spin_while};

/// The looks at a word that its holder is about to change (a list lock, a link of a queue) before
/// the caller gives up its processor. 0.7 to 3 µs, depending on the pause.
pub(crate) const SHORT_SPIN: u32 = 64;

/// Waits a moment for another thread, which is about to change the word from `seen`. If the word
/// stays, yields the processor: the other thread may have lost its own.
pub(crate) fn wait_a_moment<P: Platform, W: Watched>(word: &W, seen: W::Value) {
    let bound = if P::may_spin() { SHORT_SPIN } else { 0 };
    if spin_while(word, seen, bound) == seen {
        P::yield_now();
    }
}
