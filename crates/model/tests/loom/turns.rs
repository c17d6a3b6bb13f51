//! The lock as it is meant to be used: readers join readers, phases alternate, passing ends by
//! count, and a first waiter that is beaten dozes.

use crate::prelude::*;

models! {
    rwsem_turns_reader_and_writer_exclude_r4 => Model::row::<Turns>("R W");
    rwsem_turns_reader_twice_r5 => Model::row::<Turns>("R,R W");
    rwsem_turns_readers_join_r4 => Model::row::<Turns>("R R W");
    rwsem_turns_writers_pass_r4 => Model::row::<Turns>("W,W W");
    rwsem_turns_reader_and_writers_r4 => Model::row::<Turns>("R W W");
    rwsem_turns_readers_and_writers_r1 => Model::row::<Turns>("R R W W");
    rwsem_turns_timed_writer_r5 => Model::row::<Turns>("Rh R Wt");
    rwsem_turns_timed_readers => Model::row::<Turns>("Rt R W");
    rwsem_turns_upgrade => Model::row::<Turns>("Uu R W");
    rwsem_turns_timed_upgrade => Model::row::<Turns>("Uut R Wo");
    rwsem_turns_downgrade => Model::row::<Turns>("Wd R W");

    /// After a writer the first reader comes, from wherever it waits (R1).
    rwsem_turns_reader_follows_writer_r1 => Model::row::<Turns>("L W W R")
        .with(|setup| setup.found = 1);

    /// Readers join no more once the lock is reserved.
    rwsem_turns_overdue_writer_is_not_passed_r9 => Model::row::<Turns>("R,R Wo");

    /// A writer that becomes the first beside readers is told, so that it watches its time.
    rwsem_turns_heir_watches_its_time => Model::row::<Turns>("B Wt Wo")
        .with(|setup| setup.found = 1 << 8);

    /// A writer that comes first behind a batch whose readers stay is told as well.
    rwsem_turns_heir_of_batch_watches_its_time => Model::row::<Turns>("L Rb Wo")
        .with(|setup| setup.found = 1);

    /// Nobody passes the same waiter twice.
    rwsem_turns_passing_ends => Model::row::<Turns>("W,W,W,W W")
        .with(|setup| setup.passes = Some(1))
        .preempted(Some(3));
    rwsem_turns_joining_ends => Model::row::<Turns>("R,R,R R W")
        .with(|setup| setup.passes = Some(2));

    /// A beaten first waiter dozes: no plain unlock calls it, and it looks again by itself.
    rwsem_turns_beaten_writer_dozes => Model::row::<Counted>("W,W W")
        .preempted(Some(4));

    /// The first waiter's time comes while it dozes. It reserves the lock in two steps, of which
    /// the first ends the doze. Others come and go between the two.
    rwsem_turns_dozing_writer_reserves_r2 => Model::row::<Counted>("W,W,W W")
        .with(|setup| setup.patience = Some(1))
        .preempted(Some(3));

    /// Once the lock is reserved for a dozing waiter, the waiter is called (R5).
    rwsem_turns_dozing_writer_is_called_r5 => Model::row::<Turns>("W,W,W,W W")
        .preempted(Some(3));

    /// A waiter that nobody heeds was called before, and has no other limit to its sleep.
    rwsem_turns_unheeded_writer_is_called_r5 => unheeded("W L,W,W,W,W");
    rwsem_turns_unheeded_writer_beside_reader_r5 => unheeded("W L,W,R,W,R,W,R").preempted(Some(1));
    rwsem_turns_unheeded_reader_r5 => unheeded("R L,W,W,W,W,R").preempted(Some(1));
    rwsem_turns_unheeded_upgrade_r5 => unheeded("Uu L,W,W,W,W,R").preempted(Some(1));
    rwsem_turns_unheeded_timed_writer => unheeded("Wt L,W,W,W,W,R");
    rwsem_turns_unheeded_writer_and_fair_unlock_r5 => unheeded("W L,W,W,W,Wf");
}

/// The last actor unlocks the lock, and passes the waiters.
fn unheeded(script: &'static str) -> Model {
    Model::row::<TurnsByTime>(script).with(|setup| setup.found = 1).preempted(Some(2))
}
