//! The lock that has to be caught: it lets every thread in.

use super::raw::Raw;

/// Grants everything at once. A run that does not fail with it cannot be trusted with any lock.
pub(crate) struct Busted;

impl Raw for Busted {
    fn unlocked() -> Self {
        Self
    }

    fn read(&self) {}

    fn try_read(&self) -> bool {
        true
    }

    unsafe fn read_unlock(&self) {}

    fn write(&self) {}

    fn try_write(&self) -> bool {
        true
    }

    unsafe fn write_unlock(&self) {}
}
