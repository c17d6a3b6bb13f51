//! The stack of free ids alone: no id has two owners, and an owner sees the writes of the one
//! before.

use crate::prelude::*;
use siftlock_core::record::{FreeIds, RecordId};
use siftlock_core::sync::{AtomicU32, Cell};
use siftlock_model::world::Setup;
use siftlock_model::{monitor, scene};

/// The fewest that show a wrong link.
const IDS: u32 = 2;

/// The stack, and the link and data of each id.
struct Stage {
    free: FreeIds,
    links: Vec<AtomicU32>,
    data: Vec<Cell<u32>>,
}

impl Stage {
    /// All ids are free, the least first.
    fn new() -> Self {
        let links = (0..IDS).map(|_| AtomicU32::new(0)).collect();
        let data = (0..IDS).map(|_| Cell::new(0)).collect();
        let stage = Self { free: FreeIds::new(), links, data };
        let ids = (1..=IDS).rev().filter_map(RecordId::new);
        ids.for_each(|id| stage.push(id));
        stage
    }

    fn link(&self, id: RecordId) -> &AtomicU32 {
        &self.links[id.get() as usize - 1]
    }

    fn push(&self, id: RecordId) {
        self.free.push(id, self.link(id));
    }

    fn pop(&self) -> Option<RecordId> {
        let id = self.free.pop(|id| self.link(id))?;
        let data = &self.data[id.get() as usize - 1];
        // SAFETY: the id is ours; loom reports it if another thread has it as well.
        unsafe { data.set(data.get() + 1) };
        Some(id)
    }
}

/// One thread's steps: `+` pops an id, `-` pushes the one that it popped first.
fn act(stage: &Stage, steps: &str) {
    let mut mine = Vec::new();
    for step in steps.chars() {
        match step {
            '+' => mine.extend(stage.pop()),
            _ if mine.is_empty() => {}
            _ => stage.push(mine.remove(0)),
        }
    }
    mine.into_iter().for_each(|id| stage.push(id));
}

fn model(threads: &'static [&'static str]) -> Model {
    Model::new(move |setup: Setup| {
        // The stack's head is no lock's count.
        monitor::look_away();
        let acts = move |_, stage: &Stage, place: usize| act(stage, threads[place]);
        scene::play(
            setup,
            threads.len(),
            |_: &_| Stage::new(),
            acts,
            |_, stage, _| {
                let mut all: Vec<_> =
                    std::iter::from_fn(|| stage.pop()).map(RecordId::get).collect();
                all.sort_unstable();
                assert_eq!(all, (1..=IDS).collect::<Vec<_>>(), "each is there once");
            },
        );
    })
    .preempted(None)
}

models! {
    free_ids_pass_from_thread_to_thread => super::model(&["+-", "+-"]);
    free_ids_first_comes_back_while_another_pops => super::model(&["++", "++-"]);
}
