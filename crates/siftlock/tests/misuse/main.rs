//! Misuse that debug builds report, at the line of the caller: calls that would wait for what they have
//! interrupted, or what may wait for them.
//!
//! In handlers the report ends the process; so each of those cases has one of its own.

#![cfg(all(debug_assertions, target_os = "linux"))]

#[path = "../support/alone.rs"]
mod alone;

mod handlers;
mod sections;
