//! The locks of `siftlock-core` as kernel functions: the Rust part of `siftlock.ko`.
//!
//! * [`platform`]: the platform of the locks, which is the kernel.
//! * [`glue`]: the C functions behind it.
//! * [`raise`]: the part of the platform that the fast paths need, in a few instructions.
//! * `rwsem`, `psrw`: the functions that the module exports, one for each operation of a lock.
//!
//! Nothing here may bring in floating point, a panic or any object code of `core`; the build looks
//! at the machine code and fails if something does.

#![no_std]

pub mod glue;
pub mod platform;
pub mod psrw;
pub mod raise;
pub mod rwsem;
