//! A writer is alone, readers are not (R4), and at rest nothing is left (R6).

use crate::prelude::*;

models! {
    rwsem_readers_share_r4 => Model::row::<Classic>("R R");
    rwsem_reader_and_writer_exclude_r4 => Model::row::<Classic>("R W");
    rwsem_writers_exclude_r4 => Model::row::<Classic>("W W");
    rwsem_writer_twice_and_reader_exclude_r4 => Model::row::<Classic>("W,W R");
    rwsem_readers_and_writer_exclude_r4 => Model::row::<Classic>("R R W");
    rwsem_reader_and_writers_exclude_r4 => Model::row::<Classic>("R W W");
    rwsem_three_writers_exclude_r4 => Model::row::<Classic>("W W W");
    rwsem_two_of_each_exclude_r4 => Model::row::<Classic>("R R W W");

    /// A try takes the lock, or leaves no trace (R6).
    rwsem_tries_exclude_r4 => Model::row::<Classic>("R? W? W?");
    rwsem_tries_among_waiters_leave_no_trace_r6 => Model::row::<Classic>("R? W W?");
    rwsem_upgradable_try_leaves_no_trace_r6 => Model::row::<Classic>("U? U W");
    rwsem_try_that_looks_first_excludes_r4 => Model::row::<LoadFirst>("R?,R? W");
}
