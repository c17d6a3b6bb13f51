//! Models of deferred signals: one thread, whose signals arrive before each of its steps, and
//! before each step of their handlers.
//!
//! A *row* is a list of signals, sent in all ways to spread them over the steps of a story. Each
//! dot in front of a row stands for one of its first signals, which is sent where it is noted.
//!
//! One thread has one schedule: shuttle acts it out as loom would, and is quicker.

#![cfg(siftlock_model = "shuttle")]

mod model;
mod rows;
mod sim;
mod world;
