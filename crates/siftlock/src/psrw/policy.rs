//! Policies of [`PsRwLock`](super::PsRwLock): in which order writers get the lock.

pub use siftlock_core::psrw::policy::{Standard, Strict};

/// The policies of this module, as a bound for generic code. No other type can be one.
pub trait Policy: siftlock_core::psrw::Policy {}

impl<L: siftlock_core::psrw::Policy> Policy for L {}
