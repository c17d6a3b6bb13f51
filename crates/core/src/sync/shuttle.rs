//! shuttle's atomics: random schedules of larger models, sequentially consistent.

pub(super) use shuttle::sync::atomic as inner;
pub(super) use shuttle::thread as inner_thread;

pub(super) use super::simulated::pause;
pub use super::simulated::{AtomicPtr, AtomicU32, AtomicU64, OwnU64};
pub(crate) use super::simulated::{light_fence, set_tag, step_fence};
use core::cell::UnsafeCell;

/// Plain data that threads share.
#[derive(Debug)]
pub struct Cell<T>(UnsafeCell<T>);

// SAFETY: shuttle runs one thread at a time.
unsafe impl<T: Send> Sync for Cell<T> {}

impl<T: Copy> Cell<T> {
    /// A cell that holds `value`.
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Reads the value.
    ///
    /// # Safety
    /// No other thread writes the cell at the same time.
    pub unsafe fn get(&self) -> T {
        // SAFETY: one thread runs at a time.
        unsafe { *self.0.get() }
    }

    /// Writes the value.
    ///
    /// # Safety
    /// No other thread reads or writes the cell at the same time.
    pub unsafe fn set(&self, value: T) {
        // SAFETY: one thread runs at a time.
        unsafe { *self.0.get() = value };
    }
}

/// Ends a word's life. shuttle keeps no account of its accesses.
pub(super) fn end<W>(_word: &mut W) {}

/// Nodes need no announcement.
pub fn announce<T>(_node: &T) {}

/// Every step of shuttle is a full fence already.
pub fn full_fence() {}

pub(super) const fn looks(_bound: u32) -> u32 {
    1
}
