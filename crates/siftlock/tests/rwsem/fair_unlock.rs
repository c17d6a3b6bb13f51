//! Fair unlocks: the lock goes to the first waiter.

use crate::passed::WithoutClock;
use crate::support::{
    Lock, Platform, SEES_WORDS, assert_at_rest, is_awaited, is_reserved, on_each_platform, until,
};
use siftlock::lock_api::{
    RwLockReadGuard as ReadGuard, RwLockUpgradableReadGuard as Upgradable,
    RwLockWriteGuard as WriteGuard,
};
use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::{PassLimit, ReadBias};
use std::thread;

on_each_platform!(
    rwsem_fair_unlock_hands_the_lock_over,
    rwsem_fair_unlock_by_slot_hands_the_lock_over,
    rwsem_fair_unlock_keeps_nobody_out_beside_an_upgradable_reader,
    rwsem_downgrade_to_upgradable_ends_a_reservation_in_vain,
);

/// Ends a turn only by the limit on passing. Reads by slot whenever it can, or never.
struct WithoutClockBy<const SLOT: bool>;

impl<const SLOT: bool> Policy for WithoutClockBy<SLOT> {
    type Guards = siftlock_core::rwsem::policy::Local;
    const HANDOFF_AFTER: u64 = WithoutClock::HANDOFF_AFTER;
    const PASS_LIMIT: PassLimit = WithoutClock::PASS_LIMIT;
    const READ_BIAS: ReadBias = if SLOT { ReadBias::Asymmetric } else { ReadBias::Off };
    const BIAS_PAUSE: u64 = 0;
}

/// All readers are counted: a writer that waited for a slot would not be seen to wait.
type Fair<P> = Lock<u32, P, WithoutClockBy<false>>;

/// A hold of the lock, which ends by this fair unlock.
type FairUnlock<'a> = Box<dyn FnOnce() + 'a>;

fn read<P: Platform>(lock: &Fair<P>) -> FairUnlock<'_> {
    let guard = lock.read();
    Box::new(|| ReadGuard::unlock_fair(guard))
}

fn read_upgradably<P: Platform>(lock: &Fair<P>) -> FairUnlock<'_> {
    let guard = lock.upgradable_read();
    Box::new(|| Upgradable::unlock_fair(guard))
}

fn write<P: Platform>(lock: &Fair<P>) -> FairUnlock<'_> {
    let guard = lock.write();
    Box::new(|| WriteGuard::unlock_fair(guard))
}

/// Nobody gets in between a fair unlock and the writer that waits first, not even the thread that
/// has just unlocked.
fn rwsem_fair_unlock_hands_the_lock_over<P: Platform>() {
    if !SEES_WORDS {
        return;
    }
    for take in [read::<P>, read_upgradably::<P>, write::<P>] {
        let lock = Fair::<P>::new(0);
        for before in 0..50 {
            thread::scope(|s| {
                let unlock = take(&lock);
                s.spawn(|| *lock.write() += 1);
                until(|| is_awaited(&lock));
                unlock();
                assert_eq!(*lock.read(), before + 1);
            });
        }
        assert_at_rest(&lock);
    }
}

/// The writer waits for a counted reader, which other readers join until the lock is reserved.
fn rwsem_fair_unlock_by_slot_hands_the_lock_over<P: Platform>() {
    if !SEES_WORDS {
        return;
    }
    let lock = Lock::<_, P, WithoutClockBy<true>>::new(());
    thread::scope(|s| {
        let (counted, by_slot) = (lock.read(), lock.read());
        s.spawn(|| drop(lock.write()));
        until(|| is_awaited(&lock));
        assert!(lock.try_read().is_some() && !is_reserved(&lock));
        ReadGuard::unlock_fair(by_slot);
        assert!(lock.try_read().is_none() && is_reserved(&lock));
        drop(counted);
    });
    assert_at_rest(&lock);
}

/// Whatever is reserved, the first waiter has to wait for the upgradable reader inside.
fn rwsem_fair_unlock_keeps_nobody_out_beside_an_upgradable_reader<P: Platform>() {
    if !SEES_WORDS {
        return;
    }
    let lock = Fair::<P>::new(0);
    thread::scope(|s| {
        let upgradable = lock.upgradable_read();
        s.spawn(|| drop(lock.upgradable_read()));
        until(|| is_awaited(&lock));
        ReadGuard::unlock_fair(lock.read());
        assert!(lock.try_read().is_some());
        drop(upgradable);
    });
    assert_at_rest(&lock);
}

/// Reserves the lock for each first waiter at once.
struct ReservesAtOnce;

impl Policy for ReservesAtOnce {
    type Guards = siftlock_core::rwsem::policy::Local;
    const HANDOFF_AFTER: u64 = 0;
}

/// The lock was reserved for an upgradable reader while a writer had it.
fn rwsem_downgrade_to_upgradable_ends_a_reservation_in_vain<P: Platform>() {
    if !SEES_WORDS {
        return;
    }
    let lock = Lock::<u32, P, ReservesAtOnce>::new(0);
    thread::scope(|s| {
        let writing = lock.write();
        s.spawn(|| drop(lock.upgradable_read()));
        until(|| is_reserved(&lock));
        let upgradable = WriteGuard::downgrade_to_upgradable(writing);
        until(|| lock.try_read().is_some());
        drop(upgradable);
    });
    assert_at_rest(&lock);
}
