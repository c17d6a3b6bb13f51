//! Longer time slices: a writer that is inside has asked for one, and nobody else: none that waits for
//! a writer, for readers, or for the slots to be left, and none that gave up or is out. The actors check
//! it after each step, the platform wherever they sleep.

use crate::prelude::*;
use siftlock_model::engine::Limits;
use siftlock_model::world::{Setup, Spin};

models! {
    rwsem_slices_of_writers => plain("W W");
    rwsem_slices_of_writer_that_tries => plain("W W?");
    rwsem_slices_end_with_unlock_past_waiters => plain("W,W W");
    rwsem_slices_of_writer_that_gives_up => plain("Wt W");
    rwsem_slices_of_writer_behind_reader => plain("R W");
    rwsem_slices_of_writers_that_spin => plain("W W").with(|setup| setup.spin = Spin::Timed(5_000));
    rwsem_slices_end_with_fair_unlock => plain("Wf W");
    rwsem_slices_end_with_downgrade => plain("Wd W");
    rwsem_slices_end_with_downgrade_to_upgradable => plain("Wgu R");
    rwsem_slices_of_upgrade => plain("R Uu");
    rwsem_slices_of_upgrade_that_tries => plain("R Uu?");
    rwsem_slices_of_upgrade_that_gives_up => plain("Rh Uut");
    rwsem_slices_of_writer_that_drains => biased("R W");
    rwsem_slices_of_writer_that_drains_in_vain => biased("Rh Wt");
    rwsem_slices_of_writer_that_tries_to_drain => biased("R W?");
    rwsem_slices_of_upgrade_that_drains => biased("R Uu");
    rwsem_slices_of_upgrade_that_drains_in_vain => biased("Rh Uut");
    /// Giving the slice back touches nothing of the lock.
    rwsem_slices_end_after_the_lock_r7 => plain("W Wx");
}

fn plain(row: &str) -> Model {
    Model::row::<LongSlices>(row)
        .within(|limits| limits.preemptions = limits.preemptions.or(Some(Limits::OF_TWO)))
}

fn biased(row: &str) -> Model {
    plain(row).with(Setup::biased)
}
