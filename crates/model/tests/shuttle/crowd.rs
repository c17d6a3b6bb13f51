//! Four to six threads of all kinds: every invariant at every step, and all come to their end.

use crate::prelude::*;
use siftlock_model::world::Setup;

models! {
    rwsem_crowd_of_readers_and_writers => Model::row::<Classic>("R,R R,R W,W W,W");
    rwsem_crowd_of_six => Model::row::<Classic>("R R R W W W");
    rwsem_crowd_with_time_limits => Model::row::<Classic>("Rt,W Wt,R R,Wt W,Rt");
    rwsem_crowd_all_overdue => Model::row::<Classic>("Ro,Wo Wo,Ro Ro Wo Wo");
    rwsem_crowd_with_usual_patience => Model::row::<Classic>("R,W W,R Rt Wt W")
        .with(|setup| setup.patience = None);
    rwsem_crowd_that_upgrades => Model::row::<Classic>("Uu,U Uut,R Uu? W,R Rt");
    rwsem_crowd_that_downgrades => Model::row::<Classic>("Wd,Wg Wgu,Ud R,R W Rt");
    rwsem_crowd_that_is_fair => Model::row::<Classic>("Rf,Wf Wf,Rf Uf W R");
    rwsem_crowd_reads_recursively => Model::row::<Classic>("Rr,R Rr? W,Wo r,W R");
    rwsem_crowd_in_small_batches => Model::row::<TwoAtOnce>("W,W R R R R R");
    rwsem_crowd_that_does_not_steal => Model::row::<NoStealing>("R,W R,W W,R Rt Wt");
    rwsem_crowd_before_patch10 => Model::row::<BeforePatch10>("R,W R,W W,R Rt Wt");

    /// A batch deep enough for called readers to call readers, and for these to call others.
    rwsem_crowd_calls_each_other_r5 => Model::row::<TwoEach>("L R R R R R,R Rt")
        .with(|setup| setup.found = 1);
    rwsem_crowd_calls_one_after_the_other_r5 =>
        Model::row::<OneAfterTheOther>("W,W R R,R Rt R,R W").with(|setup| setup.found = 0);

    rwsem_slot_crowd_of_readers_and_writers => slots("R,R R,R W,W W,W");
    rwsem_slot_crowd_of_six => slots("R R R W W W");
    rwsem_slot_crowd_with_time_limits => slots("Rt,W Wt,R R,Wt W,Rt");
    rwsem_slot_crowd_all_overdue => slots("Ro,Wo Wo,Ro Ro Wo Wo");
    rwsem_slot_crowd_that_upgrades => slots("Uu,R Uut,R Uu? W,R Rt");
    rwsem_slot_crowd_that_downgrades => slots("Wd,Wg Wgu,Rr R,R W Rt");
    rwsem_slot_crowd_reads_recursively => slots("Rr,R Rr? W,Wo r,W R");
    rwsem_slot_crowd_in_turns => Model::row::<SlotsAndTurns>("R,R,W R,R,R W,R Rt Wt W")
        .with(Setup::biased);
    rwsem_slot_crowd_that_seldom_looks_about =>
        Model::row::<SlotsAndSleeps>("R,R,W R,R,R W,R Rt Wt W").with(Setup::biased);
    /// A waiter that nobody heeds was called before.
    rwsem_turns_unheeded_heir_is_called_r5 => Model::row::<TurnsByTime>("W W L,W,W,W,W,W,W")
        .with(|setup| setup.found = 1);
    /// Nobody heeds the first waiter for most of the time.
    rwsem_turns_by_time_crowd =>
        Model::row::<TurnsByTime>("W,R,W,R,W,W W,W,W,W,R R,W,W,W Rt Wt Uu,W U");
    rwsem_slot_crowd_when_they_pay => Model::row::<SlotsWhenTheyPay>("R,R,W R,R,R W,R Rt Wt W")
        .with(Setup::fenced);

    rwsem_noted_crowd_reads_again => notes("Ra,Ra? Raa,R W,Wo Ra,W R");
    rwsem_noted_crowd_with_time_limits => notes("Rta,W Wt,Rap R,Wt W,Rta Uta");
    rwsem_noted_crowd_that_upgrades => notes("Uu,Ua Uut,Ra Uu? W,Ra Rta");
    rwsem_noted_crowd_that_downgrades => notes("Wda,Wga Wgu,Uda Ra,R W Rt");
    rwsem_noted_crowd_in_turns => Model::row::<NotesAndTurns>("Ra,R R,Ra W,W W,Wo Ra");
    rwsem_noted_crowd_with_slots => Model::row::<SlotsAndNotes>("Ra,Ra R,Ra? W,Wo Ra,W Wda,Ra")
        .with(Setup::biased);

    rwsem_turns_crowd_of_readers_and_writers => Model::row::<Turns>("R,R R,R W,W W,W");
    rwsem_turns_crowd_of_six => Model::row::<Turns>("R R R W W W");
    rwsem_turns_crowd_with_time_limits => Model::row::<Turns>("Rt,W Wt,R R,Wt W,Rt");
    rwsem_turns_crowd_all_overdue => Model::row::<Turns>("Ro,Wo Wo,Ro Ro Wo Wo");
    rwsem_turns_crowd_that_upgrades => Model::row::<Turns>("Uu,U Uut,R Uu? W,R Rt");
    rwsem_turns_crowd_that_downgrades => Model::row::<Turns>("Wd,Wg Wgu,Ud R,R W Rt");
    rwsem_turns_crowd_that_comes_again => Model::row::<LongTurns>("W,W,W,W W,W,W,W R,R,R W");
    rwsem_turns_crowd_in_paced_batches => Model::row::<Turns>("R,R R,R R,R R Wt W,W")
        .with(|setup| setup.processors = 1);
    rwsem_turns_crowd_with_usual_patience => Model::row::<Counted>("R,W,R W,R,W Rt Wt W")
        .with(|setup| setup.patience = None);
}

fn notes(row: &str) -> Model {
    Model::row::<NotesReads>(row)
}

/// The lock is found with its read bias on.
fn slots(row: &str) -> Model {
    Model::row::<Slots>(row).with(Setup::biased)
}
