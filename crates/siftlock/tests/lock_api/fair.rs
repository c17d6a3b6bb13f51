//! Fair unlocks, bumps, and guards that let go for a while.

use super::{Lock, api};
use crate::support::{Platform, on_each_platform, until};
use api::{
    RwLockReadGuard as Read, RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

on_each_platform!(
    rwsem_fair_unlocks_leave_the_lock_free,
    rwsem_fair_unlock_lets_nobody_pass_the_waiting_writer,
    rwsem_bumped_guards_let_a_waiter_in,
    rwsem_unlocked_guards_are_locked_again,
);

fn rwsem_fair_unlocks_leave_the_lock_free<P: Platform>() {
    let lock = Lock::<_, P>::new((1, 2));
    Read::unlock_fair(lock.read());
    Write::unlock_fair(lock.write());
    Upgradable::unlock_fair(lock.upgradable_read());
    api::MappedRwLockReadGuard::unlock_fair(Read::map(lock.read(), |pair| &pair.0));
    api::MappedRwLockWriteGuard::unlock_fair(Write::map(lock.write(), |pair| &mut pair.1));
    assert!(!lock.is_locked() && lock.try_write().is_some());
}

/// The lock is reserved for the writer, and free for nobody else until the writer has had it.
fn rwsem_fair_unlock_lets_nobody_pass_the_waiting_writer<P: Platform>() {
    let lock = Lock::<_, P>::new(0);
    for _ in 0..50 {
        thread::scope(|s| {
            let guard = lock.upgradable_read();
            let writer = s.spawn(|| *lock.write() += 1);
            until(|| lock.try_read().is_none());
            let before = *guard;
            Upgradable::unlock_fair(guard);
            match lock.try_write() {
                Some(value) => assert_eq!(*value, before + 1),
                None => assert_eq!(*lock.read(), before + 1),
            }
            writer.join().unwrap();
        });
    }
}

fn rwsem_bumped_guards_let_a_waiter_in<P: Platform>() {
    let lock = Lock::<_, P>::new(0);
    let came = AtomicBool::new(false);
    thread::scope(|s| {
        let mut reader = lock.read();
        let writer = s.spawn(|| *lock.write() += 1);
        until(|| lock.try_read().is_none());
        Read::bump(&mut reader);
        assert_eq!(*reader, 1);
        drop(reader);
        writer.join().unwrap();

        let mut upgradable = lock.upgradable_read();
        let writer = s.spawn(|| *lock.write() += 1);
        until(|| lock.try_read().is_none());
        Upgradable::bump(&mut upgradable);
        assert_eq!(*upgradable, 2);
        drop(upgradable);
        writer.join().unwrap();

        // A writer's waiters cannot be seen, so the writer bumps until this reader has been let in.
        let mut writer = lock.write();
        let reader = s.spawn(|| {
            let value = *lock.read();
            came.store(true, Ordering::SeqCst);
            value
        });
        while !came.load(Ordering::SeqCst) {
            Write::bump(&mut writer);
        }
        *writer += 1;
        assert_eq!(reader.join().unwrap(), 2);
    });
    assert!(!lock.is_locked());
}

fn rwsem_unlocked_guards_are_locked_again<P: Platform>() {
    let lock = Lock::<_, P>::new(0);
    let add = || *lock.try_write().expect("unlocked for a while") += 1;

    let mut reader = lock.read();
    Read::unlocked(&mut reader, add);
    Read::unlocked_fair(&mut reader, add);
    assert_eq!(*reader, 2);
    drop(reader);
    let mut upgradable = lock.upgradable_read();
    Upgradable::unlocked(&mut upgradable, add);
    Upgradable::unlocked_fair(&mut upgradable, add);
    assert_eq!(*upgradable, 4);
    drop(upgradable);
    let mut writer = lock.write();
    Write::unlocked(&mut writer, add);
    Write::unlocked_fair(&mut writer, add);
    assert_eq!(*writer, 6);
    assert!(lock.try_read().is_none());
}
