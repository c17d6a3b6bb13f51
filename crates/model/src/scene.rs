//! A scene: some threads, the state that they share, and an end at which all of them are done.

use crate::engine::thread;
use crate::fences;
use crate::world::{Setup, World};
use std::sync::Arc;

/// Plays one execution: `threads` threads act on a new `stage`, each knowing its place. Then
/// `ended` looks at the stage as they leave it, and at the result of each, while the world is still
/// there.
///
/// # Panics
/// If one of the threads panics.
pub fn play<S: 'static, R: Send + 'static>(
    setup: Setup,
    threads: usize,
    stage: impl FnOnce(&'static World) -> S,
    act: impl Fn(&'static World, &S, usize) -> R + Clone + Send + 'static,
    ended: impl FnOnce(&'static World, S, Vec<R>),
) {
    let world = World::begin(setup, threads);
    let stage = Shared(Arc::new(stage(world)));
    let others: Vec<_> = (1..threads)
        .map(|place| {
            let (stage, act) = (stage.clone(), act.clone());
            thread::spawn(move || {
                // Captures the whole of it: a part would not be `Send`.
                let stage = stage;
                let world = World::now();
                world.sit(place);
                let said = act(world, &stage.0, place);
                fences::leave();
                said
            })
        })
        .collect();
    // The thread that is there already has place 0: one fewer to switch between.
    world.sit(0);
    let mut said = vec![act(world, &stage.0, 0)];
    fences::leave();
    for other in others {
        said.push(other.join().expect("a thread that fails fails the model"));
    }
    let stage = Arc::into_inner(stage.0).expect("the others are done with it");
    ended(world, stage, said);
    world.end();
}

/// The stage of a model's threads, `Sync` or not: the threads are the engine's, and one runs at a
/// time.
struct Shared<S>(Arc<S>);

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

// SAFETY: the stage never leaves the OS thread that runs the model.
unsafe impl<S> Send for Shared<S> {}
