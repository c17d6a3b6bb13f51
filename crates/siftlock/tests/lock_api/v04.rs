//! Version 0.4, with the policy of that version's alias: every reader is counted.

use siftlock::lock_api_04::lock_api as api;
use siftlock::{RawRwSem, policy::Counted};

type Lock<T, P> = api::RwLock<RawRwSem<Counted, P>, T>;
type SendLock<T, P> = Lock<T, P>;

crate::tests_of_each_version!();
crate::tests_of_each_policy!();

#[test]
fn rwsem_of_0_4_is_made_by_its_aliases() {
    use siftlock::lock_api_04::{
        MappedRwSemReadGuard, MappedRwSemWriteGuard, RwSem, RwSemReadGuard,
        RwSemUpgradableReadGuard, RwSemWriteGuard,
    };
    static LOCK: RwSem<(u32, u32)> = RwSem::new((1, 2));

    let read: RwSemReadGuard<'_, (u32, u32)> = LOCK.read();
    let right: MappedRwSemReadGuard<'_, u32> = RwSemReadGuard::map(read, |pair| &pair.1);
    assert_eq!(*right, 2);
    drop(right);
    let upgradable: RwSemUpgradableReadGuard<'_, (u32, u32)> = LOCK.upgradable_read();
    let write: RwSemWriteGuard<'_, (u32, u32)> = RwSemUpgradableReadGuard::upgrade(upgradable);
    let mut left: MappedRwSemWriteGuard<'_, u32> = RwSemWriteGuard::map(write, |pair| &mut pair.0);
    *left = 3;
    drop(left);
    assert_eq!(LOCK.read().0, 3);
}
