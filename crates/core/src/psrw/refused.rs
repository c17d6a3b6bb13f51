//! Why a lock was not taken.

use core::fmt;

/// Why a call that may fail did not get the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// The deadline passed while others held the lock.
    TimedOut,
    /// The caller would have to sleep, and its record has an id that does not fit the lock's word:
    /// more than four million (2^22) threads have been alive at once.
    TooManyThreads,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TimedOut => "timed out waiting for the lock; retry with a later deadline",
            Self::TooManyThreads => {
                "too many threads (2^22) for one that has to sleep: use the try forms, or end some"
            }
        })
    }
}

impl core::error::Error for Refused {}
