//! The park token alone: a call is kept for the next park, and orders memory.

use crate::prelude::*;
use siftlock_core::platform::Platform;
use siftlock_core::probe::{Wait, park, unpark};
use siftlock_core::sync::{AtomicU32, Ordering};
use siftlock_model::platform::Modelled;
use siftlock_model::scene;
use siftlock_model::world::Setup;

/// The first thread sleeps until all others have come, each of which calls it.
fn sleeper_and_callers(setup: Setup, threads: usize) {
    let calls = |_: &_| AtomicU32::new(0);
    let act = move |_, calls: &AtomicU32, place: usize| {
        let sleeper = Modelled::record(siftlock_core::record::RecordId::new(1).expect("an id"));
        if place > 0 {
            // Relaxed: the token has to order it.
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

/// Two words: the first thread is called once for each.
type Calls = [AtomicU32; 2];

/// The first thread has begun to wait. Before it sleeps, a handler interrupts it that waits as
/// well. The parks of the handler's wait take calls for either.
fn sleeper_on_top_of_itself(setup: Setup) {
    let calls = |_: &_| -> Calls { [AtomicU32::new(0), AtomicU32::new(0)] };
    let act = |_, calls: &Calls, place: usize| {
        let sleeper = Modelled::record(siftlock_core::record::RecordId::new(1).expect("an id"));
        if place > 0 {
            // Relaxed: as above.
            calls[place - 1].store(1, Ordering::Relaxed);
            return unpark::<Modelled>(sleeper);
        }
        let until_called = |call: &AtomicU32| {
            // It looks after it has slept, like a waiter that is known already.
            loop {
                park::<Modelled>(sleeper, None);
                if call.load(Ordering::Relaxed) != 0 {
                    return;
                }
            }
        };
        let _below = Wait::begin(sleeper);
        let above = Wait::begin(sleeper);
        until_called(&calls[0]);
        drop(above);
        until_called(&calls[1]);
    };
    scene::play(setup, 3, calls, act, |_, _, _| {});
}

models! {
    token_caller_wakes_sleeper => Model::new(|setup| sleeper_and_callers(setup, 2))
        .preempted(None);
    token_call_for_a_wait_below_another_is_kept => Model::new(sleeper_on_top_of_itself)
        .preempted(None);
    token_callers_wake_sleeper => Model::new(|setup| sleeper_and_callers(setup, 3))
        .preempted(None);
}
