//! Policies of [`PsRwLock`](super::PsRwLock): in which order writers get the lock.

pub use siftlock_core::psrw::policy::{Standard, Strict};

/// The policies of this module, as a bound for generic code. Another type becomes a policy if it
/// implements the trait of `siftlock-core`. The constants of that trait may change in any version.
pub trait Policy: siftlock_core::psrw::Policy {}

impl<L: siftlock_core::psrw::Policy> Policy for L {}
