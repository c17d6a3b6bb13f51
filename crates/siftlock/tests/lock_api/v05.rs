//! Version 0.5.

use siftlock::lock_api as api;
use siftlock::{RawRwSem, ReadRecursive, policy};

type Lock<T, P> = api::RwLock<RawRwSem<policy::Standard, P>, T>;
type SendLock<T, P> = api::RwLock<RawRwSem<policy::Counted, P>, T>;

crate::tests_of_each_version!();
crate::tests_of_each_policy!();
