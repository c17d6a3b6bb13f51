//! Models of deferred signals: one thread, whose signals arrive before every step it makes, and
//! before every step of their handlers.
//!
//! A *row* is a list of signals, sent in all ways to spread them over the steps of a story; with
//! dots in front, so many of them are sent where they are noted.
//!
//! One thread has one schedule: shuttle acts it out as loom would, and is quicker.

#![cfg(siftlock_model = "shuttle")]

mod model;
mod rows;
mod sim;
mod world;
