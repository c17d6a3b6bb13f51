//! Policies of [`RwSem`](crate::RwSem): in which order threads get the lock, where guards may end,
//! and how readers take it.
//!
//! A policy is a type, so it costs nothing while the program runs. Each one keeps the lock sound.
//!
//! A reader *by slot* notes the lock in a word of its own thread, and touches no line that other
//! threads write. A *counted* reader adds itself to the lock's count, so counted readers share a
//! cache line.
//!
//! | policy | guards | readers | what it is for |
//! | --- | --- | --- | --- |
//! | [`Standard`] | stay in their thread | by slot while that pays | [`RwSem`](crate::RwSem) |
//! | [`Counted`] | may be sent | counted | [`SendRwSem`](crate::SendRwSem) |
//! | [`Noted`] | stay in their thread | by slot while that pays, and may nest | [`NotedRwSem`](crate::NotedRwSem) |
//! | [`NotedCounted`] | stay in their thread | counted, and may nest | upgradable reads inside reads, by `try_upgradable_read` |
//! | [`Classic`], [`Patch10`], [`BeforePatch10`] | may be sent | counted | measurements: the lock as it once was |

pub use siftlock_core::rwsem::policy::{
    BeforePatch10, Classic, Counted, Noted, NotedCounted, Patch10, Standard,
};

/// The policies of this module, as a bound for generic code. Another type becomes a policy if it
/// implements the trait of `siftlock-core`. The constants of that trait may change in any version.
///
/// ```
/// use siftlock::{Policy, RawRwSem, lock_api};
///
/// fn add<L: Policy>(total: &lock_api::RwLock<RawRwSem<L>, u64>, more: u64) {
///     *total.write() += more;
/// }
///
/// let total = siftlock::RwSem::new(1);
/// add(&total, 2);
/// assert_eq!(total.into_inner(), 3);
/// ```
pub trait Policy: siftlock_core::rwsem::Policy {}

impl<L: siftlock_core::rwsem::Policy> Policy for L {}

/// A policy with slots whose guards may be sent does not compile:
/// ```compile_fail,E0080
/// use siftlock_core::rwsem::{Policy, policy::Sendable};
///
/// /// With reads by slot, which are on where nothing else is said.
/// struct SlotsToSend;
/// impl Policy for SlotsToSend {
///     type Guards = Sendable;
/// }
///
/// let lock: siftlock::RawRwSem<SlotsToSend> = siftlock::RawRwSem::new();
/// ```
#[cfg(doctest)]
struct SlotsToSend;
