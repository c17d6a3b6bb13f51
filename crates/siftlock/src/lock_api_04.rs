//! The lock under `lock_api` 0.4, which much of the ecosystem still uses: the same [`RawRwSem`]
//! with that version's wrapper and guards.
//!
//! That version has no place for the token that releases a read by slot. A policy whose guards stay
//! in their thread needs no token: the unlock looks for the hold in the thread's own record.
//!
//! [`RwSem`] here has the policy [`Counted`]: every reader is counted, and guards may be sent.
//! **Keep this policy for a crate that sends guards against their marker.** dashmap 6 does: its
//! iterators hold guards, and it declares them `Send`. For your own guards, and for reads that
//! scale or nest, choose another policy:
//!
//! ```
//! use siftlock::lock_api_04::lock_api;
//! use siftlock::{RawRwSem, policy};
//!
//! // Nested plain reads, see `policy::Noted`.
//! let lock = lock_api::RwLock::<RawRwSem<policy::Noted>, _>::new(5);
//! let (outer, inner) = (lock.read(), lock.read());
//! assert_eq!(*outer, *inner);
//! ```
//!
//! ```compile_fail,E0277
//! use siftlock::lock_api_04::lock_api;
//! use siftlock::{RawRwSem, policy};
//!
//! let lock = lock_api::RwLock::<RawRwSem<policy::Noted>, _>::new(5);
//! let guard = lock.read();
//! std::thread::scope(|s| {
//!     s.spawn(move || drop(guard));
//! });
//! ```
//!
//! If `unsafe` code sends such a guard all the same, its unlock panics if no thread reads.
//! Otherwise it takes the share of another reader.
//!
//! Recursive reads are methods of the wrapper here. The [crate's documentation](crate) says when a
//! plain nested read deadlocks, and all else.
//!
//! ```
//! use siftlock::lock_api_04::RwSem;
//!
//! let lock = RwSem::new(5);
//! let outer = lock.read();
//! let inner = lock.read_recursive();
//! assert_eq!(*outer, *inner);
//! ```

use crate::RawRwSem;
use crate::policy::Counted;

pub use ::lock_api_04 as lock_api;

/// A value that many threads read, or one writes; see [`crate::SendRwSem`].
///
/// ```
/// let lock = siftlock::lock_api_04::RwSem::new(5);
/// let guard = lock.read();
/// std::thread::scope(|s| {
///     s.spawn(move || assert_eq!(*guard, 5));
/// });
/// ```
pub type RwSem<T> = lock_api::RwLock<RawRwSem<Counted>, T>;

crate::rwsem::guards! {
    lock_api, RawRwSem<Counted>, RwSem: RwSemReadGuard, RwSemWriteGuard, RwSemUpgradableReadGuard,
    MappedRwSemReadGuard, MappedRwSemWriteGuard,
    ArcRwSemReadGuard, ArcRwSemWriteGuard, ArcRwSemUpgradableReadGuard
}
