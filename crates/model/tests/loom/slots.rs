//! Reads by slot: a reader that leaves the count alone, and a writer that looks for it.

use crate::prelude::*;
use siftlock_model::world::Setup;

models! {
    rwsem_slot_reader_and_writer_exclude_each_other_r4 => on("R W");
    rwsem_slot_reader_and_two_writers_r4 => on("R W W");
    rwsem_slot_reader_comes_again_beside_timed_writer_r4 => on("R,R Wt,W").preempted(Some(4));
    rwsem_slot_reader_comes_again_beside_writer_r4 => on("R,R W");
    /// A writer that sees a reader at once gives up without a fence.
    rwsem_slot_reader_writes_after_writer_that_only_tries_r4 => on("R,W W?");
    rwsem_slot_readers_and_writer => on("R R W").preempted(Some(2));
    /// Both readers enter the list of readers that a writer looks for, each in a group of its own.
    rwsem_slot_readers_of_two_groups_and_writer_r4 => on("R W R").preempted(Some(2));
    rwsem_slot_reader_beside_writer_that_comes_again_r4 => on("R W,W");
    /// A heavy fence is a fence for its caller alone, and a light fence is none.
    rwsem_slot_reader_among_light_fences_beside_writer_r4 => on("R W,W")
        .with(Setup::fenced_lightly);
    rwsem_slot_reader_among_light_fences_comes_again_r4 => on("R,R W").with(Setup::fenced_lightly);
    rwsem_slot_reader_stays_and_writer_only_tries => on("Rh W?");
    rwsem_slot_reader_stays_and_writer_gives_up => on("Rh Wt,R");
    /// The reader behind the writer has reserved the lock, and sleeps until it is called.
    rwsem_slot_reader_stays_and_writer_lets_overdue_reader_in_r5 => on("Rh Wt Ro")
        .preempted(Some(2));
    rwsem_slot_reader_stays_and_upgrade_lets_overdue_reader_in_r5 => on("Rh Uut Ro")
        .preempted(Some(2));
    /// A writer or an upgrade that lets readers in tries again.
    rwsem_slot_hasty_writer_tries_again_r4 => hasty("R,R W");
    rwsem_slot_hasty_upgrade_tries_again_r4 => hasty("R Uu");
    rwsem_slot_reader_in_passing_and_writer => on("Rp W");
    rwsem_slot_reader_tries => on("R?,R? W");
    rwsem_slot_overdue_writer_is_not_passed_r9 => on("R,R Wo,W").preempted(Some(4));
    rwsem_slot_timed_writer_reserves_r9 => on("R,R Wt,W").with(|setup| setup.patience = Some(0))
        .preempted(Some(3));
    rwsem_slot_writer_frees_after_slot_reader_r7 => on("R Wx");
    rwsem_slot_writer_frees_after_both_r7 => on("R W Wx");
    rwsem_slot_reader_reads_again_beside_writer => on("Rr W");
    /// The first writer gives up while the second read's share is in the count, beside a first
    /// waiter that has reserved the lock.
    rwsem_slot_reader_reads_again_beside_two_writers_r5 => on("Rr Wt Wo");
    rwsem_slot_reader_tries_again_beside_writer => on("Rr? W");
    rwsem_slot_writer_downgrades => on("Wd R");
    rwsem_slot_writer_downgrades_to_upgradable => on("Wgu R");
    rwsem_slot_reader_and_upgrade => on("R Uu");
    rwsem_slot_reader_stays_and_upgrade_gives_up => on("Rh Uut");
    rwsem_slot_reader_stays_and_upgrade_only_tries => on("Rh Uu?,W?");
    rwsem_slot_fair_unlocks => on("Rf Wf");

    /// A counted reader switches the bias on, beside a writer that comes and goes.
    rwsem_bias_is_switched_on_r8 => off("R,R W");
    rwsem_bias_is_switched_on_beside_two_writers_r8 => off("R,R W W").preempted(Some(2));
    rwsem_bias_is_switched_on_beside_writer_that_comes_again_r4 => off("R,R W,W")
        .preempted(Some(3));
    rwsem_bias_is_switched_on_behind_writer_r4 => off("R R W");
    /// The reader has seen an old count, without a fence after it. The bias alone orders it behind
    /// the writer.
    rwsem_bias_is_switched_on_among_light_fences_r4 => off("R R W").with(Setup::fenced_lightly);
    rwsem_bias_is_switched_on_if_it_pays => Model::row::<SlotsWhenTheyPay>("R,R W,W")
        .with(Setup::fenced)
        .preempted(Some(4));
    /// The reader goes on by a slot past the writer that comes first behind it.
    rwsem_slot_reader_goes_on_past_first_writer => turns("W R,R W");
    rwsem_slot_reader_stays_and_overdue_writer_drains => turns("Wt R,R,Rh Wt")
        .with(|setup| setup.patience = Some(100_000))
        .preempted(Some(2));
    rwsem_slot_readers_go_on_past_first_writer => turns("W R,R R W").preempted(Some(1));
    /// The reader passes a writer that was called, but only with the bias for which it noted the
    /// lock.
    rwsem_slot_reader_beside_called_writer_r4 => Model::row::<SlotsAndSleeps>("R,R W W")
        .with(Setup::biased)
        .preempted(Some(2));
    rwsem_bias_among_turns => Model::row::<SlotsAndTurns>("R,R W R").with(Setup::biased)
        .preempted(Some(2));
}

fn turns(row: &str) -> Model {
    Model::row::<SlotsAndTurns>(row).with(Setup::fenced)
}

/// The lock is found with its bias on.
fn on(row: &str) -> Model {
    off(row).with(Setup::biased)
}

fn hasty(row: &str) -> Model {
    let set_up = |setup: &mut Setup| {
        setup.biased();
        setup.lazy = true;
    };
    Model::row::<HastySlots>(row).with(set_up).bounded()
}

fn off(row: &str) -> Model {
    Model::row::<Slots>(row).with(Setup::fenced).bounded()
}
