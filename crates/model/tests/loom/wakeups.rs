//! No call is lost (R5): every waiter is called, so all actors come to their end.

use crate::prelude::*;

models! {
    rwsem_reader_and_writer_lose_no_call_r5 => Model::row::<Classic>("R W");
    rwsem_reader_twice_and_writer_lose_no_call_r5 => Model::row::<Classic>("R,R W");
    rwsem_queueing_reader_takes_back_its_share_r5 => Model::row::<Classic>("R,R W W");
    rwsem_reader_in_passing_beside_writer_r5 => Model::row::<Classic>("Rp R W");
    rwsem_leaving_head_calls_its_heir_r5 => Model::row::<Classic>("R,R Wt,W");
    rwsem_leaving_writer_calls_reader_behind_reader_r5 => Model::row::<Classic>("Rh R Wt");
    rwsem_leaving_head_among_writers_r5 => Model::row::<Classic>("W Wt W");

    /// Four threads: a passing reader's share hides that the lock is free for readers.
    rwsem_write_unlock_calls_beside_passing_share_r5 =>
        Model::row::<Classic>("L R R rh")
            .with(|setup| setup.found = 1)
            .preempted(Some(3));
}
