//! A storm of signals over threads that do nothing but lock and unlock.
//!
//! Sixteen signals, of both levels, standard and real-time, come from timers, from other threads
//! and from the threads themselves. They have running numbers where the system allows that. The
//! threads take two locks in every mode. The handlers read the locks, and the handlers of the lower
//! level write one. Nothing may be torn. No handler may run where its thread is raised to its
//! class. Whenever the storm is interrupted, all signals that were sent have been handled, once, in
//! order, the threads are lowered and the locks at rest. In between the system's queue of signals
//! has no room.
//!
//! It lasts some two seconds, with each way of masking. `SIFTLOCK_STORM_SECONDS=300` makes it
//! longer: `SIFTLOCK_STORM_SECONDS=300 cargo test --release -p siftlock --test storm`.

#![cfg(target_os = "linux")]

#[path = "../contexts/support.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "a part of it is used here")]
mod support;

mod handlers;
mod kinds;
mod locks;
mod rounds;
mod senders;
mod station;
mod timers;
mod workers;

use locks::Base;
use siftlock::platform::{Native, Strict};
use std::time::Duration;

#[test]
fn psrw_storm_of_signals_tears_loses_and_repeats_nothing() {
    storm::<Native>("psrw_storm_of_signals_tears_loses_and_repeats_nothing");
}

#[test]
fn psrw_storm_of_signals_under_strict_masking_tears_nothing() {
    storm::<Strict>("psrw_storm_of_signals_under_strict_masking_tears_nothing");
}

fn storm<B: Base>(name: &str) {
    /// Enough for a machine that has other things to do.
    const MORE: Duration = Duration::from_secs(120);
    let seconds = std::env::var("SIFTLOCK_STORM_SECONDS");
    let lasts = seconds.map_or(2, |seconds| seconds.parse().expect("a number of seconds"));
    let lasts = Duration::from_secs(lasts);
    support::in_own_process(&format!("storm::{name}"), lasts + MORE, || rounds::run::<B>(lasts));
}
