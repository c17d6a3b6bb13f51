//! Where code runs: threads, and handlers of signals at two levels.

use siftlock_core::platform::Raised;
pub use siftlock_core::psrw::{Context, Irq, NonPreemptible, SoftIrq, Thread};
use std::marker::PhantomData;

/// Says that the caller is a registered handler of class `C`.
#[derive(Debug)]
pub struct Interrupt<'a, C> {
    handler: PhantomData<(&'a (), C, *mut ())>,
}

/// Keeps the calling thread raised to class `C`.
#[derive(Debug)]
pub struct Masked<C> {
    _raised: Raised,
    class: PhantomData<C>,
}
