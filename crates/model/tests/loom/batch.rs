//! The first waiter, a reader, lets readers in from all over the queue (R1, R3).

use crate::prelude::*;

models! {
    rwsem_batch_of_two_r3 => Model::row::<Classic>("L R R").with(|setup| setup.found = 1);
    rwsem_batch_passes_over_writer_r1 =>
        Model::row::<Classic>("L R W R").with(|setup| setup.found = 1);
    rwsem_batch_stops_at_writer_r1 =>
        Model::row::<BeforePatch10>("L R W R").with(|setup| setup.found = 1);
    rwsem_batch_meets_writer_twice_r4 => Model::row::<Classic>("W,W R R");

    /// Each granted reader calls another: here the granter calls one reader, and that reader the
    /// next.
    rwsem_batch_woken_reader_calls_the_next_r5 =>
        Model::row::<OneAfterTheOther>("L R R R").with(|setup| setup.found = 1);
    rwsem_batch_granter_calls_all_r5 =>
        Model::row::<CallsAll>("L R R R").with(|setup| setup.found = 1);

    /// The reader that is first when the limit is reached is called.
    rwsem_batch_limit_calls_the_next => Model::row::<OneAtOnce>("L Rh R").with(|setup| {
        setup.found = 1;
        setup.batch = Some(1);
    });
    rwsem_batch_limit_of_two => Model::row::<TwoAtOnce>("L Rh R R").with(|setup| {
        setup.found = 1;
        setup.batch = Some(2);
    });
    /// A writer that waits comes after as many readers as can run; the other readers stay behind
    /// it.
    rwsem_batch_paced_r1 => Model::row::<Turns>("L R R W").with(|setup| {
        setup.found = 1;
        setup.processors = 1;
    });
    /// If the readers inside stay there, the readers left behind come in after all.
    rwsem_batch_refilled_r3 => Model::row::<Turns>("L Rh R Wt").with(|setup| {
        setup.found = 1;
        setup.processors = 1;
    });
    rwsem_batch_limit_behind_leaving_writer => Model::row::<OneAtOnce>("Rh R R Wt");
}
