//! Which threads may be inside together, and how guards are used.

use super::{Lock, SendLock, api};
use crate::support::{A_WHILE, Platform, on_each_platform};
use std::thread;

on_each_platform!(
    rwsem_readers_share_and_keep_writers_out,
    rwsem_writer_keeps_all_out,
    rwsem_upgradable_reader_shares_with_readers_only,
    rwsem_held_lock_says_so,
    rwsem_guard_is_dropped_by_another_thread,
    rwsem_mapped_guards_keep_the_lock,
    rwsem_value_is_reached_without_locking_by_its_owner,
    rwsem_value_may_be_unsized,
    rwsem_writer_waits_for_a_reader_and_reader_for_a_writer,
);

fn rwsem_readers_share_and_keep_writers_out<P: Platform>() {
    let lock = Lock::<_, P>::new(5);
    let (a, b, c) = (lock.read(), lock.read(), lock.try_read().unwrap());
    assert_eq!(*a + *b + *c, 15);
    assert!(lock.try_write().is_none());
    drop((a, b));
    assert!(lock.try_write().is_none());
    drop(c);
    assert!(lock.try_write().is_some());
}

fn rwsem_writer_keeps_all_out<P: Platform>() {
    let lock = Lock::<_, P>::new(5);
    let mut writer = lock.write();
    *writer = 6;
    assert!(lock.try_read().is_none());
    assert!(lock.try_upgradable_read().is_none());
    assert!(lock.try_write().is_none());
    drop(writer);
    assert_eq!(*lock.read(), 6);
}

fn rwsem_upgradable_reader_shares_with_readers_only<P: Platform>() {
    let lock = Lock::<_, P>::new(5);
    let before = lock.read();
    let upgradable = lock.upgradable_read();
    let after = lock.read();
    assert_eq!(*before + *upgradable + *after, 15);
    assert!(lock.try_upgradable_read().is_none());
    assert!(lock.try_write().is_none());
    drop(upgradable);
    assert!(lock.try_upgradable_read().is_some());
}

fn rwsem_held_lock_says_so<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    assert!(!lock.is_locked() && !lock.is_locked_exclusive());
    let reader = lock.read();
    assert!(lock.is_locked() && !lock.is_locked_exclusive());
    drop(reader);
    let upgradable = lock.upgradable_read();
    assert!(lock.is_locked() && !lock.is_locked_exclusive());
    let writer = api::RwLockUpgradableReadGuard::upgrade(upgradable);
    assert!(lock.is_locked() && lock.is_locked_exclusive());
    drop(writer);
    assert!(!lock.is_locked() && !lock.is_locked_exclusive());
}

fn rwsem_guard_is_dropped_by_another_thread<P: Platform>() {
    let lock = SendLock::<_, P>::new(5);
    thread::scope(|s| {
        let reader = lock.read();
        s.spawn(move || assert_eq!(*reader, 5)).join().unwrap();
        let upgradable = lock.upgradable_read();
        s.spawn(move || assert_eq!(*upgradable, 5)).join().unwrap();
        let mut writer = lock.write();
        s.spawn(move || *writer = 6).join().unwrap();

        // Also while other threads wait for the lock.
        let writer = lock.write();
        let waiting = s.spawn(|| *lock.read());
        s.spawn(move || {
            thread::sleep(A_WHILE);
            drop(writer);
        });
        assert_eq!(waiting.join().unwrap(), 6);
    });
    assert!(!lock.is_locked());
}

fn rwsem_mapped_guards_keep_the_lock<P: Platform>() {
    let lock = Lock::<_, P>::new((1, [2, 3]));
    let pair = api::RwLockWriteGuard::map(lock.write(), |value| &mut value.1);
    let mut second = api::MappedRwLockWriteGuard::map(pair, |pair| &mut pair[1]);
    *second = 4;
    assert!(lock.try_read().is_none());
    drop(second);

    let one = api::RwLockReadGuard::map(lock.read(), |value| &value.0);
    let Err(all) = api::RwLockReadGuard::try_map(lock.read(), |_| None::<&()>) else {
        panic!("there is nothing to show");
    };
    assert_eq!((*one, all.1), (1, [2, 4]));
    drop(all);
    assert!(lock.try_write().is_none());
    drop(one);
    assert!(lock.try_write().is_some());
}

fn rwsem_value_is_reached_without_locking_by_its_owner<P: Platform>() {
    let mut lock: Lock<_, P> = vec![1].into();
    lock.get_mut().push(2);
    assert_eq!(lock.into_inner(), [1, 2]);
    assert_eq!(*Lock::<u32, P>::default().read(), 0);
}

fn rwsem_value_may_be_unsized<P: Platform>() {
    let lock: Box<Lock<[u32], P>> = Box::new(Lock::new([1, 2, 3]));
    lock.write()[1] = 5;
    assert_eq!(*lock.read(), [1, 5, 3]);
}

fn rwsem_writer_waits_for_a_reader_and_reader_for_a_writer<P: Platform>() {
    let lock = Lock::<_, P>::new(1);
    thread::scope(|s| {
        let reader = lock.read();
        let writer = s.spawn(|| *lock.write() += 1);
        thread::sleep(A_WHILE);
        assert_eq!(*reader, 1);
        drop(reader);
        writer.join().unwrap();

        let mut writer = lock.write();
        let reader = s.spawn(|| *lock.read());
        thread::sleep(A_WHILE);
        *writer += 1;
        drop(writer);
        assert_eq!(reader.join().unwrap(), 3);
    });
}
