//! The spinners' queue alone: one spinner at a time has the turn, a spinner that gives up leaves no
//! hole, and a node can be entered again.

use crate::prelude::*;
use siftlock_core::platform::Platform;
use siftlock_core::probe::Spinners;
use siftlock_core::sync::Cell;
use siftlock_model::engine::Limits;
use siftlock_model::platform::Modelled;
use siftlock_model::scene;
use siftlock_model::world::{Setup, Spin, World};
use std::cell::Cell as StdCell;

/// How a spinner behaves when it enters.
#[derive(Clone, Copy, PartialEq)]
enum Enters {
    /// Waits for its turn and leaves at once.
    ForEver,
    /// Waits for its turn and keeps it until all that give up have gone.
    ToKeep,
    /// Gives up if its turn does not come at once.
    ToGiveUp,
}

use Enters::{ForEver, ToGiveUp, ToKeep};

/// One spinner's behaviour, entry by entry.
type Times = &'static [Enters];

/// The queue, the data that the turn guards, and how many that give up are still to go.
struct Stage {
    queue: Spinners,
    data: Cell<u32>,
    to_go: StdCell<usize>,
}

fn spin(world: &World, stage: &Stage, times: Times) -> u32 {
    let (me, mut turns) = (Modelled::current(), 0);
    for &enters in times {
        if stage.queue.enter::<Modelled>(me, || enters == ToGiveUp) {
            // SAFETY: the turn is ours; loom reports it if another thread has it as well.
            unsafe { stage.data.set(stage.data.get() + 1) };
            turns += 1;
            if enters == ToKeep {
                world.stay_while(|| stage.to_go.get() > 0);
            }
            stage.queue.leave::<Modelled>(me);
        } else {
            assert!(enters == ToGiveUp, "gave up");
        }
        if enters == ToGiveUp {
            stage.to_go.set(stage.to_go.get() - 1);
            world.let_go();
        }
    }
    turns
}

fn spinners(setup: Setup, spinners: &'static [Times]) {
    let to_go = spinners.iter().flat_map(|times| times.iter()).filter(|&&e| e == ToGiveUp).count();
    let stage =
        |_: &_| Stage { queue: Spinners::new(), data: Cell::new(0), to_go: StdCell::new(to_go) };
    let act = move |world, stage: &Stage, place: usize| spin(world, stage, spinners[place]);
    scene::play(setup, spinners.len(), stage, act, |_, stage, turns| {
        assert!(stage.queue.is_empty(), "all have left");
        // SAFETY: all have been joined.
        assert_eq!(unsafe { stage.data.get() }, turns.iter().sum::<u32>());
    });
}

/// Preemptions where a spinner comes again.
const OF_AGAIN: usize = 3;

/// Preemptions in a model of four spinners: the smallest number that shows a wrong order of links.
const OF_FOUR: usize = 4;

/// Two spinners in every interleaving, weak memory included; more with their loads always up to
/// date.
fn model(all: &'static [Times]) -> Model {
    let again = all.iter().any(|times| times.len() > 1);
    let bound = match all.len() {
        _ if again => Some(OF_AGAIN),
        2 => None,
        3 => Some(Limits::OF_THREE),
        _ => Some(OF_FOUR),
    };
    Model::new(move |setup| spinners(setup, all))
        .preempted(bound)
        .with(|setup| setup.spin = if all.len() > 2 { Spin::Timeless } else { Spin::No })
}

models! {
    spinners_pair_takes_turns => super::model(&[&[ForEver], &[ForEver]]);
    spinners_pair_one_gives_up => super::model(&[&[ForEver], &[ToGiveUp]]);
    spinners_pair_one_comes_again => super::model(&[&[ForEver], &[ToGiveUp, ForEver]]);
    spinners_three_take_turns => super::model(&[&[ForEver], &[ForEver], &[ForEver]]);
    spinners_middle_gives_up => super::model(&[&[ForEver], &[ToGiveUp], &[ForEver]]);
    spinners_last_gives_up_and_comes_again =>
        super::model(&[&[ForEver], &[ForEver], &[ToGiveUp, ForEver]]);
    spinners_two_give_up_and_last_comes_again =>
        super::model(&[&[ToKeep], &[ToGiveUp], &[ToGiveUp, ForEver]]);
    spinners_first_comes_again => super::model(&[&[ForEver, ForEver], &[ToGiveUp], &[ForEver]]);

    /// A spinner can give up, whatever the spinner with the turn does.
    spinners_two_give_up => super::model(&[&[ToKeep], &[ToGiveUp], &[ToGiveUp]]);
    spinners_three_give_up => super::model(&[&[ToKeep], &[ToGiveUp], &[ToGiveUp], &[ToGiveUp]]);
}
