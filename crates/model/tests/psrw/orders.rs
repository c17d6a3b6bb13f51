//! A row for each memory order, which falls when the order is Relaxed.

use crate::model::falls;
use crate::subject::{IrqAlone, Threads, Two};

falls! {
    psrw_reader_sees_torn_data_if_it_enters_relaxed: Threads, "R W", PsrwEnterRelaxed;
    psrw_writer_sees_torn_data_if_it_enters_relaxed: Two, "W W", PsrwEnterRelaxed;
    psrw_writer_overtakes_reader_that_leaves_relaxed: Threads, "R W", PsrwReadUnlockRelaxed;
    psrw_writer_overtakes_irq_reader_that_leaves_relaxed: IrqAlone, "I W", PsrwHighUnlockRelaxed;
    psrw_writers_overtake_each_other_if_one_leaves_relaxed: Threads, "W W", PsrwWriteUnlockRelaxed;
    psrw_irq_reader_overtakes_writer_that_leaves_relaxed: IrqAlone, "I W", PsrwWriteUnlockRelaxed;
    psrw_drained_writer_overtakes_reader_if_seen_relaxed: Threads, "R W", PsrwSeenRelaxed;
    psrw_raised_writer_overtakes_irq_reader_if_seen_relaxed: IrqAlone, "I W", PsrwSeenRelaxed;
}
