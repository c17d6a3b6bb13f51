//! Policies decide which thread gets in when, and never whether the lock is sound.

use crate::prelude::*;

models! {
    rwsem_patch10_three => Model::row::<Patch10>("R,R W W");
    rwsem_before_patch10_three => Model::row::<BeforePatch10>("R R W");
    rwsem_nobody_steals => Model::row::<NoStealing>("R,W W");
    rwsem_nobody_steals_three => Model::row::<NoStealing>("W,W R W");
    /// A reader whose share kept the lock from the first waiter does not steal either.
    rwsem_nobody_steals_as_the_lock_is_left => Model::row::<NoStealing>("L R W").with(|setup| {
        setup.found = 1;
        setup.passes = Some(0);
    });
    rwsem_writers_do_not_look_first => Model::row::<Blind>("W,W W");
}
