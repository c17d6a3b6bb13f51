//! Reads by slots that are noted by a swap: no heavy fence, and a bias that stays.

use crate::prelude::*;
use siftlock_model::monitor::SHARE;
use siftlock_model::world::Setup;

models! {
    rwsem_symmetric_reader_and_writer_exclude_each_other_r4 => on("R W");
    /// A reader that comes too late for the bias leaves no slot behind.
    rwsem_symmetric_reader_and_writer_come_again_r5 => on("R,R W,W,W").preempted(Some(3));
    rwsem_symmetric_refusable_reader_and_writer_r4 => on("R!,R! W");
    rwsem_symmetric_reader_and_two_writers_r4 => on("R W W");
    rwsem_symmetric_reader_comes_again_beside_writer_r4 => on("R,R W");
    rwsem_symmetric_reader_beside_writer_that_comes_again_r4 => on("R W,W");
    rwsem_symmetric_reader_comes_again_beside_timed_writer_r4 => on("R,R Wt,W")
        .preempted(Some(4));
    rwsem_symmetric_readers_and_writer_r4 => on("R R W");
    rwsem_symmetric_reader_stays_and_writer_only_tries => on("Rh W?");
    rwsem_symmetric_reader_stays_and_writer_gives_up => on("Rh Wt,R");
    rwsem_symmetric_reader_reads_again_beside_writer => on("Rr W");
    rwsem_symmetric_writer_frees_after_reader_r7 => on("R Wx");
    rwsem_symmetric_writer_downgrades => on("Wd R");
    rwsem_symmetric_reader_and_upgrade_r4 => on("R Uu");
    rwsem_symmetric_overdue_writer_is_not_passed_r9 => on("R,R Wo,W")
        .preempted(Some(4));

    rwsem_symmetric_bias_is_switched_on_r8 => off("R,R W");
    rwsem_symmetric_bias_is_switched_on_behind_writer_r4 => off("R R W");
    /// A reader that gives way clears its slot meanwhile.
    rwsem_symmetric_reader_gives_way_to_called_writer_r4 => Model::row::<SymmetricSlotsAndTurns>("L R,R W")
        .with(Setup::symmetric)
        .with(|setup| setup.found |= SHARE)
        .preempted(Some(3));
    rwsem_symmetric_bias_among_turns => Model::row::<SymmetricSlotsAndTurns>("R,R W R")
        .with(Setup::symmetric)
        .preempted(Some(2));

    /// Without a heavy fence a reader may clear its slot and overlook the writer that goes to
    /// sleep.
    rwsem_unfenced_reader_and_writer_exclude_each_other_r4 => unfenced("R W");
    rwsem_unfenced_reader_comes_again_beside_writer_r4 => unfenced("R,R W")
        .preempted(Some(3));
    rwsem_unfenced_reader_and_two_writers_r4 => unfenced("R W W");
    rwsem_unfenced_reader_stays_and_writer_gives_up => unfenced("Rh Wt,R");
    rwsem_unfenced_writer_frees_after_reader_r7 => unfenced("R Wx");
    rwsem_unfenced_reader_and_upgrade_r4 => unfenced("R Uu");

    /// A sandbox comes in between, and refuses the fence: the writer naps.
    rwsem_fence_ends_beside_reader_and_writer_r4 => fence_ends("R W");
    rwsem_fence_ends_beside_reader_and_two_writers_r4 => fence_ends("R W W");

    /// The heavy fence becomes known while the writer waits, which has made none.
    rwsem_fence_begins_beside_reader_and_writer_r4 => off("Rk W").with(Setup::fence_begins);

    /// The writer takes an asymmetric bias back, and leaves the symmetric one.
    rwsem_bias_changes_its_form_beside_reader_r4 => either("R W,W");
    rwsem_bias_changes_its_form_beside_reader_that_comes_again_r4 => either("R,R W");
    rwsem_bias_changes_its_form_beside_upgrade_r4 => either("R Uu W");
    /// A writer that gives up also leaves the symmetric bias: it has made the fence.
    rwsem_bias_changes_its_form_beside_writer_that_gives_up_r4 => either("Rh Wt,R");
    rwsem_bias_changes_its_form_before_the_writer_comes_again_r4 => either("R Wt,W");
    rwsem_bias_changes_its_form_between_two_writers_r4 => either("R Wt W");
    /// Only the step of the writer that gives up orders the next writer behind it: no fence comes
    /// between.
    rwsem_bias_changes_its_form_before_another_writer_comes_r4 => Model::row::<EitherForm>("R Wt W")
        .with(Setup::fenced)
        .with(Setup::biased)
        .preempted(Some(2));
    /// Readers that do not ask whether a bias would pay make the share's step at once.
    rwsem_share_without_a_question_beside_writer_r4 => Model::row::<EitherForm>("R,R W")
        .with(Setup::fenced_lightly)
        .with(|setup| setup.asks = false)
        .bounded();
    rwsem_share_without_a_question_among_turns_r4 => Model::row::<SlotsWhenTheyPay>("R,R W R")
        .with(Setup::fenced_lightly)
        .with(|setup| setup.asks = false)
        .preempted(Some(2));
    /// A reader with a share has asked for the symmetric form. Meanwhile the asymmetric one has
    /// come.
    rwsem_symmetric_bias_does_not_replace_the_other_r4 => either("R Usu");
    rwsem_symmetric_bias_comes_beside_the_other_r4 => Model::row::<EitherForm>("R,R Usu")
        .with(Setup::fenced_lightly)
        .preempted(Some(4));
    rwsem_bias_stays_if_asked_for_late_r4 => Model::row::<EitherForm>("R,R R,W")
        .with(Setup::fenced_lightly)
        .preempted(Some(3));
    /// A counted reader, which asks, puts the asymmetric bias in its place again.
    rwsem_bias_changes_its_form_to_and_fro_r4 => Model::row::<EitherForm>("R,R U,W")
        .with(Setup::fenced_lightly)
        .preempted(Some(3));
}

/// The lock is found with its symmetric bias on.
fn on(row: &str) -> Model {
    off(row).with(Setup::symmetric)
}

/// The lock is found with its symmetric bias on, and no thread makes another pass a fence.
fn unfenced(row: &str) -> Model {
    off(row).with(Setup::unfenced)
}

fn fence_ends(row: &str) -> Model {
    off(row).with(Setup::fence_ends)
}

fn off(row: &str) -> Model {
    Model::row::<SymmetricSlots>(row).with(Setup::fenced_lightly).bounded()
}

/// The lock is found with its asymmetric bias on.
fn either(row: &str) -> Model {
    Model::row::<EitherForm>(row).with(Setup::fenced_lightly).with(Setup::biased).bounded()
}
