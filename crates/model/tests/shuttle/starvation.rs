//! No waiter starves: neither behind readers that roll, each coming before the last has gone, nor
//! behind writers that come back at once.

use crate::prelude::*;
use siftlock_model::monitor::SHARE;

models! {
    /// The lock is never free: a reader stays inside until the lock is reserved, and others come
    /// and go. The writer has to reserve it by itself.
    rwsem_rolling_readers_do_not_starve_writer => Model::row::<Classic>("B R,R,R R,R,R W")
        .with(|setup| {
            setup.found = SHARE;
            setup.patience = None;
        });
    rwsem_turns_rolling_readers_do_not_starve_writer =>
        Model::row::<Counted>("B R,R,R,R R,R,R,R W").with(|setup| {
            setup.found = SHARE;
            setup.patience = None;
        });

    /// An overdue writer may lose the lock once more, and not twice.
    rwsem_thieves_in_lockstep_do_not_starve_writer => Model::row::<Classic>("W,W,W W,W,W Wo");

    /// Each pass of the first waiter counts, for writing or joining readers.
    rwsem_turns_thieves_end_by_count => Model::row::<Turns>("W,W,W W,W,W W")
        .with(|setup| setup.passes = Some(1));
    rwsem_turns_joining_readers_end_by_count => Model::row::<Turns>("R,R,R,R R,R,R,R R,R,R W")
        .with(|setup| setup.passes = Some(2));

    /// Writers in lockstep do not starve an overdue reader.
    rwsem_thieves_do_not_starve_reader => Model::row::<Classic>("W,W,W W,W,W Ro");
}
