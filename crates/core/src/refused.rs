//! Why a lock was not taken.

use core::fmt;

/// Why a call that may fail did not get the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// The deadline passed while others held the lock.
    TimedOut,
    /// Of an `RwSem`: more than eight million (2^23) shares are out, which only leaked guards can
    /// explain. The lock stays usable: release some shares and try again.
    TooManyReaders,
    /// Of a `PsRwLock`: the caller would have to sleep, and the id of its record does not fit the
    /// lock's word, since more than four million (2^22) threads have been alive at once.
    TooManyThreads,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TimedOut => "timed out waiting for the lock; retry with a later deadline",
            Self::TooManyReaders => {
                "too many readers (2^23): release read locks, or look for leaked guards"
            }
            Self::TooManyThreads => {
                "too many threads (2^22) for one that has to sleep: use the try forms, or end some"
            }
        })
    }
}

impl core::error::Error for Refused {}
