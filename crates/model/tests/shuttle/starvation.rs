//! Nobody waits for ever: readers that roll, each coming before the last has gone, and writers that
//! come back at once, against one that waits.

use crate::prelude::*;
use siftlock_model::monitor::SHARE;

models! {
    /// The lock is never free: a reader stays inside until the lock is reserved, and others come
    /// and go. The writer has to see to it itself.
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

    /// Overdue, a writer may lose the lock once more, and not twice.
    rwsem_thieves_in_lockstep_do_not_starve_writer => Model::row::<Classic>("W,W,W W,W,W Wo");

    /// Who passes it, for writing or joining readers, counts.
    rwsem_turns_thieves_end_by_count => Model::row::<Turns>("W,W,W W,W,W W")
        .with(|setup| setup.passes = Some(1));
    rwsem_turns_joining_readers_end_by_count => Model::row::<Turns>("R,R,R,R R,R,R,R R,R,R W")
        .with(|setup| setup.passes = Some(2));

    /// The same for a reader.
    rwsem_thieves_do_not_starve_reader => Model::row::<Classic>("W,W,W W,W,W Ro");
}
