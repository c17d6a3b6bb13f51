//! Models of the priority-sifting lock: threads, and handlers that interrupt them at every step.
//!
//! | module | content |
//! | --- | --- |
//! | `monitor` | S1 to S5, S7 and S9, held against every step |
//! | `subject` | locks of different contexts behind one face |
//! | `holds`, `handlers`, `limits`, `mutants`, `orders` | the rows |
//!
//! The modules that both priority-sifting locks need, in `tests/sifting`:
//!
//! | module | content |
//! | --- | --- |
//! | `world` | the state of one execution: seats, levels, clocks, the word as it stands, handlers |
//! | `sim` | the lock's platform: sleep, time, raising and restoring |
//! | `script` | the notation of the rows |
//! | `model` | acting out a row, in every interleaving and with handlers at every place |

#![cfg(siftlock_model = "loom")]

mod handlers;
mod holds;
mod limits;
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
