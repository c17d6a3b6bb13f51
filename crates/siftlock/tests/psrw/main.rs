//! `PsRwLock`: its guards, its turns, and threads that get in each other's way.

#[path = "../support/mod.rs"]
mod support;

mod change;
mod freed;
mod ground;
mod guards;
#[cfg(target_os = "linux")]
mod handlers;
mod held;
#[cfg(target_os = "linux")]
mod interrupted;
mod lock;
mod parts;
mod refused;
mod sifting;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod stalled;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "../freed/step.rs"]
mod step;
mod stress;
mod timeouts;
mod turns;
mod unwinding;
mod watched;
