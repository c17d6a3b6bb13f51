//! The models that loom explores: two threads in every interleaving, three and four with a bound on
//! preemptions (`Limits::OF_THREE`, `OF_FOUR`), weak memory included.
//!
//! One file a subject. A name says lock, actors and property; `r1` to `r9` are the invariants of
//! `siftlock_core::rwsem`. `mutants` breaks one rule after the other.

#![cfg(siftlock_model = "loom")]

mod batch;
mod downgrade;
mod engine;
mod exclusion;
mod fair;
mod free;
mod free_ids;
mod handoff;
mod holds;
mod mutants;
mod noted;
mod notes;
mod notes_end;
mod on_top;
mod overflow;
mod policy;
mod recursive;
mod slots;
mod spinners;
mod spinning;
mod stepwise;
mod symmetric;
mod timeouts;
mod token;
mod turns;
mod upgrade;
mod wakeups;

/// The names that most files need.
mod prelude {
    pub(crate) use siftlock_model::model::Model;
    pub(crate) use siftlock_model::models;
    pub(crate) use siftlock_model::policies::*;
}
