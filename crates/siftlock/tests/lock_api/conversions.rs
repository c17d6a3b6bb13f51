//! Upgrades and downgrades.

use super::{Lock, api};
use crate::support::{A_WHILE, Platform, SHORT, on_each_platform, until};
use api::{RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

on_each_platform!(
    rwsem_downgraded_writer_shares_and_saw_no_other_writer,
    rwsem_downgrade_lets_waiting_readers_in,
    rwsem_writer_becomes_upgradable_and_writer_again,
    rwsem_upgradable_reader_becomes_a_plain_one,
    rwsem_upgrade_waits_for_readers_and_passes_writers,
    rwsem_upgrade_is_refused_while_a_reader_stays,
    rwsem_value_is_changed_under_an_upgradable_read,
    rwsem_upgradable_readers_take_turns,
);

fn rwsem_downgraded_writer_shares_and_saw_no_other_writer<P: Platform>() {
    let lock = Lock::<_, P>::new(0);
    thread::scope(|s| {
        let mut writer = lock.write();
        let other = s.spawn(|| *lock.write() += 10);
        thread::sleep(A_WHILE);
        *writer += 1;
        let reader = Write::downgrade(writer);
        assert_eq!(*reader, 1);
        assert!(lock.try_write().is_none());
        drop(reader);
        other.join().unwrap();
    });
    assert_eq!(lock.into_inner(), 11);
}

fn rwsem_downgrade_lets_waiting_readers_in<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    thread::scope(|s| {
        let writer = lock.write();
        let waiting = [(); 3].map(|()| s.spawn(|| drop(lock.read())));
        thread::sleep(A_WHILE);
        let reader = Write::downgrade(writer);
        waiting.into_iter().for_each(|thread| thread.join().unwrap());
        drop(reader);
    });
}

fn rwsem_writer_becomes_upgradable_and_writer_again<P: Platform>() {
    let lock = Lock::<_, P>::new(1);
    let upgradable = Write::downgrade_to_upgradable(lock.write());
    assert!(lock.try_read().is_some());
    assert!(lock.try_upgradable_read().is_none() && lock.try_write().is_none());
    let mut writer = Upgradable::try_upgrade(upgradable).unwrap_or_else(|_| panic!("all alone"));
    *writer = 2;
    assert!(lock.try_read().is_none());
    drop(writer);
    assert_eq!(lock.into_inner(), 2);
}

fn rwsem_upgradable_reader_becomes_a_plain_one<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    thread::scope(|s| {
        let upgradable = lock.upgradable_read();
        let next = s.spawn(|| drop(lock.upgradable_read()));
        thread::sleep(A_WHILE);
        let reader = Upgradable::downgrade(upgradable);
        next.join().unwrap();
        assert!(lock.try_write().is_none());
        drop(reader);
    });
    assert!(!lock.is_locked());
}

fn rwsem_upgrade_waits_for_readers_and_passes_writers<P: Platform>() {
    let lock = Lock::<_, P>::new(vec![]);
    let taken = AtomicBool::new(false);
    thread::scope(|s| {
        let reader = lock.read();
        let upgrader = s.spawn(|| {
            let upgradable = lock.upgradable_read();
            taken.store(true, Ordering::SeqCst);
            until(|| lock.try_read().is_none());
            let seen = upgradable.len();
            let mut writer = Upgradable::upgrade(upgradable);
            assert_eq!(writer.len(), seen, "a writer came between");
            writer.push("upgrader");
        });
        until(|| taken.load(Ordering::SeqCst));
        let writer = s.spawn(|| lock.write().push("writer"));
        until(|| lock.try_read().is_none());
        thread::sleep(A_WHILE);
        assert!(reader.is_empty());
        drop(reader);
        upgrader.join().unwrap();
        writer.join().unwrap();
    });
    assert_eq!(lock.into_inner(), ["upgrader", "writer"]);
}

fn rwsem_upgrade_is_refused_while_a_reader_stays<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    let reader = lock.read();
    let upgradable = lock.upgradable_read();
    let Err(upgradable) = Upgradable::try_upgrade(upgradable) else { panic!("a reader is inside") };
    let Err(upgradable) = Upgradable::try_upgrade_for(upgradable, SHORT) else {
        panic!("a reader is inside")
    };
    let until = Instant::now() + SHORT;
    let Err(upgradable) = Upgradable::try_upgrade_until(upgradable, until) else {
        panic!("a reader is inside")
    };
    // The lock is still upgradable, and reserved for nobody.
    assert!(lock.try_upgradable_read().is_none() && lock.try_read().is_some());
    drop(reader);
    assert!(Upgradable::try_upgrade(upgradable).is_ok());
    assert!(!lock.is_locked());
}

fn rwsem_value_is_changed_under_an_upgradable_read<P: Platform>() {
    let lock = Lock::<_, P>::new(1);
    let mut guard = lock.upgradable_read();
    assert_eq!(
        guard.with_upgraded(|value| {
            *value += 1;
            *value
        }),
        2
    );
    assert_eq!(
        guard.try_with_upgraded(|value| {
            *value += 1;
            *value
        }),
        Some(3)
    );
    assert_eq!(guard.try_with_upgraded_for(SHORT, |value| *value), Some(3));
    let reader = lock.read();
    assert_eq!(guard.try_with_upgraded(|value| *value), None);
    assert_eq!(guard.try_with_upgraded_for(SHORT, |value| *value), None);
    assert_eq!((*guard, *reader), (3, 3));
}

fn rwsem_upgradable_readers_take_turns<P: Platform>() {
    let lock = Lock::<_, P>::new(0);
    thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                for _ in 0..500 {
                    let guard = lock.upgradable_read();
                    let seen = *guard;
                    let mut guard = Upgradable::upgrade(guard);
                    assert_eq!(*guard, seen);
                    *guard += 1;
                }
            });
        }
    });
    assert_eq!(lock.into_inner(), 2000);
}
