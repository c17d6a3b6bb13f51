//! Words whose accesses cost simulated time. Outside a run they are plain words.
//!
//! All simulated threads of a run share one thread of the system, and each access is made at its
//! simulated time. So memory is sequentially consistent, whatever order the caller asks for. Weak
//! memory is for the models.

use crate::world::{Access, World, until_go};
use std::sync::atomic::Ordering;
use std::sync::atomic::Ordering::Relaxed;

/// Charges the calling thread for an access. Returns when the access may be made.
fn pay(address: usize, access: Access) {
    let is_inside = World::try_with(|world| world.current.is_some()).unwrap_or(false);
    if is_inside {
        until_go(|world| world.access(address, access));
    }
}

fn pay_in_vain() {
    World::try_with(|world| {
        if world.current.is_some() {
            world.counts().failed += 1;
        }
    });
}

macro_rules! word {
    ($(#[$meta:meta])* $name:ident, $inner:ty, $value:ty $(, $generic:ident)?) => {
        $(#[$meta])*
        #[derive(Debug)]
        #[repr(transparent)]
        pub struct $name$(<$generic>)?($inner);

        impl$(<$generic>)? $name$(<$generic>)? {
            /// A word that holds `value`.
            pub const fn new(value: $value) -> Self {
                Self(<$inner>::new(value))
            }

            fn pay(&self, access: Access) {
                pay(std::ptr::from_ref(self).addr(), access);
            }

            /// See [`std::sync::atomic`].
            pub fn load(&self, _order: Ordering) -> $value {
                self.pay(Access::Load);
                self.0.load(Relaxed)
            }

            /// See [`std::sync::atomic`].
            pub fn store(&self, value: $value, _order: Ordering) {
                self.pay(Access::Store);
                self.0.store(value, Relaxed);
            }

            /// See [`std::sync::atomic`].
            pub fn swap(&self, value: $value, _order: Ordering) -> $value {
                self.change(|_| value)
            }

            /// See [`std::sync::atomic`].
            ///
            /// # Errors
            /// The value, if it was not `current`.
            pub fn compare_exchange(
                &self,
                current: $value,
                new: $value,
                _success: Ordering,
                _failure: Ordering,
            ) -> Result<$value, $value> {
                self.pay(Access::Step);
                let old = self.0.load(Relaxed);
                if old == current {
                    self.0.store(new, Relaxed);
                    Ok(old)
                } else {
                    pay_in_vain();
                    Err(old)
                }
            }

            /// One read-modify-write. No other simulated thread comes between its load and its
            /// store.
            fn change(&self, new: impl FnOnce($value) -> $value) -> $value {
                self.pay(Access::Step);
                let old = self.0.load(Relaxed);
                self.0.store(new(old), Relaxed);
                old
            }
        }
    };
}

macro_rules! number {
    ($(#[$meta:meta])* $name:ident, $inner:ty, $value:ty) => {
        word!($(#[$meta])* $name, $inner, $value);

        impl $name {
            /// See [`std::sync::atomic`].
            pub fn fetch_add(&self, value: $value, _order: Ordering) -> $value {
                self.change(|old| old.wrapping_add(value))
            }

            /// See [`std::sync::atomic`].
            pub fn fetch_sub(&self, value: $value, _order: Ordering) -> $value {
                self.change(|old| old.wrapping_sub(value))
            }

            /// See [`std::sync::atomic`].
            pub fn fetch_or(&self, value: $value, _order: Ordering) -> $value {
                self.change(|old| old | value)
            }

            /// See [`std::sync::atomic`].
            pub fn fetch_and(&self, value: $value, _order: Ordering) -> $value {
                self.change(|old| old & value)
            }
        }
    };
}

number!(
    /// A word of 32 bits.
    AtomicU32, std::sync::atomic::AtomicU32, u32
);
number!(
    /// A word of 64 bits.
    AtomicU64, std::sync::atomic::AtomicU64, u64
);
word!(
    /// A pointer.
    AtomicPtr, std::sync::atomic::AtomicPtr<T>, *mut T, T
);

impl<T> AtomicPtr<T> {
    /// Sets bit 0. Returns the old pointer.
    pub fn set_tag(&self, _order: Ordering) -> *mut T {
        self.change(|old| old.map_addr(|address| address | 1))
    }
}

/// Plain data that threads share. Its accesses cost as much as those of words.
#[derive(Debug)]
#[repr(transparent)]
pub struct Cell<T>(std::cell::UnsafeCell<T>);

// SAFETY: every access is `unsafe`, and its caller names what orders it.
unsafe impl<T: Send> Sync for Cell<T> {}

impl<T: Copy> Cell<T> {
    /// A cell that holds `value`.
    pub const fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    /// Reads the value.
    ///
    /// # Safety
    /// No other thread writes the cell at the same time.
    pub unsafe fn get(&self) -> T {
        pay(self.0.get().addr(), Access::Load);
        // SAFETY: no concurrent write, by the caller's promise.
        unsafe { *self.0.get() }
    }

    /// Writes the value.
    ///
    /// # Safety
    /// No other thread reads or writes the cell at the same time.
    pub unsafe fn set(&self, value: T) {
        pay(self.0.get().addr(), Access::Store);
        // SAFETY: no concurrent access, by the caller's promise.
        unsafe { *self.0.get() = value };
    }
}
