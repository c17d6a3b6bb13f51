//! Upgradable reads: one at a time, beside readers. An upgrade lets no writer in between, which
//! `monitor` watches at every step.

use crate::prelude::*;

models! {
    rwsem_upgradable_beside_reader => Model::row::<Classic>("Uh R");
    rwsem_upgradables_take_turns => Model::row::<Classic>("U U U");
    rwsem_upgradable_and_writer_exclude_r4 => Model::row::<Classic>("U W");
    rwsem_upgradable_behind_upgradable_r5 => Model::row::<Classic>("U Rh U");
    rwsem_upgradable_head_calls_reader_behind_r5 => Model::row::<Classic>("L Uh R")
        .with(|setup| setup.found = 1);
    /// Reserving would not help the second reader: it sleeps until the first is done, however long
    /// that takes.
    rwsem_overdue_upgradable_sleeps => Model::row::<Classic>("U Uo");
    rwsem_timed_upgradable_leaves => Model::row::<Classic>("U Ut W");

    rwsem_upgrade_waits_for_reader_r4 => Model::row::<Classic>("Uu R");
    rwsem_upgrade_twice => Model::row::<Classic>("Uu Uu");
    rwsem_upgrade_before_writer => Model::row::<Classic>("Uu R W");
    rwsem_upgrade_before_overdue_writer => Model::row::<Classic>("Uu R Wo");
    rwsem_upgrade_before_readers => Model::row::<Classic>("Uu R R");
    rwsem_upgrade_try_r4 => Model::row::<Classic>("Uu? R W");

    /// The upgrade's time is over: the reader has its share again, and the waiters behind it are
    /// called.
    rwsem_timed_upgrade_is_a_reader_again_r3 => Model::row::<Classic>("Uut R");
    rwsem_timed_upgrade_beside_reader_that_stays => Model::row::<Classic>("Uut Rh R");
    rwsem_timed_upgrade_before_writer => Model::row::<Classic>("Uut R W");

    rwsem_upgrader_becomes_reader_r5 => Model::row::<Classic>("Udh U");
    rwsem_upgrader_becomes_reader_before_writer => Model::row::<Classic>("Ud U W");
    rwsem_writer_becomes_upgradable => Model::row::<Classic>("Wg R U");
    rwsem_writer_becomes_upgradable_and_upgrades => Model::row::<Classic>("Wgu R");
    rwsem_writer_becomes_upgradable_and_upgrades_in_time => Model::row::<Classic>("Wgut R W");
}
