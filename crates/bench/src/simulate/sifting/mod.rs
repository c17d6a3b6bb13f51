//! The priority-sifting lock on a simulated machine, with interrupts.
//!
//! * [`locks`]: that lock, and the spinning one that it replaces
//! * [`site`]: the lock, the data, and the measurements of each thread and handler
//! * [`cast`]: which threads read and write, on which processor
//! * [`delays`]: how long it takes to take and to release a lock (E5)
//! * [`curve`]: how long a writer keeps interrupts out, by the number of readers (E4)
//! * [`source`]: the published figures of E5
//! * [`show`]: the tables
//! * [`mod@counts`]: exact counts per operation

mod cast;
mod counts;
mod curve;
mod delays;
mod locks;
mod show;
mod site;
mod source;

pub(super) use self::counts::counts;
pub(super) use self::show::{delays_table, sifting_table};
