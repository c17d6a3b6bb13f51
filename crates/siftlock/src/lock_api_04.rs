//! The lock under `lock_api` 0.4, which much of the ecosystem still uses: the same [`RawRwSem`]
//! with that version's wrapper and guards.
//!
//! That version has no place for the token by which a read without an atomic step is released. A policy
//! whose guards stay in their thread needs none: the thread knows by what it reads, and looks for that at
//! the unlock.
//!
//! [`RwSem`] here has the policy [`Counted`]: every reader is counted, and guards may be sent. **Keep to it
//! for a crate that sends guards whatever their marker says**, as dashmap 6 does: it declares its iterators,
//! which hold guards, `Send`. For your own guards, and reads that scale or nest, choose another:
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
//! Where such a guard is sent all the same, by `unsafe` code, its unlock panics if nobody reads, and
//! otherwise takes the share of another reader.
//!
//! Recursive reads are methods of the wrapper here. When a plain recursive read deadlocks, and all
//! else, is told in the [crate's documentation](crate).
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
