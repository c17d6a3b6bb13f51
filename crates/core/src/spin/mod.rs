//! Spinning: the queue of optimistic spinners, and the bounds of all spins.

mod queue;
mod running;

pub(crate) use self::queue::SpinQueue;
pub(crate) use self::running::Running;

/// Looks at a word that its holder is about to change (a list lock, a link of a queue) before the
/// processor is given up. 0.7 to 3 µs, by what a pause takes.
pub(crate) const SHORT_SPIN: u32 = 64;
