//! Models of the siftlock protocols: loom, shuttle, and the mutants that they must catch.
//!
//! A model is a *row* of little programs, one a thread, in the notation of [`script`]: `"R,R W"` is
//! one thread that reads twice beside one that writes. [`model::Model`] runs a row in every
//! interleaving that the engine explores. All the lock's invariants are watched at every step
//! ([`monitor`]). The row has to hold or, with one rule of the protocol switched off
//! (`siftlock_core::sync::mutant`), to fall.
//!
//! Built with `--cfg siftlock_model --cfg siftlock_model="loom"` (or `"shuttle"`); without, this
//! crate is empty. `.ci/models` runs everything.
//!
//! | module | content |
//! | --- | --- |
//! | [`engine`] | the seam to loom and shuttle: explore, threads |
//! | [`world`] | the state of one execution: records, clocks, the count as it stands |
//! | [`platform`] | the lock's platform: sleep, and time, which passes only for sleepers |
//! | [`monitor`] | the invariants R1 to R4, R8 and R9, held against every step |
//! | [`scene`] | threads, what they share, and their end |
//! | [`script`], [`actor`] | the notation, and the actor of a script |
//! | [`policies`] | policies that make rare paths common |
//! | [`model`] | rows with their bounds and settings |

#![cfg(siftlock_model)]

pub mod actor;
pub mod engine;
mod fences;
pub mod model;
pub mod monitor;
pub mod platform;
pub mod policies;
pub mod scene;
pub mod script;
pub mod world;
