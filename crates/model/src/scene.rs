//! A scene: some threads, what they share, and an end at which all of them are done.

use crate::engine::thread;
use crate::fences;
use crate::world::{Setup, World};
use std::sync::Arc;

/// Plays one execution: `threads` threads act on a new `stage`, each knowing its place. Returns the
/// stage as they leave it, and what each says, while the world is still there; so `ended` looks at
/// both.
///
/// # Panics
/// If one of the threads does.
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
                // The whole of it: a part would not be `Send`.
                let stage = stage;
                let world = World::now();
                world.sit(place);
                let said = act(world, &stage.0, place);
                fences::leave();
                said
            })
        })
        .collect();
    // The first is the thread that is there already: one fewer to switch between.
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

/// What the threads of a model share, `Sync` or not: they are the engine's, and one runs at a time.
struct Shared<S>(Arc<S>);

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

// SAFETY: never leaves the OS thread that runs the model.
unsafe impl<S> Send for Shared<S> {}
