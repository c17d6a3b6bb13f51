//! Why a lock was not taken.

use core::fmt;

/// Why a call that may fail did not get the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// The deadline passed while others held the lock.
    TimedOut,
    /// More than eight million (2^23) shares are out, which only leaked guards can explain. The
    /// lock stays usable: release some shares and try again.
    TooManyReaders,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TimedOut => "timed out waiting for the lock; retry with a later deadline",
            Self::TooManyReaders => {
                "too many readers (2^23): release read locks, or look for leaked guards"
            }
        })
    }
}

impl core::error::Error for Refused {}
