//! Chaos: every call of [`siftlock::RwSem`] mixed over every policy, by threads that come and go,
//! with forks, forgotten guards, guards that travel, and locks that are dropped and made anew.
//!
//! `cargo test` runs it for some seconds. For longer:
//!
//! ```sh
//! cargo test --release -p siftlock --test chaos -- --minutes 60
//! ```
//!
//! It prints its seed. With `--seed` all threads choose the same calls again; how they meet is up
//! to the machine. Each section checks exclusion (`ward`). The watchdog checks progress, and the
//! threads that free memory check that memory (`duets`). The first finding ends the run, with the
//! call of each thread.

#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "linux")]
use self::linux::main;

/// Forks, thread-specific values and two platforms at once are Linux's.
#[cfg(not(target_os = "linux"))]
fn main() {}
