//! `PsRwLock`: its guards, its turns, and threads that get in each other's way.

#[path = "../support/mod.rs"]
mod support;

mod freed;
mod guards;
mod held;
mod lock;
mod refused;
mod sifting;
mod stress;
mod timeouts;
mod turns;
mod unwinding;
mod watched;
