//! Reads by slots of one thread, the one that wrote last: the first actor, where the lock is found so.

use crate::prelude::*;
use siftlock_model::engine::Limits;
use siftlock_model::world::Setup;

models! {
    rwsem_owner_reads_beside_writer_r4 => found("R W");
    rwsem_owner_reads_and_writes_beside_reader_r4 => found("R,W R");
    rwsem_owner_writes_beside_writer_r4 => found("W W");
    rwsem_owner_reads_beside_two_writers_r4 => found("R W W");
    rwsem_owner_comes_again_beside_writer_r4 => found("R,R W");
    rwsem_owner_comes_again_beside_timed_writer_r4 => found("R,R Wt,W");
    /// The timed writer, who gives up, reads by a share, and then writes.
    rwsem_owner_reads_beside_timed_writer_that_reads_r4 => found("R Wt,R,W");
    /// A bias that looks like the one before, and is another thread's.
    rwsem_owner_reads_beside_next_owner_r4 => found("R W,R,W");
    rwsem_owner_stays_and_writer_only_tries => found("Rh W?");
    rwsem_owner_stays_and_writer_gives_up => found("Rh Wt,R");
    rwsem_owner_tries_beside_writer => found("R?,W? W");
    rwsem_owner_reads_again_beside_writer => found("Rr W");
    rwsem_owner_overdue_writer_is_not_passed_r9 => found("R,R Wo,W");
    rwsem_owner_writer_frees_after_slot_reader_r7 => found("R Wx");
    rwsem_owner_writes_and_other_frees_r7 => found("W Wx");
    rwsem_owner_downgrades => found("Wd W");
    rwsem_owner_downgrades_to_upgradable => found("Wgu R");
    rwsem_owner_reads_beside_upgrade => found("R Uu");
    rwsem_owner_stays_and_upgrade_gives_up => found("Rh Uut");
    rwsem_owner_fair_unlocks => found("Wf,R Wf");

    /// The counted read of a thread that has written switches the bias on.
    rwsem_owner_bias_is_switched_on_r8 => off("W,R,R W");
    rwsem_owner_bias_goes_from_one_to_the_other_r8 => off("W,R W,R").within(|limits| {
        limits.preemptions = Some(2);
    });
    rwsem_owner_bias_is_switched_on_beside_reader_r8 => off("W,R,R R W").within(|limits| {
        limits.preemptions = Some(2);
    });
    rwsem_owner_among_turns => Model::row::<OwnSlotsAndTurns>("R,W,R W R")
        .with(Setup::biased_to_first);
    rwsem_owner_goes_on_past_waiting_writer => Model::row::<OwnSlotsAndTurns>("W,R,R,W W")
        .with(Setup::fenced)
        .within(|limits| limits.preemptions = Some(3));
    /// A bias for all, and one for the owner in between.
    rwsem_owner_and_biases_for_all_r4 => Model::row::<OwnSlotsAndSlots>("R W,R,W R")
        .with(Setup::biased)
        .within(|limits| limits.preemptions = Some(2));
    /// A bias for all comes on just before that to the owner would.
    rwsem_owner_bias_beside_bias_for_all_r4 => Model::row::<OwnSlotsAndSlots>("W,R,W R,R")
        .with(Setup::fenced)
        .within(|limits| limits.preemptions = Some(3));
    /// The bias for all comes on while the owner, inside, reads once more.
    rwsem_owner_reads_again_beside_bias_for_all_r5 => Model::row::<OwnSlotsAndSlots>("Rr? Wt R")
        .with(Setup::biased_to_first)
        .within(|limits| limits.preemptions = Some(2));
    /// Who asks for a bias for all ends that to the owner.
    rwsem_owner_among_others_who_ask_r4 => Model::row::<OwnSlotsAndOthers>("R R W")
        .with(Setup::biased_to_first)
        .within(|limits| limits.preemptions = Some(3));
    rwsem_owner_among_others_who_ask_and_write_r4 => Model::row::<OwnSlotsAndOthers>("R,W R,R W")
        .with(Setup::biased_to_first)
        .within(|limits| limits.preemptions = Some(1));
}

/// The lock is found biased to the first actor.
fn found(row: &str) -> Model {
    off(row).with(Setup::biased_to_first)
}

fn off(row: &str) -> Model {
    let model = Model::row::<OwnSlots>(row).with(Setup::fenced);
    model.within(|limits| limits.preemptions = limits.preemptions.or(Some(Limits::OF_TWO)))
}
