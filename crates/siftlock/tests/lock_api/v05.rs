//! Version 0.5.

use siftlock::{RawRwSem, ReadRecursive, policy::Standard};

use siftlock::lock_api as api;
type Lock<T, P> = api::RwLock<RawRwSem<Standard, P>, T>;

crate::tests_of_each_version!();
