//! The seam to the memory model: the only module that knows whether atomics are the processor's,
//! loom's, shuttle's or a simulated machine's.
//!
//! The protocols import everything that threads share from here: the atomic words, [`Cell`] for
//! plain data that a lock or a publication guards, and `spin_while`, the one way to spin.
//!
//! `--cfg siftlock_model="loom"` or `"shuttle"` chooses a simulated back end. `siftlock_sim`, which
//! the package `siftlock-core-sim` alone sets, chooses a simulated machine. Without them the module
//! compiles to `core::sync::atomic` and nothing else. Public items that are hidden from the
//! documentation are for protocols that live in crates of their own.

#[cfg(siftlock_model = "loom")]
mod loom;
#[cfg(siftlock_model)]
pub mod mutant;
#[cfg(not(any(siftlock_model, siftlock_sim)))]
mod native;
#[cfg(siftlock_model = "shuttle")]
mod shuttle;
#[cfg(siftlock_sim)]
mod sim;
#[cfg(siftlock_model)]
mod simulated;
#[cfg(siftlock_model)]
pub mod watch;

#[cfg(siftlock_model = "loom")]
use self::loom as backend;
#[cfg(not(any(siftlock_model, siftlock_sim)))]
use self::native as backend;
#[cfg(siftlock_model = "shuttle")]
use self::shuttle as backend;
#[cfg(siftlock_sim)]
use self::sim as backend;

pub use self::backend::{AtomicPtr, AtomicU32, AtomicU64, Cell, OwnU64};
#[doc(hidden)]
pub use self::backend::{announce, full_fence};
pub(crate) use self::backend::{light_fence, set_tag, step_fence};
#[cfg(siftlock_model)]
pub use self::simulated::{lighten_fences, spin_without_time};
/// What a model notes about the protocol's steps. It is no part of the protocol, so no engine
/// simulates it.
#[cfg(siftlock_model)]
pub(crate) use core::sync::atomic::AtomicBool as ModelFlag;
pub use core::sync::atomic::Ordering;

/// A word that [`spin_while`] can watch.
#[doc(hidden)]
pub trait Watched {
    /// The word's value.
    type Value: Copy + PartialEq;

    /// Reads the word. Relaxed: a spinner takes the value only as a reason to try its own, ordered
    /// step.
    fn look(&self) -> Self::Value;
}

impl Watched for AtomicU32 {
    type Value = u32;
    #[inline]
    fn look(&self) -> u32 {
        self.load(Ordering::Relaxed)
    }
}

impl Watched for AtomicU64 {
    type Value = u64;
    #[inline]
    fn look(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }
}

#[cfg(siftlock_model)]
impl Watched for OwnU64 {
    type Value = u64;
    fn look(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }
}

impl<T> Watched for AtomicPtr<T> {
    type Value = *mut T;
    #[inline]
    fn look(&self) -> *mut T {
        self.load(Ordering::Relaxed)
    }
}

/// Keeps this thread's earlier accesses before its later ones, as its own handlers see them. It
/// takes no instruction: a processor shows a thread and its handlers their accesses in order.
#[inline]
pub(crate) fn handler_fence() {
    // SeqCst: the only order that also keeps a store before a later load. The partner is a handler.
    core::sync::atomic::compiler_fence(Ordering::SeqCst);
}

/// Spins while `word` still shows `seen`, for at most `bound` beats, and returns the last value
/// that it saw. With a bound of 0 it does not look, and returns `seen`.
///
/// The only spin loop of the protocols. A model looks twice and lets other threads run between the
/// looks, so a spin costs it one beat and not `bound`. A simulated machine sleeps until the word's
/// line changes.
#[doc(hidden)]
#[inline]
pub fn spin_while<W: Watched>(word: &W, seen: W::Value, bound: u32) -> W::Value {
    if bound == 0 {
        return seen;
    }
    let mut left = backend::looks(bound);
    let mut now = word.look();
    while now == seen && left > 0 {
        left -= backend::pause(word, left);
        now = word.look();
    }
    now
}

/// Declares functions that are `const` where the atomics' constructors are: everywhere but under
/// loom.
#[doc(hidden)]
#[macro_export]
macro_rules! const_fn {
    ($(
        $(#[$meta:meta])*
        $vis:vis const fn $name:ident($($arg:ident: $ty:ty),*) -> $out:ty
        $(where $($bounded:ty: $bound:path),+)? $body:block
    )*) => {
        $(
            #[cfg(not(siftlock_model = "loom"))]
            $(#[$meta])* $vis const fn $name($($arg: $ty),*) -> $out
            $(where $($bounded: $bound),+)? $body

            #[cfg(siftlock_model = "loom")]
            $(#[$meta])* $vis fn $name($($arg: $ty),*) -> $out
            $(where $($bounded: $bound),+)? $body
        )*
    };
}
#[doc(hidden)]
pub use const_fn;

/// Whether the running model has switched this deliberate mistake on. In every other build it is
/// constant false, and so absent from the machine code. See `mutant::Mutant` for the list.
macro_rules! mutated {
    ($mutant:ident) => {{
        #[cfg(siftlock_model)]
        {
            $crate::sync::mutant::is_on($crate::sync::mutant::Mutant::$mutant)
        }
        #[cfg(not(siftlock_model))]
        {
            false
        }
    }};
}
pub(crate) use mutated;

/// This memory order, or Relaxed if the running model has switched the mistake `$mutant` on.
macro_rules! ordered {
    ($order:ident, unless $mutant:ident) => {
        if $crate::sync::mutated!($mutant) {
            $crate::sync::Ordering::Relaxed
        } else {
            $crate::sync::Ordering::$order
        }
    };
}
pub(crate) use ordered;
