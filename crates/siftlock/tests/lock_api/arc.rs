//! Guards that own their lock.

use super::{Lock, api};
use crate::support::{Platform, on_each_platform};
use std::sync::Arc;

on_each_platform!(
    rwsem_arc_guard_holds_the_lock,
    rwsem_arc_upgradable_guard_is_upgraded,
    rwsem_arc_guard_ends_its_hold_before_it_frees_the_lock,
);

fn rwsem_arc_guard_holds_the_lock<P: Platform>() {
    let lock = Arc::new(Lock::<_, P>::new(5));
    let (reader, other) = (lock.read_arc(), lock.try_read_arc().unwrap());
    assert_eq!(*reader + *other, 10);
    assert!(lock.try_write_arc().is_none());
    drop((reader, other));
    let mut writer = lock.write_arc();
    *writer = 6;
    assert!(lock.try_read_arc().is_none());
    let reader = api::ArcRwLockWriteGuard::downgrade(writer);
    assert_eq!((*reader, lock.try_read().as_deref()), (6, Some(&6)));
}

fn rwsem_arc_upgradable_guard_is_upgraded<P: Platform>() {
    let lock = Arc::new(Lock::<_, P>::new(5));
    let upgradable = lock.upgradable_read_arc();
    assert!(lock.try_read().is_some() && lock.try_upgradable_read_arc().is_none());
    *api::ArcRwLockUpgradableReadGuard::upgrade(upgradable) += 1;
    assert_eq!(*lock.read(), 6);
}

/// The lock's memory is given out again at once: a slot or a share that stayed behind would show.
fn rwsem_arc_guard_ends_its_hold_before_it_frees_the_lock<P: Platform>() {
    for round in 0..1_000 {
        let lock = Arc::new(Lock::<_, P>::new(round));
        assert!(lock.try_write().is_some());
        // Enough for a bias, where there is one.
        (0..100).for_each(|_| assert_eq!(*lock.read(), round));
        let reader = lock.read_arc();
        drop(lock);
        assert_eq!(*reader, round);
    }
}
