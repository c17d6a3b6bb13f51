//! The models that shuttle tries: more threads than loom can take, in random schedules, always the
//! same (`engine::shuttle::SEED`).

#![cfg(siftlock_model = "shuttle")]

mod crowd;
mod engine;
mod mutants;
mod spinning;
mod starvation;

/// The names that most files need.
mod prelude {
    pub(crate) use siftlock_model::model::Model;
    pub(crate) use siftlock_model::models;
    pub(crate) use siftlock_model::policies::*;
}
