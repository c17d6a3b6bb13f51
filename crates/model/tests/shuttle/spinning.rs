//! Optimistic spinning with several spinners: none is lost, and none spins on a lock that is
//! reserved (R9).

use crate::prelude::*;
use siftlock_model::world::{Setup, Spin};

/// Each look at the clock takes so long, in nanoseconds.
fn timed(setup: &mut Setup) {
    setup.spin = Spin::Timed(10_000);
}

models! {
    rwsem_spinning_crowd => Model::row::<Classic>("W,W W,W W,W R,R").with(timed);
    rwsem_spinning_crowd_with_time_limits => Model::row::<Classic>("Wt,W Wt W,Wt R W").with(timed);
    rwsem_spinning_crowd_of_many_readers => Model::row::<Classic>("R,R R,R W,W W").with(timed);
    rwsem_turns_spinning_crowd => Model::row::<Turns>("W,W W,W W,W R,R").with(timed);

    /// A writer that finds the lock reserved queues. A writer that spins before that does so for
    /// one look. Engines let others run when a thread spins, and otherwise all would have begun
    /// before the lock is reserved.
    rwsem_reserved_lock_is_not_spun_on_r9 => Model::row::<Classic>("Wb Wo Wo")
        .with(|setup| setup.spin = Spin::Timed(100_000));
}
