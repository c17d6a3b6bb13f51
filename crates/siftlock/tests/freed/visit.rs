//! All ways to leave a lock.

use crate::page::Raw;
use crate::support::Platform;
use siftlock::lock_api::{
    GuardSend as Guard, RawRwLock as _, RawRwLockDowngrade as _, RawRwLockFair as _,
    RawRwLockUpgrade as _, RawRwLockUpgradeDowngrade as _, RawRwLockUpgradeFair as _,
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

    /// Whether it leaves from a write.
    pub(crate) fn leaves_as_writer(self) -> bool {
        matches!(self, Write | WriteFair | Upgrade)
    }

    /// Takes the lock, calls `inside`, and leaves the lock.
    pub(crate) fn pay<P: Platform>(self, lock: &Raw<P>, inside: impl FnOnce()) {
        let inside = |guard: Guard| {
            inside();
            guard
        };
        // SAFETY: each way leaves the lock as it has it.
        unsafe {
            match self {
                Read => lock.unlock_shared(inside(lock.lock_shared())),
                ReadFair => lock.unlock_shared_fair(inside(lock.lock_shared())),
                ReadRecursive => {
                    lock.read_recursive();
                    lock.unlock_shared(inside(Guard::new()));
                }
                Write => lock.unlock_exclusive(inside(lock.lock_exclusive())),
                WriteFair => lock.unlock_exclusive_fair(inside(lock.lock_exclusive())),
                Downgrade => {
                    let guard = lock.downgrade(lock.lock_exclusive());
                    lock.unlock_shared(inside(guard));
                }
                DowngradeToUpgradable => {
                    let guard = lock.downgrade_to_upgradable(lock.lock_exclusive());
                    lock.unlock_upgradable(inside(guard));
                }
                Upgradable => lock.unlock_upgradable(inside(lock.lock_upgradable())),
                UpgradableFair => lock.unlock_upgradable_fair(inside(lock.lock_upgradable())),
                DowngradeUpgradable => {
                    let guard = lock.downgrade_upgradable(lock.lock_upgradable());
                    lock.unlock_shared(inside(guard));
                }
                Upgrade => {
                    let guard = lock.upgrade(lock.lock_upgradable());
                    lock.unlock_exclusive(inside(guard));
                }
            }
        }
    }
}
