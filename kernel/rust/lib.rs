//! The locks of `siftlock-core` as kernel functions: what `siftlock.ko` is made of beside its C
//! glue.
//!
//! * [`platform`]: what the locks ask of the kernel.
//! * [`glue`]: the C functions that answer.
//! * [`raise`]: what the fast paths ask, in a few instructions.
//! * `rwsem`, `psrw`: the functions that the module exports, one for each of a lock's steps.
//!
//! Nothing here may bring in floating point, a panic or any object code of `core`; the build looks
//! at the machine code and fails if something does.

#![no_std]

pub mod glue;
pub mod platform;
pub mod psrw;
pub mod raise;
pub mod rwsem;
