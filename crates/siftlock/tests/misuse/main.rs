//! Misuse that is reported, at the line of the caller: calls that would wait for what they have
//! interrupted, or what may wait for them. Most of it by debug builds alone.
//!
//! In handlers the report ends the process; so each of those cases has one of its own.

#![cfg(target_os = "linux")]

#[path = "../support/alone.rs"]
mod alone;

mod faults;
#[cfg(debug_assertions)]
mod handlers;
#[cfg(debug_assertions)]
mod sections;
