//! loom's atomics: every interleaving of a small model, weak memory included.

pub(super) use loom::sync::atomic as inner;
pub(super) use loom::thread as inner_thread;

pub(super) use super::simulated::pause;
pub use super::simulated::{AtomicPtr, AtomicU32, AtomicU64, OwnU64};
pub(crate) use super::simulated::{light_fence, set_tag, step_fence};
use loom::cell::UnsafeCell;
use std::thread::panicking;

/// Plain data that threads share; loom reports two accesses that nothing orders.
#[derive(Debug)]
pub struct Cell<T>(UnsafeCell<T>);

// SAFETY: loom checks each access.
unsafe impl<T: Send> Sync for Cell<T> {}

impl<T: Copy> Cell<T> {
    /// A cell that holds `value`.
    pub fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Reads the value.
    ///
    /// # Safety
    /// No other thread writes the cell at the same time.
    pub unsafe fn get(&self) -> T {
        // SAFETY: loom panics if another thread writes it meanwhile.
        self.0.with(|value| unsafe { *value })
    }

    /// Writes the value. Nothing happens while a failed model unwinds.
    ///
    /// # Safety
    /// No other thread reads or writes the cell at the same time.
    pub unsafe fn set(&self, value: T) {
        if !panicking() {
            // SAFETY: loom panics if another thread accesses it meanwhile.
            self.0.with_mut(|place| unsafe { *place = value });
        }
    }
}

/// A word whose life can end. loom reports accesses that are not ordered before that end.
pub(super) trait Word {
    fn end(&mut self);
}

impl Word for inner::AtomicU32 {
    fn end(&mut self) {
        self.with_mut(|_| ());
    }
}

impl Word for inner::AtomicU64 {
    fn end(&mut self) {
        self.with_mut(|_| ());
    }
}

impl Word for inner::AtomicUsize {
    fn end(&mut self) {
        self.with_mut(|_| ());
    }
}

pub(super) fn end(word: &mut impl Word) {
    word.end();
}

/// Nodes need no announcement.
pub fn announce<T>(_node: &T) {}

/// Orders all accesses before the fence before all accesses after it.
pub fn full_fence() {
    inner::fence(super::Ordering::SeqCst);
}

pub(super) const fn looks(_bound: u32) -> u32 {
    1
}
