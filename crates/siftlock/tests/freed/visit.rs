//! All ways to leave a lock.

use crate::page::Raw;
use crate::support::Platform;
use siftlock::lock_api::{
    RawRwLock as _, RawRwLockDowngrade as _, RawRwLockFair as _, RawRwLockUpgrade as _,
    RawRwLockUpgradeDowngrade as _, RawRwLockUpgradeFair as _,
};

/// A way to hold a lock and to leave it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Visit {
    Read,
    ReadFair,
    ReadRecursive,
    Write,
    WriteFair,
    Downgrade,
    DowngradeToUpgradable,
    Upgradable,
    UpgradableFair,
    DowngradeUpgradable,
    Upgrade,
}

use Visit::*;

impl Visit {
    pub(crate) const ALL: [Self; 11] = [
        Read,
        ReadFair,
        ReadRecursive,
        Write,
        WriteFair,
        Downgrade,
        DowngradeToUpgradable,
        Upgradable,
        UpgradableFair,
        DowngradeUpgradable,
        Upgrade,
    ];

    /// Takes the lock, calls `inside`, and leaves the lock.
    pub(crate) fn pay<P: Platform>(self, lock: &Raw<P>, inside: impl FnOnce()) {
        fn while_in<G>(guard: G, inside: impl FnOnce()) -> G {
            inside();
            guard
        }
        // SAFETY: each way leaves the lock as it has it.
        unsafe {
            match self {
                Read => lock.unlock_shared(while_in(lock.lock_shared(), inside)),
                ReadFair => lock.unlock_shared_fair(while_in(lock.lock_shared(), inside)),
                ReadRecursive => lock.unlock_shared(while_in(lock.read_recursive(), inside)),
                Write => lock.unlock_exclusive(while_in(lock.lock_exclusive(), inside)),
                WriteFair => lock.unlock_exclusive_fair(while_in(lock.lock_exclusive(), inside)),
                Downgrade => {
                    let guard = lock.downgrade(lock.lock_exclusive());
                    lock.unlock_shared(while_in(guard, inside));
                }
                DowngradeToUpgradable => {
                    let guard = lock.downgrade_to_upgradable(lock.lock_exclusive());
                    lock.unlock_upgradable(while_in(guard, inside));
                }
                Upgradable => lock.unlock_upgradable(while_in(lock.lock_upgradable(), inside)),
                UpgradableFair => {
                    lock.unlock_upgradable_fair(while_in(lock.lock_upgradable(), inside));
                }
                DowngradeUpgradable => {
                    let guard = lock.downgrade_upgradable(lock.lock_upgradable());
                    lock.unlock_shared(while_in(guard, inside));
                }
                Upgrade => {
                    let guard = lock.upgrade(lock.lock_upgradable());
                    lock.unlock_exclusive(while_in(guard, inside));
                }
            }
        }
    }
}
