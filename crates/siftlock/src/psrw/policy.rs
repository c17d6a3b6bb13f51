//! Policies of [`PsRwLock`](super::PsRwLock): in which order writers get the lock.

pub use siftlock_core::psrw::policy::{Standard, Strict};

/// The policies of this module, as a bound for generic code. Other types become one by the trait of
/// `siftlock-core`, whose constants may change in any version.
pub trait Policy: siftlock_core::psrw::Policy {}

impl<L: siftlock_core::psrw::Policy> Policy for L {}
