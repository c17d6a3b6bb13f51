//! A read and its unlock step by step, for a caller that keeps no token: `R.` in a row. The read
//! waits for nobody, and a step that is refused leaves nothing behind.

use crate::noted::{bounded, notes, off, on, turns};
use crate::prelude::*;

models! {
    rwsem_stepwise_reader_keeps_the_writer_out_r4 => notes("R. W");
    rwsem_stepwise_reader_comes_again_r4 => notes("R.,R. W");
    rwsem_stepwise_reader_waits_for_no_reservation_r9 => notes("R. Wo,W");
    rwsem_stepwise_readers_call_the_writer_r5 => bounded("R. R. W");
    rwsem_stepwise_reader_beside_reader_that_queues => bounded("R. R W");
    rwsem_stepwise_unlock_ends_before_the_lock_r7 => notes("R. Wx");
    rwsem_stepwise_reader_among_turns => turns("R.,R. W");
    rwsem_stepwise_reader_beside_overdue_writer_r9 => turns("R.,R. Wo");

    rwsem_stepwise_reader_by_slot_keeps_the_writer_out_r4 => on("R. W");
    rwsem_stepwise_reader_by_slot_comes_again_r4 => on("R.,R. W");
    rwsem_stepwise_unlock_of_slot_ends_before_the_lock_r7 => on("R. Wx");
    rwsem_stepwise_reader_is_counted_where_the_bias_goes => on("R. W,W");
    rwsem_stepwise_reader_switches_the_bias_on_r8 => off("R.,R. W");
}
