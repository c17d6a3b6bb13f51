//! Optimistic spinning: bounded, whatever the owner does, and no thread is lost by it.

use crate::prelude::*;
use siftlock_core::platform::Platform;
use siftlock_core::rwsem::{Refused, RwSem};
use siftlock_model::platform::Modelled;
use siftlock_model::world::{Spin, World};

/// How long each look at the clock takes, in nanoseconds: few looks make a spin.
const BEAT: u64 = 20_000;

/// Readers have held the lock for too long. The first spinner finds out, and the next one does not
/// spin.
fn second_spinner_is_forbidden(lock: &RwSem<Modelled, Classic>) {
    let world = World::now();
    let looks_at_the_clock = || {
        let before = world.looks();
        let soon = Modelled::now().after(BEAT * 10);
        assert_eq!(lock.write_until(Some(soon)), Err(Refused::TimedOut));
        world.looks() - before
    };
    let (first, second) = (looks_at_the_clock(), looks_at_the_clock());
    assert!(second < first, "the second spinner looks {second} times, the first {first} times");
}

models! {
    rwsem_spinning_writers_exclude_r4 => Model::row::<Classic>("W W")
        .with(|setup| setup.spin = Spin::Timed(BEAT));
    rwsem_spinning_writer_beside_reader => Model::row::<Classic>("R W")
        .with(|setup| setup.spin = Spin::Timed(BEAT));

    /// A reader waits awake for a writer to leave, its share in the count.
    rwsem_spinning_reader_beside_writer_r4 => Model::row::<Turns>("R W")
        .with(|setup| setup.spin = Spin::Timed(BEAT));
    rwsem_spinning_reader_gives_up_beside_a_writer_that_stays_r4 => Model::row::<Turns>("Rt Wh")
        .with(|setup| setup.spin = Spin::Timed(BEAT));
    /// The reader has no deadline, and its share in the count. The writer leaves once the lock is
    /// reserved for the reader.
    rwsem_spinning_reader_queues_behind_a_writer_that_stays_r4 => Model::row::<Turns>("Ro Wb")
        .with(|setup| setup.spin = Spin::Timed(BEAT));
    rwsem_spinning_reader_does_not_join_a_reserved_lock_r9 => Model::row::<Turns>("R W Wo")
        .with(|setup| setup.spin = Spin::Timed(BEAT))
        .preempted(Some(3));

    /// A writer that readers keep out asks readers that come to let it by. It asks no more once it
    /// is in.
    rwsem_spinner_asks_readers_r4 => Model::row::<Turns>("L W R")
        .with(|setup| {
            setup.spin = Spin::Timed(BEAT / 2);
            setup.found = 1 << 8;
        })
        .preempted(Some(2));
    /// A spinner that gives up asks no more.
    rwsem_spinner_that_gives_up_asks_no_more_r6 => Model::row::<Turns>("Wt R").with(|setup| {
        setup.spin = Spin::Timed(BEAT / 2);
        setup.found = 1 << 8;
    });

    /// The owner was interrupted between taking the lock and signing.
    rwsem_spin_on_unsigned_owner_is_bounded => Model::row::<Classic>("Wt").with(|setup| {
        setup.spin = Spin::Timed(BEAT);
        setup.found = 1;
    });
    rwsem_spinners_on_unsigned_owner_are_bounded => Model::row::<Classic>("Wt Wt")
        .with(|setup| {
            setup.spin = Spin::Timed(BEAT);
            setup.found = 1;
        })
        .preempted(Some(3));
    rwsem_spinning_is_forbidden_by_the_first => Model::alone(second_spinner_is_forbidden)
        .with(|setup| {
            setup.spin = Spin::Timed(BEAT / 10);
            setup.found = 1 << 8;
        });
}
