//! A fair unlock leaves the lock to the first waiter.

use crate::prelude::*;

models! {
    rwsem_fair_read_unlock_reserves_r9 => Model::row::<Classic>("Rf,R W");
    rwsem_fair_write_unlock_reserves_r9 => Model::row::<Classic>("Wf,W W");
    rwsem_fair_write_unlock_reserves_for_reader_r9 => Model::row::<Classic>("Wf,W R");
    rwsem_fair_upgradable_unlock_reserves_r9 => Model::row::<Classic>("Uf,W W");
    rwsem_fair_unlock_beside_reader_r9 => Model::row::<Classic>("Rf R W");
    rwsem_fair_unlock_as_head_leaves_r2 => Model::row::<Classic>("Wf Wt W");
}
