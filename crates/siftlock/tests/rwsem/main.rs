//! The lock under threads that get in each other's way.

#[path = "../support/mod.rs"]
mod support;

mod crowd;
mod dispatch;
mod fair;
mod fair_unlock;
mod passed;
mod policies;
mod polling;
mod refill;
mod rolling;
mod sleeper;
mod stress;
mod timeouts;
