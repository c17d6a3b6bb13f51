//! Reads by a thread that reads already.

use super::Lock;
#[allow(unused_imports, reason = "version 0.4 has methods for it")]
use super::*;
use crate::support::{A_WHILE, LONG, Platform, SHORT, on_each_platform, until};
use std::thread;
use std::time::Instant;

on_each_platform!(
    rwsem_plain_inner_read_waits_for_the_writer_that_waits_for_the_outer,
    rwsem_recursive_reads_pass_the_waiting_writer,
    rwsem_recursive_read_waits_for_the_writer_inside,
    rwsem_recursive_reads_pass_a_reserved_lock,
);

/// The deadlock that the crate's documentation warns of, ended by a time-out.
fn rwsem_plain_inner_read_waits_for_the_writer_that_waits_for_the_outer<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    thread::scope(|s| {
        let outer = lock.read();
        s.spawn(|| drop(lock.write()));
        until(|| lock.try_read().is_none());
        assert!(lock.try_read_for(SHORT).is_none());
        assert!(lock.try_upgradable_read_for(SHORT).is_none());
        drop(outer);
    });
    assert!(lock.try_write().is_some());
}

fn rwsem_recursive_reads_pass_the_waiting_writer<P: Platform>() {
    let lock = Lock::<_, P>::new(0);
    thread::scope(|s| {
        let outer = lock.read();
        let writer = s.spawn(|| *lock.write() += 1);
        until(|| lock.try_read().is_none());
        let inner = [
            lock.read_recursive(),
            lock.try_read_recursive().unwrap(),
            lock.try_read_recursive_for(LONG).unwrap(),
            lock.try_read_recursive_until(Instant::now()).unwrap(),
        ];
        drop(outer);
        thread::sleep(A_WHILE);
        assert!(inner.iter().all(|inner| **inner == 0));
        drop(inner);
        writer.join().unwrap();
    });
    assert_eq!(lock.into_inner(), 1);
}

fn rwsem_recursive_read_waits_for_the_writer_inside<P: Platform>() {
    let lock = Lock::<_, P>::new(0);
    thread::scope(|s| {
        let mut writer = lock.write();
        assert!(lock.try_read_recursive().is_none());
        assert!(lock.try_read_recursive_for(SHORT).is_none());
        assert!(lock.try_read_recursive_until(Instant::now()).is_none());
        let reader = s.spawn(|| *lock.read_recursive());
        thread::sleep(A_WHILE);
        *writer = 1;
        drop(writer);
        assert_eq!(reader.join().unwrap(), 1);
    });
    assert!(lock.try_write().is_some());
}

/// An upgrade reserves the lock for itself while it waits for readers. Such a reader may still read
/// recursively, or the two would wait for each other.
fn rwsem_recursive_reads_pass_a_reserved_lock<P: Platform>() {
    let lock = Lock::<_, P>::new(0);
    thread::scope(|s| {
        let outer = lock.read();
        let upgrader = s.spawn(|| lock.upgradable_read().with_upgraded(|value| *value += 1));
        until(|| lock.try_read().is_none());
        for _ in 0..10 {
            assert_eq!(*lock.read_recursive(), *outer);
        }
        drop(outer);
        upgrader.join().unwrap();
    });
    assert_eq!(lock.into_inner(), 1);
}
