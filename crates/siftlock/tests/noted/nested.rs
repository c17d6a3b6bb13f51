//! Reads in one thread, one inside the other.

use crate::support::{Lock, Platform, SHORT, on_each_platform, until};
use crate::{NotedEager, assert_unnoted, beside_a_waiting_writer, shuts_others_out, with_each};
use siftlock::lock_api::{RwLockReadGuard, RwLockUpgradableReadGuard, RwLockWriteGuard};
use siftlock::policy::{Noted, NotedCounted};
use siftlock::{Policy, ReadRecursive as _};
use std::thread;

on_each_platform!(
    rwsem_noted_reader_reads_again_while_a_writer_waits,
    rwsem_noted_upgradable_and_writer_that_was_read_again_while_a_writer_waits,
    rwsem_noted_reader_that_let_go_waits_behind_the_writer,
    rwsem_noted_holds_of_more_locks_than_notes,
);

fn rwsem_noted_reader_reads_again_while_a_writer_waits<P: Platform>() {
    with_each!(reads_again::<P>);
}

fn reads_again<P: Platform, L: Policy>() {
    let lock = Lock::<_, P, L>::new(0);
    let outer = lock.read();
    beside_a_waiting_writer(&lock, || {
        let mut inner = vec![lock.read(), lock.try_read().unwrap(), lock.read_recursive()];
        inner.push(lock.try_read_for(SHORT).unwrap());
        inner.push(lock.try_read_recursive().unwrap());
        // The first goes first, the others in some order. The reads that are left still count.
        drop(outer);
        for place in [2, 0, 1] {
            drop(inner.swap_remove(place));
            inner.push(lock.read());
        }
        assert!(shuts_others_out(&lock));
        assert!(inner.iter().all(|inner| **inner == 0));
    });
    assert_eq!(*lock.read(), 1);
    assert_unnoted(&lock);
}

fn rwsem_noted_upgradable_and_writer_that_was_read_again_while_a_writer_waits<P: Platform>() {
    with_each!(others_read_again::<P>);
}

fn others_read_again<P: Platform, L: Policy>() {
    let lock = Lock::<_, P, L>::new(0);
    let upgradable = lock.upgradable_read();
    beside_a_waiting_writer(&lock, || {
        let inner = lock.read();
        let reader = RwLockUpgradableReadGuard::downgrade(upgradable);
        let upgradable = lock.upgradable_read();
        drop((inner, reader));
        assert_eq!(*lock.read(), 0);
        drop(upgradable);
    });
    let reader = RwLockWriteGuard::downgrade(lock.write());
    beside_a_waiting_writer(&lock, || {
        let inner = lock.read();
        drop(reader);
        assert_eq!(*inner, 1);
    });
    let upgradable = RwLockWriteGuard::downgrade_to_upgradable(lock.write());
    beside_a_waiting_writer(&lock, || {
        let inner = lock.read();
        drop(upgradable);
        assert_eq!(*lock.read(), *inner);
    });
    drop(RwLockUpgradableReadGuard::upgrade(lock.upgradable_read()));
    assert_unnoted(&lock);
}

fn rwsem_noted_reader_that_let_go_waits_behind_the_writer<P: Platform>() {
    with_each!(lets_go::<P>);
}

fn lets_go<P: Platform, L: Policy>() {
    let lock = Lock::<_, P, L>::new(0);
    for _ in 0..3 {
        let guards = [lock.read(), lock.read()];
        assert_eq!(*guards[0], *guards[1]);
        drop(guards);
        assert_unnoted(&lock);
        drop(lock.try_read());
        drop(lock.try_read_for(SHORT));
        RwLockReadGuard::unlock_fair(lock.read());
        assert_unnoted(&lock);
    }
}

fn rwsem_noted_holds_of_more_locks_than_notes<P: Platform>() {
    with_each!(many_locks::<P>);
}

fn many_locks<P: Platform, L: Policy>() {
    let locks: Vec<_> = (0..10).map(|_| Lock::<_, P, L>::new(0)).collect();
    let mut outer: Vec<_> = locks.iter().map(|lock| lock.read()).collect();
    outer.extend(locks.iter().map(|lock| lock.read()));
    thread::scope(|s| {
        for lock in &locks {
            s.spawn(|| *lock.write() += 1);
            until(|| shuts_others_out(lock));
        }
        let inner: Vec<_> = locks.iter().map(|lock| lock.read()).collect();
        drop(outer);
        let last: Vec<_> = locks.iter().map(|lock| lock.try_read().unwrap()).collect();
        assert!(inner.iter().chain(&last).all(|guard| **guard == 0));
    });
    locks.iter().for_each(assert_unnoted);
}

#[cfg(target_os = "linux")]
#[test]
fn rwsem_noted_read_by_slot_or_by_share_is_told_by_its_token() {
    use siftlock::RawRwSem;
    use siftlock::lock_api::RawRwLock as _;
    crate::support::finishes(|| {
        let lock = RawRwSem::<NotedEager, crate::support::Linux>::new();
        let (counted, by_slot) = (lock.lock_shared(), lock.lock_shared());
        assert!(!counted.is_slot() && by_slot.is_slot());
        // SAFETY: just taken.
        unsafe {
            lock.unlock_shared(by_slot);
            lock.unlock_shared(counted);
        }
    });
}

/// Only a read by slot is refused: beside a reader there may be any number of shares.
#[cfg(target_os = "linux")]
#[test]
fn rwsem_noted_reader_is_refused_where_its_slot_stands_for_no_more() {
    use std::panic;

    const DEPTH: usize = 1 << 10;
    let lock = Lock::<_, siftlock::platform::Linux, NotedEager>::new(0);
    // The bias comes on.
    drop(lock.read());
    let outer = lock.read();
    beside_a_waiting_writer(&lock, || {
        let mut inner: Vec<_> = (1..DEPTH).map(|_| lock.read()).collect();
        let refused =
            panic::catch_unwind(panic::AssertUnwindSafe(|| drop(lock.read()))).unwrap_err();
        let words = refused.downcast_ref::<String>().unwrap();
        assert!(words.contains("1,024 nested reads of one thread"), "{words}");
        assert!(lock.try_read_for(SHORT).is_none() && lock.try_read_recursive().is_none());
        inner.pop();
        drop(lock.read());
        drop((inner, outer));
    });
    assert_eq!(*lock.read(), 1);
    assert_unnoted(&lock);
}
