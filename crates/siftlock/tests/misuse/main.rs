//! Misuse that is reported at the line of the caller: calls that would wait for the code that they
//! have interrupted, or for code that may wait for the caller. Debug builds alone report most of
//! it.
//!
//! In handlers the report ends the process, so each of these cases has a process of its own.

#![cfg(target_os = "linux")]

#[path = "../support/alone.rs"]
mod alone;

mod faults;
#[cfg(debug_assertions)]
mod handlers;
#[cfg(debug_assertions)]
mod sections;
