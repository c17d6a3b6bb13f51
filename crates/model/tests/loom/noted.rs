//! Reads that note themselves: a thread that reads already passes waiting writers, by a plain read,
//! and all others queue. In a row, `a` is never refused. Where it passes a reservation (R9), its
//! note stands for a share.

use crate::prelude::*;
use siftlock_model::engine::Limits;
use siftlock_model::world::Setup;

models! {
    rwsem_noted_reader_reads_again_past_writer_r5 => notes("Ra W");
    rwsem_noted_reader_reads_again_past_reservation_r9 => notes("Ra Wo");
    rwsem_noted_reader_reads_again_past_upgrade_r9 => notes("Ra Uu");
    rwsem_noted_reader_reads_again_and_again => notes("Raa Wo");
    rwsem_noted_reader_tries_again_past_writer => notes("Ra? Wo");
    rwsem_noted_reader_reads_again_though_late => notes("Rap Wo");
    rwsem_noted_reader_that_tried_reads_again => notes("R?a Wo");
    rwsem_noted_timed_reader_reads_again => notes("Rta Wo");
    rwsem_noted_recursive_reader_reads_again => notes("ra Wo");
    rwsem_noted_reader_reads_again_recursively => notes("Rra Wo");
    rwsem_noted_reader_unlocks_fairly => notes("Raf Wo");
    rwsem_noted_reader_reads_again_beside_two_writers => notes("Ra W Wo");

    /// Between its reads the thread does not hold the lock: then it is like any other.
    rwsem_noted_reader_comes_again_behind_writer_r9 => notes("R,R Wo,W");
    rwsem_noted_reader_comes_again_after_fair_unlock_r9 => notes("Rf,R Wo,W");
    rwsem_noted_depth_ends_with_the_last_share_r9 => notes("Ra,R Wo");
    rwsem_noted_other_reader_queues_behind_writer_r9 => notes("Ra R Wo");

    rwsem_noted_upgradable_reads_again => notes("Ua Wo");
    rwsem_noted_upgradable_becomes_reader_and_reads_again => bounded("Uda Wo");
    rwsem_noted_upgrade_is_no_read_r9 => notes("Uu,R Wo");
    rwsem_noted_timed_upgrade_beside_reader => notes("Uut,R R");
    rwsem_noted_upgradable_comes_again_behind_writer_r9 => notes("U,R Wo");
    rwsem_noted_upgradable_comes_again_after_fair_unlock_r9 => notes("Uf,R Wo");
    rwsem_noted_writer_becomes_reader_and_reads_again => bounded("Wda Wo");
    rwsem_noted_writer_becomes_upgradable_and_reads_again => bounded("Wga Wo");
    rwsem_noted_writer_frees_after_reader_r7 => notes("Ra Wx");

    rwsem_noted_reader_among_turns => turns("Ra W");
    rwsem_noted_reader_among_turns_beside_overdue_writer_r9 => turns("R,Ra Wo");

    /// A writer that drains waits for slots, and not for notes.
    rwsem_noted_reader_by_slot_reads_again => on("Ra W");
    rwsem_noted_reader_by_slot_tries_again => on("Ra? W");
    rwsem_noted_reader_is_counted_and_reads_again_by_slot => off("Ra W");
    rwsem_noted_reader_comes_again_by_slot_r9 => on("R,R Wo");
    rwsem_noted_writer_becomes_reader_beside_slots => on("Wda R");
}

pub(crate) fn notes(row: &str) -> Model {
    Model::row::<NotesReads>(row)
}

/// Long rows have a bound, though each thread takes the lock once.
pub(crate) fn bounded(row: &str) -> Model {
    notes(row).preempted(Some(Limits::OF_TWO))
}

pub(crate) fn turns(row: &str) -> Model {
    Model::row::<NotesAndTurns>(row)
}

/// The lock is found with its bias on.
pub(crate) fn on(row: &str) -> Model {
    off(row).with(Setup::biased)
}

/// The lock is found without a bias.
pub(crate) fn off(row: &str) -> Model {
    Model::row::<SlotsAndNotes>(row).with(Setup::fenced).bounded()
}
