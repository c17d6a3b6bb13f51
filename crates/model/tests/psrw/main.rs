//! Models of the priority-sifting lock: threads, and handlers that interrupt them at every step.
//!
//! | module | content |
//! | --- | --- |
//! | `world` | what one execution knows: seats, levels, clocks, the word as it stands, handlers |
//! | `sim` | the lock's platform: sleep, time, raising and restoring |
//! | `monitor` | S1 to S5, S7 and S9, held against every step |
//! | `subject` | locks of different contexts behind one face |
//! | `script` | the notation of the rows |
//! | `model` | acting out a row, in every interleaving and with handlers at every place |
//! | `holds`, `handlers`, `limits`, `mutants`, `orders` | the rows |

#![cfg(siftlock_model = "loom")]

mod handlers;
mod holds;
mod limits;
mod model;
mod monitor;
mod mutants;
mod orders;
mod script;
mod sim;
mod subject;
mod world;
