//! A writer becomes a reader: readers come in, no writer does.

use crate::prelude::*;

models! {
    rwsem_downgrade_lets_reader_in_r5 => Model::row::<Classic>("Wdh R");
    rwsem_downgrade_publishes_r4 => Model::row::<Classic>("Wd R");
    rwsem_downgrade_keeps_writer_out_r4 => Model::row::<Classic>("Wd W");
    rwsem_downgrade_among_waiters_r4 => Model::row::<Classic>("Wd R W");
    rwsem_downgrade_beside_timed_reader_r3 => Model::row::<Classic>("Wd Rt W");
}
