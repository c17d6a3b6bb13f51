//! Where a noted read ends: without its token, with its thread, with its lock.

use crate::support::{Lock, Platform, SHORT, on_each_platform};
use crate::{NotedEager, assert_unnoted, beside_a_waiting_writer, with_each};
use siftlock::lock_api::{RawRwLock as _, RawRwLockUpgrade as _};
use siftlock::policy::{Noted, NotedCounted};
use siftlock::{Policy, RawRwSem, ReadToken};
use std::mem::forget;
use std::thread;

on_each_platform!(
    rwsem_noted_thread_ends_with_the_lock_held,
    rwsem_noted_unknown_token_gives_back_what_the_thread_has,
    rwsem_noted_failed_upgrade_is_a_read_still,
    rwsem_noted_leaked_guard_does_not_outlive_the_lock,
);

/// The next threads have other records, and are noted nowhere.
fn rwsem_noted_thread_ends_with_the_lock_held<P: Platform>() {
    let lock = Lock::<u32, P, NotedCounted>::new(0);
    let in_a_thread = |act: fn(&Lock<u32, P, NotedCounted>)| {
        let id = || {
            act(&lock);
            P::current().id()
        };
        thread::scope(|s| s.spawn(id).join().unwrap())
    };
    let gone = in_a_thread(|lock| forget(lock.read()));
    for _ in 0..20 {
        assert_ne!(in_a_thread(|lock| drop(lock.read())), gone);
    }
    assert!(lock.try_write_for(SHORT).is_none());
}

fn rwsem_noted_unknown_token_gives_back_what_the_thread_has<P: Platform>() {
    with_each!(without_token::<P>);
}

fn without_token<P: Platform, L: Policy>() {
    let lock = Lock::<u32, P, L>::new(0);
    let others: Vec<_> = (0..5).map(|_| Lock::<u32, P, L>::new(0)).collect();
    for others in [&others[..0], &others[..]] {
        let others: Vec<_> = others.iter().map(|lock| lock.read()).collect();
        // SAFETY: the two reads are given back; the third unlock is refused.
        unsafe {
            let raw: &RawRwSem<L, P> = lock.raw();
            let _lost = (raw.lock_shared(), raw.lock_shared());
            raw.unlock_shared(ReadToken::UNKNOWN);
            assert!(lock.try_write().is_none(), "one is left");
            raw.unlock_shared(ReadToken::UNKNOWN);
            let nothing = std::panic::AssertUnwindSafe(|| raw.unlock_shared(ReadToken::UNKNOWN));
            assert!(std::panic::catch_unwind(nothing).is_err());
        }
        drop(others);
        assert_unnoted(&lock);
    }
}

fn rwsem_noted_failed_upgrade_is_a_read_still<P: Platform>() {
    let lock = Lock::<u32, P, NotedCounted>::new(0);
    let reader = lock.read();
    // SAFETY: each hold that is upgraded or given back was taken.
    unsafe {
        let raw = lock.raw();
        let upgradable = raw.lock_upgradable();
        let Err(upgradable) = raw.try_upgrade(upgradable) else { panic!("there is a reader") };
        assert!(raw.upgrade_within(SHORT).is_err(), "there still is");
        drop(reader);
        beside_a_waiting_writer(&lock, || {
            let inner = lock.read();
            raw.unlock_upgradable(upgradable);
            drop(inner);
        });
    }
    assert_unnoted(&lock);
}

/// A leaked read dies with the lock: the thread does not read the next lock at its address.
fn rwsem_noted_leaked_guard_does_not_outlive_the_lock<P: Platform>() {
    let mut place = Box::new(Lock::<_, P, NotedCounted>::new(0));
    for _ in 0..5 {
        forget((place.read(), place.read(), place.upgradable_read()));
        assert!(place.try_write().is_none());
        // At the same address.
        *place = Lock::new(0);
        assert_unnoted(&place);
    }
}
