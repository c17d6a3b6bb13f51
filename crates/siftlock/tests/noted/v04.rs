//! Under version 0.4 of `lock_api`, which keeps no token.

use crate::support::{Platform, SHORT, on_each_platform, until};
use crate::{NotedEager, with_each};
use siftlock::Policy;
use siftlock::RawRwSem;
use siftlock::lock_api_04::lock_api::RwLock;
use siftlock::policy::{Noted, NotedCounted};
use std::thread;

on_each_platform!(rwsem_noted_local_guards_nest_while_a_writer_waits);

fn rwsem_noted_local_guards_nest_while_a_writer_waits<P: Platform>() {
    with_each!(nest::<P>);
}

fn nest<P: Platform, L: Policy>() {
    let lock = RwLock::<RawRwSem<L, P>, u32>::new(0);
    let shut = || thread::scope(|s| s.spawn(|| lock.try_read().is_none()).join().unwrap());
    for round in 0..3 {
        let outer = lock.read();
        thread::scope(|s| {
            s.spawn(|| *lock.write() += 1);
            until(shut);
            let inner = [lock.read(), lock.try_read().unwrap(), lock.read_recursive()];
            drop(outer);
            let last = lock.try_read_for(SHORT).unwrap();
            drop(inner);
            assert!(*lock.read() == round && *last == round && shut());
        });
        let mut upgradable = lock.upgradable_read();
        upgradable.with_upgraded(|value| assert_eq!(*value, round + 1));
    }
    assert!(lock.try_write().is_some() && !lock.is_locked());
}
