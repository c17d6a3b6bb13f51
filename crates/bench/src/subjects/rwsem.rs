//! Our reader-writer semaphore, as a user imports it, with each policy that the seeds compare.

use siftlock::RawRwSem;
use siftlock::policy::Policy;

/// Our lock with policy `L`, behind the same guards as every other lock of `lock_api`.
pub(crate) type Ours<L> = lock_api::RwLock<RawRwSem<L>, ()>;

/// Seed `000`, "after patch": try-read begins with a compare-and-swap.
pub(crate) struct CasFirst;

impl Policy for CasFirst {
    const TRY_READ_CAS_FIRST: bool = true;
}

/// Seed `000`, "before patch": try-read begins with a load.
pub(crate) struct LoadFirst;

impl Policy for LoadFirst {
    const TRY_READ_CAS_FIRST: bool = false;
}

/// Seed `001`, "before", on the lock as it is now: a batch of readers ends at the first writer.
pub(crate) struct FirstWriter;

impl Policy for FirstWriter {
    const BATCH_WHOLE_QUEUE: bool = false;
}
