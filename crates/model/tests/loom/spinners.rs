//! The spinners' queue alone: one at a time has the turn, whoever gives up leaves no hole, and a
//! node can be entered again.

use crate::prelude::*;
use siftlock_core::platform::Platform;
use siftlock_core::probe::Spinners;
use siftlock_core::sync::Cell;
use siftlock_model::platform::Modelled;
use siftlock_model::scene;
use siftlock_model::world::Setup;

/// How many beats a spinner waits before it gives up, each time that it enters.
type Patience = &'static [u32];

/// Never gives up.
const EVER: u32 = u32::MAX;

/// The queue, and what the turn guards.
struct Stage {
    queue: Spinners,
    data: Cell<u32>,
}

fn spin(stage: &Stage, patience: Patience) -> u32 {
    let (me, mut turns) = (Modelled::current(), 0);
    for &beats in patience {
        let mut left = beats;
        let give_up = || {
            left = left.saturating_sub(u32::from(beats != EVER));
            left == 0
        };
        if stage.queue.enter::<Modelled>(me, give_up) {
            // SAFETY: the turn is ours; loom reports it if another has it as well.
            unsafe { stage.data.set(stage.data.get() + 1) };
            turns += 1;
            stage.queue.leave::<Modelled>(me);
        } else {
            assert_ne!(beats, EVER, "gave up");
        }
    }
    turns
}

fn spinners(setup: Setup, patience: &'static [Patience]) {
    let stage = |_: &_| Stage { queue: Spinners::new(), data: Cell::new(0) };
    let act = move |_, stage: &Stage, place: usize| spin(stage, patience[place]);
    scene::play(setup, patience.len(), stage, act, |_, stage, turns| {
        assert!(stage.queue.is_empty(), "all have left");
        // SAFETY: all have been joined.
        assert_eq!(unsafe { stage.data.get() }, turns.iter().sum::<u32>());
    });
}

fn model(patience: &'static [Patience]) -> Model {
    Model::new(move |setup| spinners(setup, patience))
        .within(|limits| limits.preemptions = if patience.len() > 2 { Some(3) } else { None })
}

models! {
    spinners_pair_takes_turns => super::model(&[&[EVER], &[EVER]]);
    spinners_pair_one_gives_up => super::model(&[&[EVER, EVER], &[1, EVER]]);
    spinners_three_take_turns => super::model(&[&[EVER], &[EVER], &[EVER]]);
    spinners_middle_gives_up => super::model(&[&[EVER], &[1], &[EVER]]);
    spinners_last_gives_up_and_comes_again => super::model(&[&[EVER], &[EVER], &[1, EVER]]);
    spinners_two_give_up => super::model(&[&[EVER], &[1], &[1]]);
}
