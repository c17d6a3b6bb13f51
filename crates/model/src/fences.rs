//! The heavy fence as a system makes it: every thread that runs passes a full fence at one of its
//! own steps, before the caller goes on.
//!
//! A model that does not ask for that ([`Fences::Light`](crate::world::Fences)) has full fences on
//! both sides instead, and fewer executions. Full fences hide code that relies on a light fence
//! where no heavy one comes.

use crate::engine::thread;
use crate::world::World;
use siftlock_core::sync::{full_fence, lighten_fences, watch};

/// Prepares the fences, before the threads of an execution are made.
pub(crate) fn begin(asymmetric: bool) {
    lighten_fences(asymmetric);
    watch::interrupt_by(asymmetric.then_some(pass as fn()));
}

/// The calling thread is about to make a step. It first passes a full fence, if another thread has
/// begun a heavy fence meanwhile.
fn pass() {
    let world = World::now();
    let me = world.me();
    me.runs.set(true);
    let fences = world.fences.get();
    if me.fenced.replace(fences) != fences {
        full_fence();
    }
}

/// The calling thread does not run from now on, until its next step.
pub(crate) fn leave() {
    let world = World::now();
    if world.setup.fences.are_light() {
        full_fence();
        world.me().runs.set(false);
    }
}

/// The heavy fence.
pub(crate) fn heavy_fence() {
    full_fence();
    let world = World::now();
    if !world.setup.fences.are_light() {
        return;
    }
    let number = world.fences.get() + 1;
    world.fences.set(number);
    pass();
    while world.seats.iter().any(|seat| seat.runs.get() && seat.fenced.get() < number) {
        thread::yield_now();
        pass();
    }
    full_fence();
}
