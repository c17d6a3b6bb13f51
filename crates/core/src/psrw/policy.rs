//! Policies: in which order waiters come in, as constants that the compiler folds. Every policy
//! keeps the invariants.

/// The choices of one lock type.
pub trait Policy: 'static {
    /// A writer that finds no other writer begins past the waiters, until the first waiter has
    /// reserved the lock for itself.
    const STEAL: bool = true;

    /// A Thread that would sleep waits awake first, for some microseconds, where two threads can
    /// run at once. Most sections are shorter than a sleep and its end.
    const SPIN: bool = true;

    /// Nanoseconds at the head of the queue after which a waiter reserves the lock for itself, as
    /// in the kernel's rwsem (`docs/sources.md`).
    const HANDOFF_AFTER: u64 = 4_000_000;
}

/// The usual policy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

impl Policy for Standard {}

/// Writers take their turns in the order in which they came.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strict;

impl Policy for Strict {
    const STEAL: bool = false;
}
