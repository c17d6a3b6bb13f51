//! The lock under `lock_api` 0.4, which much of the ecosystem still uses: the same [`RawRwSem`]
//! with that version's wrapper and guards.
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

pub use ::lock_api_04 as lock_api;

/// A value that many threads read, or one writes; see [`crate::RwSem`].
pub type RwSem<T> = lock_api::RwLock<RawRwSem, T>;

crate::rwsem::guards!(lock_api);
