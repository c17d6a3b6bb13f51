//! The first waiter, a reader, lets readers in from all over the queue (R1, R3).

use crate::prelude::*;

models! {
    rwsem_batch_of_two_r3 => Model::row::<NoDirectGrant>("L R R").with(|setup| setup.found = 1);
    rwsem_batch_with_direct_grant_r3 =>
        Model::row::<Classic>("L R R").with(|setup| setup.found = 1);
    rwsem_batch_passes_over_writer_r1 =>
        Model::row::<Classic>("L R W R").with(|setup| setup.found = 1);
    rwsem_batch_stops_at_writer_r1 =>
        Model::row::<BeforePatch10>("L R W R").with(|setup| setup.found = 1);
    rwsem_batch_meets_writer_twice_r4 => Model::row::<NoDirectGrant>("W,W R R");

    /// Who is first when the limit is reached goes on.
    rwsem_batch_limit_calls_the_next => Model::row::<OneAtOnce>("L Rh R")
        .with(|setup| setup.found = 1);
    rwsem_batch_limit_of_two => Model::row::<TwoAtOnce>("L Rh R R")
        .with(|setup| setup.found = 1);
    rwsem_batch_limit_behind_leaving_writer => Model::row::<OneAtOnce>("Rh R R Wt");
}
