//! The siftlock protocols: reader-writer locks over an abstract platform.
//!
//! This crate holds the protocols alone, without allocation, operating system or dependency. Users
//! want the [`siftlock`](https://docs.rs/siftlock) crate; embedders (a kernel, a runtime of its
//! own) implement [`platform::Platform`] and use the raw locks here.
//!
//! * [`rwsem`]: the sleeping reader-writer semaphore. Its module documentation is the theory.
//! * [`psrw`]: the priority-sifting lock, readable from interrupting contexts. Likewise.
//! * [`defer`]: signals that are noted instead of blocked, so that raising a thread costs no call.
//! * [`record`], `wait`, `spin`: what locks share: what is kept for each thread, tokens and the
//!   list of waiters, the spinners' queue.
//! * [`platform`]: the seam to threads, sleep and time. [`sync`]: the seam to the memory model.
//! * [`events`]: what the locks did, counted.

#![cfg_attr(not(siftlock_model), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod defer;
pub mod events;
pub mod platform;
#[cfg(siftlock_model)]
pub mod probe;
pub mod psrw;
pub mod record;
mod refused;
pub mod rwsem;
mod spin;
pub mod sync;
mod wait;

pub use self::refused::Refused;
