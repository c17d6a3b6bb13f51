//! Models of reads by slot on the priority-sifting lock: where its rules leave room for them, and what
//! breaks where they do not.
//!
//! The lock is a small form of the real one, with its word, its stages and its contexts, and without
//! the queue: who waits is called by every change. A reader may note itself in a slot of its thread
//! instead of the word, and a writer that finds BIAS in the word has to look through the slots, after
//! a fence in all threads. What a design may choose is a constant of its form.
//!
//! | module | content |
//! | --- | --- |
//! | `form` | the choices, and the forms that have a row |
//! | `lock`, `write` | the small lock |
//! | `monitor` | S1 to S3, S5, S7 to S9 and R8, held against every step |
//! | `subject` | the forms behind the face that the models know |
//! | `holds` | forms that keep the rules, in which contexts |
//! | `breaks` | forms that do not, each with the rule and the smallest row |
//!
//! The rest is what all priority-sifting locks need, in `tests/sifting`; the models of the real lock
//! say what is where.

#![cfg(siftlock_model = "loom")]

mod breaks;
mod form;
mod holds;
mod lock;
mod monitor;
mod subject;
mod write;

#[path = "../sifting/model.rs"]
#[allow(dead_code, unused_macros, unused_imports, reason = "each lock's models use a part of it")]
mod model;
#[path = "../sifting/script.rs"]
mod script;
#[path = "../sifting/sim.rs"]
#[allow(dead_code, reason = "each lock's models use a part of it")]
mod sim;
#[path = "../sifting/world.rs"]
#[allow(dead_code, reason = "each lock's models use a part of it")]
mod world;
