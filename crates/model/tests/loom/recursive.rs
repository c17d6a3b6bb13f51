//! A thread that reads already may read again, whichever threads wait.

use crate::prelude::*;

models! {
    rwsem_recursive_read_passes_writer_r5 => Model::row::<Classic>("Rr W");
    rwsem_recursive_read_passes_reservation_r9 => Model::row::<Classic>("Rr Wo");
    rwsem_recursive_read_passes_upgrade_r9 => Model::row::<Classic>("Rr Uu");
    rwsem_recursive_try_passes_writer => Model::row::<Classic>("Rr? W W");
    rwsem_recursive_read_from_outside_waits_r4 => Model::row::<Classic>("r rt W");
}
