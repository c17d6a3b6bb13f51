//! The lock under `lock_api` 0.4, which much of the ecosystem still uses: the same [`RawRwSem`]
//! with that version's wrapper and guards.
//!
//! That version has no place for the token by which a read without an atomic step is released, so
//! here every reader is counted: the policy is [`Counted`], and one with a read bias, or with reads
//! that note themselves, does not compile: its guards may end in any thread, which then would have to
//! know where the read was noted.
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

/// A value that many threads read, or one writes; see [`crate::RwSem`].
pub type RwSem<T> = lock_api::RwLock<RawRwSem<Counted>, T>;

crate::rwsem::guards!(lock_api, RawRwSem<Counted>);
