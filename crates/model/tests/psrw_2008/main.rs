//! Models of the priority-sifting lock in its form of 2008. They show that its repairs are enough,
//! that none may be left out, and which failures cannot be repaired.
//!
//! | module | content |
//! | --- | --- |
//! | `monitor` | T1 to T7 of the crate's documentation, held against every step |
//! | `subject` | locks of different contexts behind one face |
//! | `holds`, `handlers`, `mutants`, `orders` | the rows |
//! | `failures` | S8 and S9, which this form does not keep |
//!
//! The other modules, in `tests/sifting`, serve both priority-sifting locks: the models of the
//! other lock list them. They check T8 too: a handler that waits for its own thread is a deadlock.

#![cfg(siftlock_model = "loom")]

mod failures;
mod handlers;
mod holds;
mod monitor;
mod mutants;
mod orders;
mod subject;

#[path = "../sifting/model.rs"]
#[allow(dead_code, reason = "each lock's models use a part of it")]
mod model;
#[path = "../sifting/script.rs"]
mod script;
#[path = "../sifting/sim.rs"]
mod sim;
#[path = "../sifting/world.rs"]
#[allow(dead_code, reason = "each lock's models use a part of it")]
mod world;
