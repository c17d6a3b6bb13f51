//! The park token alone: a call is kept for the next park, and orders memory.

use crate::prelude::*;
use siftlock_core::platform::Platform;
use siftlock_core::probe::{park, unpark};
use siftlock_core::sync::{AtomicU32, Ordering};
use siftlock_model::platform::Modelled;
use siftlock_model::scene;
use siftlock_model::world::Setup;

/// The first thread sleeps until all others have come, each of which calls it.
fn sleeper_and_callers(setup: Setup, threads: usize) {
    let calls = |_: &_| AtomicU32::new(0);
    let act = move |_, calls: &AtomicU32, place: usize| {
        let sleeper = Modelled::record(siftlock_core::wait::RecordId::new(1).expect("an id"));
        if place > 0 {
            // Relaxed: it is the token that has to order it.
            calls.fetch_add(1, Ordering::Relaxed);
            return unpark::<Modelled>(sleeper);
        }
        while calls.load(Ordering::Relaxed) as usize + 1 < threads {
            park::<Modelled>(sleeper, None);
        }
    };
    scene::play(setup, threads, calls, act, |_, calls, _| {
        assert_eq!(calls.load(Ordering::Relaxed) as usize + 1, threads);
    });
}

models! {
    token_caller_wakes_sleeper => Model::new(|setup| sleeper_and_callers(setup, 2))
        .within(|limits| limits.preemptions = None);
    token_callers_wake_sleeper => Model::new(|setup| sleeper_and_callers(setup, 3))
        .within(|limits| limits.preemptions = None);
}
