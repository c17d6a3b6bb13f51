//! A handler waits for the lock on top of its own thread's wait, which cannot take the lock
//! meanwhile. In a row, `i` is the handler: it reads.

use crate::prelude::*;
use siftlock_model::engine::Limits;
use siftlock_model::world::Setup;

models! {
    rwsem_reader_on_top_of_reader_r5 => Model::row::<Turns>("Ri W");
    rwsem_reader_on_top_of_writer_r5 => Model::row::<Turns>("Wi W");
    rwsem_reader_on_top_of_timed_reader_r5 => Model::row::<Turns>("Rti W");
    rwsem_reader_on_top_of_overdue_writer_r9 => Model::row::<Turns>("Woi W");
    rwsem_reader_on_top_of_writer_among_readers => Model::row::<Turns>("Wi R");
    rwsem_reader_on_top_of_reader_without_turns_r5 => Model::row::<Classic>("Ri W");

    /// No handler comes while the writer waits for the slot.
    rwsem_reader_on_top_of_writer_that_waits_for_a_slot_r5 => Model::row::<Slots>("R Wi")
        .with(Setup::biased)
        .preempted(Some(Limits::OF_TWO));

    /// With one processor the first reader's batch is that reader alone, and the writer below comes
    /// to the front.
    rwsem_reader_on_top_is_overtaken_by_the_wait_below => Model::row::<Turns>("R Wi L")
        .with(written)
        .with(|setup| setup.processors = 1)
        .preempted(Some(Limits::OF_FOUR));
    /// A batch has let the reader below in when the handler begins to wait.
    rwsem_reader_on_top_of_a_granted_reader_r9 => Model::row::<Classic>("R Ri L,Wo")
        .with(written)
        .preempted(Some(Limits::OF_FOUR));
}

/// The lock is found with a writer inside.
fn written(setup: &mut Setup) {
    setup.found = 1;
}
