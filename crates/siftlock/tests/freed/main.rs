//! The memory of a lock is gone at the moment when its last unlock lets another thread in.

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
