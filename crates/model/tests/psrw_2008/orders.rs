//! A row for each memory order, which falls when the order is Relaxed.

use crate::model::falls;
use crate::subject::{IrqAlone, Threads};
use crate::world::Setup;

/// The failure takes one preemption more than such rows have.
fn deeper(setup: &mut Setup) {
    setup.deeper = 1;
}

falls! {
    psrw_2008_reader_sees_torn_data_if_it_enters_relaxed: Threads, "R W", EntersRelaxed;
    psrw_2008_writer_overtakes_reader_that_leaves_relaxed: Threads, "R W", ReadUnlockRelaxed;
    psrw_2008_reader_overtakes_writer_that_leaves_relaxed: Threads, "R W", FastWriteUnlockRelaxed;
    psrw_2008_writer_overtakes_reader_if_seen_relaxed: Threads, "R W", SeenRelaxed;
    psrw_2008_writer_misses_reader_that_leaves_slow_path_relaxed: Threads, "R,W W,R", SlowReaderLeavesRelaxed;
    psrw_2008_slow_reader_overtakes_writer_that_lets_it_in_relaxed: Threads, "R,R W", UnsubscribesRelaxed, deeper;
    psrw_2008_fast_reader_overtakes_last_slow_writer_that_goes_relaxed: Threads, "R,R W", SlowWriterOffRelaxed;
    psrw_2008_slow_writers_overtake_each_other_if_one_leaves_relaxed: IrqAlone, "I W W", LockMutexDroppedRelaxed, deeper;
    psrw_2008_queue_is_torn_if_dropped_relaxed: Threads, "R W W", QueueDroppedRelaxed;
    psrw_2008_queue_is_torn_if_taken_relaxed: Threads, "R W W", QueueTakenRelaxed;
}
