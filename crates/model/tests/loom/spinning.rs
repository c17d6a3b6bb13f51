//! Optimistic spinning: bounded, whatever the owner does, and no thread is lost by it.

use crate::prelude::*;
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::rwsem::{Refused, RwSem};
use siftlock_model::platform::Modelled;

/// Each look at the clock takes so long, in nanoseconds: few looks make a spin.
const BEAT: u64 = 20_000;

/// Readers have held the lock for too long: the first spinner finds out, the next one does not spin.
fn second_spinner_is_forbidden(lock: &RwSem<Modelled, Classic>) {
    let looks = || {
        let before = Modelled::now();
        let past = Some(Instant::from_nanos(before.as_nanos() + BEAT * 100));
        assert!(!lock.try_write());
        assert_eq!(lock.write_until(past), Err(Refused::TimedOut));
        before
    };
    let (first, second) = (looks(), looks());
    let third = Modelled::now();
    let (spun, slept) = (second.nanos_since(first), third.nanos_since(second));
    assert!(slept < spun, "the second spent {slept} ns, the first {spun} ns");
}

models! {
    rwsem_spinning_writers_exclude_r4 => Model::row::<Classic>("W W")
        .with(|setup| setup.tick = BEAT);
    rwsem_spinning_writer_beside_reader => Model::row::<Classic>("R W")
        .with(|setup| setup.tick = BEAT);

    /// The owner was interrupted between taking the lock and signing.
    rwsem_spin_on_unsigned_owner_is_bounded => Model::row::<Classic>("Wt").with(|setup| {
        setup.tick = BEAT;
        setup.found = 1;
    });
    rwsem_spinners_on_unsigned_owner_are_bounded => Model::row::<Classic>("Wt Wt").with(|setup| {
        setup.tick = BEAT;
        setup.found = 1;
    });
    rwsem_spinning_is_forbidden_by_the_first => Model::alone(second_spinner_is_forbidden)
        .with(|setup| {
            setup.tick = BEAT / 10;
            setup.found = 1 << 8;
        });
}
