//! The processor's own atomics.

use core::cell::UnsafeCell;
use core::sync::atomic::Ordering;
pub use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicU64 as OwnU64};

/// Plain data that threads share under a lock or through a publication.
#[derive(Debug)]
pub struct Cell<T>(UnsafeCell<T>);

// SAFETY: every access is `unsafe`, and its caller names the lock or publication that orders it.
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
    #[inline]
    pub unsafe fn get(&self) -> T {
        // SAFETY: no concurrent write, by the caller's promise.
        unsafe { *self.0.get() }
    }

    /// Writes the value.
    ///
    /// # Safety
    /// No other thread reads or writes the cell at the same time.
    #[inline]
    pub unsafe fn set(&self, value: T) {
        // SAFETY: no concurrent access, by the caller's promise.
        unsafe { *self.0.get() = value };
    }
}

/// Announces a node to the back end. The caller has built it on its stack and is about to share it.
#[inline]
pub fn announce<T>(_node: &T) {}

/// Orders all accesses before the fence before all accesses after it. A thread that leaves a full
/// fence later sees all that the calling thread changed before.
#[inline]
pub fn full_fence() {
    core::sync::atomic::fence(Ordering::SeqCst);
}

/// Sets bit 0 of a tagged pointer and returns the former pointer.
#[inline]
pub(crate) fn set_tag<T>(word: &AtomicPtr<T>, order: Ordering) -> *mut T {
    word.fetch_or(1, order)
}

/// A beat of a spin loop. Returns how many beats that was.
#[inline]
pub(super) fn pause<W>(_word: &W, _left: u32) -> u32 {
    core::hint::spin_loop();
    1
}

#[inline]
pub(super) const fn looks(bound: u32) -> u32 {
    bound
}

/// The reader's half of a pair of fences that together order as two full fences do. It takes no
/// instruction. The writer's half is
/// [`Platform::heavy_fence`](crate::platform::Platform::heavy_fence).
#[inline]
pub(crate) fn light_fence() {
    super::handler_fence();
}

/// Orders the read-modify-write that the caller has just made before all accesses after it. A
/// processor of the x86 family does that by itself.
#[inline]
pub(crate) fn step_fence() {
    if cfg!(all(any(target_arch = "x86", target_arch = "x86_64"), not(miri))) {
        super::handler_fence();
    } else {
        full_fence();
    }
}
