//! A waiter that is overdue reserves the lock (R2), and then no other gets in (R9).

use crate::prelude::*;

models! {
    rwsem_overdue_writer_is_not_passed_r9 => Model::row::<Classic>("R,R Wo");
    rwsem_overdue_writer_among_writers_r9 => Model::row::<Classic>("W,W W Wo");
    rwsem_overdue_reader_among_writers_r9 => Model::row::<Classic>("W,W Ro");
    rwsem_reservation_is_set_once_r2 => Model::row::<Classic>("R Wot Wo");
    rwsem_all_overdue_r9 => Model::row::<Classic>("Ro Wo Wo");

    /// The lock stays held until it is reserved. The first waiter has to watch its time itself,
    /// unless a writer's unlock calls it.
    rwsem_head_reserves_a_lock_that_stays_held => Model::row::<Classic>("B Wo")
        .with(|setup| setup.found = 1);
    rwsem_head_becomes_overdue_by_itself => Model::row::<Classic>("B W").with(|setup| {
        setup.found = 1 << 8;
        setup.patience = None;
    });
    rwsem_usual_patience_with_calls_first => Model::row::<Classic>("W R,R W").with(|setup| {
        setup.patience = None;
        setup.lazy = true;
    });

    /// Two writers in lockstep, a third overdue: the third may lose the lock once, not again and
    /// again.
    rwsem_overdue_writer_loses_once => Model::row::<Classic>("W,W W,W Wo")
        .preempted(Some(3));
}
