//! Why a lock was not taken.

use core::fmt;

/// Why a call that may fail did not get the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// The deadline passed while others held the lock.
    TimedOut,
    /// Of an `RwSem`: more than eight million (2^23) shares are out, which only leaked guards can
    /// explain. Or a writer waits for a thread that has read the lock 1,024 times at once, or more.
    /// The lock stays usable: release some shares and try again.
    TooManyReaders,
    /// Of a `PsRwLock`: the caller would have to sleep, and the id of its record does not fit the
    /// lock's word, since more than four million (2^22) threads were alive when its thread came.
    TooManyThreads,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TimedOut => "timed out waiting for the lock; retry with a later deadline",
            Self::TooManyReaders => {
                "too many readers (2^23 in all, or 1,024 nested reads of one thread while a writer waits): \
                 nest fewer, or look for leaked guards"
            }
            Self::TooManyThreads => {
                "too many threads (2^22) for one that has to sleep: use the try forms, or end some"
            }
        })
    }
}

impl core::error::Error for Refused {}
