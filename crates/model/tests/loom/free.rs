//! No unlock touches the lock after its releasing step (R7): the last holder may free it.

use crate::prelude::*;

models! {
    rwsem_writer_frees_after_reader_r7 => Model::row::<Classic>("R Wx");
    rwsem_writer_frees_after_writer_r7 => Model::row::<Classic>("W Wx");
    rwsem_writer_frees_after_readers_r7 => Model::row::<Classic>("R R Wx");
    rwsem_writer_frees_after_both_r7 => Model::row::<Classic>("R W Wx");
    rwsem_writer_frees_after_granted_reader_r7 => Model::row::<Classic>("W Rx Wx");
    rwsem_writer_frees_after_timed_waiter_r7 => Model::row::<Classic>("Rt W Wx");
    rwsem_writer_frees_after_fair_unlock_r7 => Model::row::<Classic>("Rf Wf Wx");
    rwsem_writer_frees_after_downgrade_r7 => Model::row::<Classic>("Wd Wx");
    rwsem_writer_frees_after_upgrade_r7 => Model::row::<Classic>("Uu Wx");
    rwsem_writer_frees_after_upgradable_r7 => Model::row::<Classic>("U Ud Wx");
    rwsem_upgrader_frees_r7 => Model::row::<Classic>("R Uux");
    rwsem_writer_frees_after_passing_r7 => Model::row::<Turns>("R,R Wx");
}
