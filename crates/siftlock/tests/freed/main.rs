//! The memory of a lock is gone the moment its last unlock lets somebody else in.

#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod hammer;
mod page;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod stalled;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod step;
mod visit;
