//! Time runs out: at the head, in the middle, with the lock reserved, and just as it is granted.

use crate::prelude::*;

models! {
    rwsem_deadline_in_the_past_waits_not => Model::row::<Classic>("Rp,Wp,Up W");
    /// The count never shows a share of a reader that comes too late.
    rwsem_late_reader_beside_writer_adds_nothing => Model::row::<Classic>("Rp W");
    rwsem_late_readers_beside_overdue_writer_add_nothing => Model::row::<Turns>("Rp,Rp R Wo");
    rwsem_late_recursive_reader_beside_writer_adds_nothing => Model::row::<Turns>("rp W");
    rwsem_timed_recursive_reader_beside_writer_adds_nothing => Model::row::<Turns>("rt,r? W");
    rwsem_late_noted_reader_beside_writer_adds_nothing => Model::row::<NotesReads>("Rp,Rt W");
    rwsem_late_upgradable_beside_writer_adds_nothing => Model::row::<Turns>("Up,Ut W");
    rwsem_timed_first_reader_leaves => Model::row::<Classic>("Rt W");
    rwsem_timed_first_writer_leaves => Model::row::<Classic>("Wt R");
    rwsem_timed_pair_leaves => Model::row::<Classic>("Wt,Rt Wt");
    rwsem_timed_head_and_heir => Model::row::<Classic>("R Wt W");
    rwsem_timed_waiter_in_the_middle => Model::row::<Classic>("R W Wt");
    rwsem_timed_readers_behind_writer => Model::row::<Classic>("Rt Rt W");

    /// The lock is reserved for the reader just as its time is over: the reservation must not stay.
    rwsem_timed_reader_leaves_beside_fair_unlock_r2 => Model::row::<Classic>("Wf Rt");

    /// A batch claims the reader, whose time-out races with the grant: its node stays until then.
    rwsem_timed_reader_is_claimed => Model::row::<Classic>("Rt R W");

    /// The first waiter leaves while the lock is reserved for it.
    rwsem_timed_head_leaves_with_lock_reserved => Model::row::<Classic>("R Wot");
    rwsem_timed_head_leaves_reserved_lock_to_others => Model::row::<Classic>("R Wot W");
    rwsem_timed_reader_leaves_with_lock_reserved => Model::row::<Classic>("W Rot");

    /// With the lock's own patience, the deadline passes first.
    rwsem_usual_patience_timed_pair =>
        Model::row::<Classic>("Wt Rt W").with(|setup| setup.patience = None);
}
