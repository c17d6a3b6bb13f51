//! The atomic words of a simulated back end: loom's or shuttle's, and what both lack.
//!
//! * A word is written once more when its life ends. So loom reports every access that is not
//!   ordered before the end: a lock freed under an unlock, a waiter's node gone under a granter.
//! * A store is a swap. loom may order a plain store before a read-modify-write that has read the
//!   older value, so that the store is lost. No processor does that.
//! * A pointer's tag bit is set in one step, as on a processor. A thread that finds it set waits
//!   for the next store: an engine may let two spinning threads run by turns for ever.
//! * A spin yields, and time may pass in it. Or it lasts until a word changes
//!   ([`spin_without_time`]): an engine may keep spinning threads busy for ever.
//! * The model's [`watch`] sees each step of a 64-bit word, of which a lock has one. For locks of
//!   several words it sees each step of any word, with the word's address. Before each access to
//!   any word a model's interrupt handler may run.
//! * While a failed model unwinds nothing is simulated any more: a second failure would abort.

use super::backend::{inner, inner_thread};
use super::watch;
use core::cell::{Cell, RefCell};
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::Ordering;
use std::thread::panicking;

std::thread_local! {
    static TIMELESS: Cell<bool> = const { Cell::new(false) };
    /// Whether a light fence does nothing, because the model's heavy fence stands for both.
    static LIGHT: Cell<bool> = const { Cell::new(false) };
    /// How many changes the words have had.
    static CHANGES: Cell<u64> = const { Cell::new(0) };
    /// The threads that have spun, each with the number of changes at its last beat. Not simulated:
    /// each use lies within one step.
    static SPINNERS: RefCell<Vec<(inner_thread::Thread, u64)>> = const { RefCell::new(Vec::new()) };
    /// The spinners that wait for the next change.
    static WAITING: RefCell<Vec<inner_thread::Thread>> = const { RefCell::new(Vec::new()) };
}

/// Sets whether a spin takes no time, in the executions that this OS thread runs from now on. Then
/// each beat lasts until another thread has changed a word.
pub fn spin_without_time(timeless: bool) {
    TIMELESS.set(timeless);
    SPINNERS.take();
    WAITING.take();
}

/// Sets whether a light fence does nothing, in the executions that this OS thread runs from now on.
/// The model's heavy fence then makes every thread pass a full one.
pub fn lighten_fences(light: bool) {
    LIGHT.set(light);
}

/// The reader's half of a pair of fences that together order as two full fences do.
pub(crate) fn light_fence() {
    if !LIGHT.get() {
        super::backend::full_fence();
    }
}

/// Keeps later accesses from overtaking the read-modify-write that the caller has just made.
pub(crate) fn step_fence() {
    super::backend::full_fence();
}

/// A beat of a spin loop. Returns how many beats that was.
pub(super) fn pause<W>(_word: &W, _left: u32) -> u32 {
    if TIMELESS.get() {
        wait_for_a_change();
    } else {
        inner_thread::yield_now();
    }
    1
}

fn wait_for_a_change() {
    // A change since the last beat is worth another look. The spinner waits only if there was none.
    let (me, changes) = (inner_thread::current(), CHANGES.get());
    let waits = SPINNERS.with_borrow_mut(|spinners| {
        let before = spinners.iter_mut().find(|spinner| spinner.0.id() == me.id());
        match before {
            Some(spinner) => std::mem::replace(&mut spinner.1, changes) == changes,
            None => {
                spinners.push((me, changes));
                false
            }
        }
    });
    if waits {
        WAITING.with_borrow_mut(|waiting| waiting.push(inner_thread::current()));
        inner_thread::park();
    }
}

/// A word has changed.
fn stirred() {
    if TIMELESS.get() {
        CHANGES.set(CHANGES.get() + 1);
        WAITING.take().iter().for_each(inner_thread::Thread::unpark);
    }
}

macro_rules! word {
    ($(#[$meta:meta])* $name:ident as $inner:ident, $value:ty, $stepped:expr) => {
        $(#[$meta])*
        #[derive(Debug)]
        pub struct $name(inner::$inner);

        impl $name {
            super::const_fn! {
                /// A word that holds `value`.
                pub const fn new(value: $value) -> Self {
                    Self(inner::$inner::new(value))
                }
            }

            fn stepped(&self, old: $value, new: $value) {
                $stepped(old, new);
                watch::changed(core::ptr::from_ref(self).cast(), old.into(), new.into());
            }

            /// See [`core::sync::atomic`].
            pub fn load(&self, order: Ordering) -> $value {
                watch::about_to_step();
                // A spinner must not wait on an old value: nothing would end that wait.
                if TIMELESS.get() { self.0.fetch_add(0, order) } else { self.0.load(order) }
            }

            /// See [`core::sync::atomic`].
            pub fn store(&self, value: $value, order: Ordering) {
                watch::about_to_step();
                let old = self.0.swap(value, order);
                stirred();
                watch::changed(core::ptr::from_ref(self).cast(), old.into(), value.into());
            }

            /// See [`core::sync::atomic`].
            pub fn swap(&self, value: $value, order: Ordering) -> $value {
                watch::about_to_step();
                let old = self.0.swap(value, order);
                stirred();
                self.stepped(old, value);
                old
            }

            /// See [`core::sync::atomic`].
            pub fn fetch_add(&self, value: $value, order: Ordering) -> $value {
                watch::about_to_step();
                let old = self.0.fetch_add(value, order);
                stirred();
                self.stepped(old, old.wrapping_add(value));
                old
            }

            /// See [`core::sync::atomic`].
            pub fn fetch_sub(&self, value: $value, order: Ordering) -> $value {
                watch::about_to_step();
                let old = self.0.fetch_sub(value, order);
                stirred();
                self.stepped(old, old.wrapping_sub(value));
                old
            }

            /// See [`core::sync::atomic`].
            pub fn fetch_or(&self, value: $value, order: Ordering) -> $value {
                watch::about_to_step();
                let old = self.0.fetch_or(value, order);
                stirred();
                self.stepped(old, old | value);
                old
            }

            /// See [`core::sync::atomic`].
            pub fn fetch_and(&self, value: $value, order: Ordering) -> $value {
                watch::about_to_step();
                let old = self.0.fetch_and(value, order);
                stirred();
                self.stepped(old, old & value);
                old
            }

            /// See [`core::sync::atomic`].
            ///
            /// # Errors
            /// The value, if it differs from `current`.
            pub fn compare_exchange(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                watch::about_to_step();
                let old = self.0.compare_exchange(current, new, success, failure)?;
                stirred();
                self.stepped(old, new);
                Ok(old)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if !panicking() {
                    super::backend::end(&mut self.0);
                }
            }
        }
    };
}

word!(
    /// A word of 32 bits.
    AtomicU32 as AtomicU32, u32, |_, _| {}
);
word!(
    /// A word of 64 bits.
    AtomicU64 as AtomicU64, u64, watch::stepped
);
word!(
    /// A word of 64 bits that is no lock's count: its changes are not watched as steps.
    OwnU64 as AtomicU64, u64, |_, _| {}
);

/// A pointer; bit 0 may be a tag.
pub struct AtomicPtr<T> {
    address: inner::AtomicUsize,
    /// The threads that wait for the next store. Not simulated: each use lies within one step.
    waiting: RefCell<Vec<inner_thread::Thread>>,
    points_to: PhantomData<*mut T>,
}

// SAFETY: an atomic pointer, as in `core`. Code that dereferences it answers for that.
unsafe impl<T> Send for AtomicPtr<T> {}
// SAFETY: as for `Send`.
unsafe impl<T> Sync for AtomicPtr<T> {}

impl<T> AtomicPtr<T> {
    super::const_fn! {
        /// A null pointer: a constant can begin with no other value.
        pub const fn new(null: *mut T) -> Self {
            debug_assert!(null.is_null());
            Self {
                address: inner::AtomicUsize::new(0),
                waiting: RefCell::new(Vec::new()),
                points_to: PhantomData,
            }
        }
    }

    /// See [`core::sync::atomic`].
    pub fn load(&self, order: Ordering) -> *mut T {
        watch::about_to_step();
        core::ptr::with_exposed_provenance_mut(self.address.load(order))
    }

    /// See [`core::sync::atomic`].
    pub fn store(&self, value: *mut T, order: Ordering) {
        if !panicking() {
            watch::about_to_step();
            self.address.swap(value.expose_provenance(), order);
            self.waiting.take().iter().for_each(inner_thread::Thread::unpark);
        }
    }
}

pub(crate) fn set_tag<T>(word: &AtomicPtr<T>, order: Ordering) -> *mut T {
    watch::about_to_step();
    loop {
        let address = word.address.fetch_or(1, order);
        if address & 1 == 0 {
            return core::ptr::with_exposed_provenance_mut(address);
        }
        word.waiting.borrow_mut().push(inner_thread::current());
        inner_thread::park();
    }
}

impl<T> Drop for AtomicPtr<T> {
    fn drop(&mut self) {
        if !panicking() {
            super::backend::end(&mut self.address);
        }
    }
}

impl<T> fmt::Debug for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}
