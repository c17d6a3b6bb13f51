//! Version 0.4, with guards that stay in their thread. The lock itself has to know whether a thread
//! reads it by a share or by a slot.

use siftlock::lock_api_04::lock_api as api;
use siftlock::{RawRwSem, policy};

type Lock<T, P> = api::RwLock<RawRwSem<policy::Standard, P>, T>;
type SendLock<T, P> = api::RwLock<RawRwSem<policy::Counted, P>, T>;

crate::tests_of_each_version!();
