//! Reads that note themselves: a thread reads once more what it reads already, by plain reads, while a
//! writer waits for it; all others queue.

mod support;

use siftlock::lock_api::{RawRwLock as _, RawRwLockUpgrade as _, RwLockUpgradableReadGuard};
use siftlock::policy::{Noted, ReadBias};
use siftlock::{Policy, RawRwSem, ReadRecursive as _, ReadToken};
use std::mem::forget;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use support::{Lock, Platform, SHORT, assert_at_rest, finishes, on_each_platform, until, words};

on_each_platform!(
    rwsem_noted_reader_reads_again_while_a_writer_waits,
    rwsem_noted_upgradable_and_writer_that_was_read_again_while_a_writer_waits,
    rwsem_noted_reader_that_let_go_waits_behind_the_writer,
    rwsem_noted_holds_of_more_locks_than_notes,
    rwsem_noted_guards_are_dropped_by_another_thread,
    rwsem_noted_upgradable_guard_is_dropped_by_another_thread,
    rwsem_noted_thread_ends_with_the_lock_held,
    rwsem_noted_unknown_token_gives_back_what_the_thread_has,
    rwsem_noted_failed_upgrade_is_a_read_still,
    rwsem_noted_leaked_guard_does_not_outlive_the_lock,
    rwsem_noted_readers_that_nest_let_a_writer_in,
);

/// With every reader counted.
struct NotedCounted;

impl Policy for NotedCounted {
    const NOTE_READS: bool = true;
    const READ_BIAS: ReadBias = ReadBias::Off;
}

/// By slots whenever that can be.
struct NotedEager;

impl Policy for NotedEager {
    const NOTE_READS: bool = true;
    const READ_BIAS: ReadBias = ReadBias::Eager;
    const BIAS_PAUSE: u64 = 0;
}

/// Calls a generic function `f::<P, L>` with each policy that notes reads.
macro_rules! with_each {
    ($f:ident::<$P:ident>) => {{
        $f::<$P, NotedCounted>();
        $f::<$P, Noted>();
        $f::<$P, NotedEager>();
    }};
}

/// Whether a thread that does not read the lock is kept out of it.
fn shuts_others_out<P: Platform, L: Policy>(lock: &Lock<u32, P, L>) -> bool {
    thread::scope(|s| s.spawn(|| lock.try_read().is_none()).join().unwrap())
}

/// Does `work` while a writer waits, which `held` keeps waiting, and for which the lock is reserved.
fn beside_a_waiting_writer<P: Platform, L: Policy>(lock: &Lock<u32, P, L>, work: impl FnOnce()) {
    thread::scope(|s| {
        s.spawn(|| *lock.write() += 1);
        until(|| shuts_others_out(lock));
        work();
    });
}

/// The calling thread does not have the lock; while another does, and a writer waits, it is kept out.
#[track_caller]
fn assert_unnoted<P: Platform, L: Policy>(lock: &Lock<u32, P, L>) {
    let (tell, told) = channel();
    let (end, ended) = channel::<()>();
    let passed = thread::scope(|s| {
        s.spawn(move || {
            let reader = lock.read();
            tell.send(()).unwrap();
            let _ = ended.recv();
            drop(reader);
        });
        told.recv().unwrap();
        let mut passed = true;
        beside_a_waiting_writer(lock, || {
            passed = lock.try_read().is_some();
            drop(end);
        });
        passed
    });
    assert!(!passed, "noted, and reads nothing");
    assert_at_rest(lock);
}

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
        // The first goes first, the others in some order; who is left still counts.
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
    use siftlock::lock_api::RwLockWriteGuard;
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
        siftlock::lock_api::RwLockReadGuard::unlock_fair(lock.read());
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

fn rwsem_noted_guards_are_dropped_by_another_thread<P: Platform>() {
    with_each!(foreign_drop::<P>);
}

fn foreign_drop<P: Platform, L: Policy>() {
    let lock = Lock::<_, P, L>::new(0);
    for reads in 1..4 {
        let mut guards: Vec<_> = (0..reads).map(|_| lock.read()).collect();
        let kept = guards.pop();
        thread::scope(|s| {
            s.spawn(|| {
                // One of its own meanwhile.
                let own = lock.read();
                drop(guards);
                drop(own);
            });
        });
        beside_a_waiting_writer(&lock, || {
            let inner = lock.read();
            drop(kept);
            assert_eq!(*lock.read(), *inner);
        });
        let moved = lock.read();
        thread::scope(|s| drop(s.spawn(move || drop(moved))));
        assert_unnoted(&lock);
    }
}

fn rwsem_noted_upgradable_guard_is_dropped_by_another_thread<P: Platform>() {
    let lock = Lock::<_, P, NotedCounted>::new(0);
    let guard = lock.upgradable_read();
    thread::scope(|s| drop(s.spawn(move || drop(guard))));
    assert_unnoted(&lock);
    let guard = lock.upgradable_read();
    thread::scope(|s| {
        s.spawn(move || *RwLockUpgradableReadGuard::upgrade(guard) += 1);
    });
    assert_unnoted(&lock);
}

/// The next thread has its record, and its note for as long as the share is out.
fn rwsem_noted_thread_ends_with_the_lock_held<P: Platform>() {
    let lock = Lock::<u32, P, NotedCounted>::new(0);
    // SAFETY: given back below.
    let take = || unsafe { lock.raw() }.lock_shared();
    let token = thread::scope(|s| s.spawn(take).join().unwrap());
    assert!(!token.is_slot());
    thread::scope(|s| (0..4).for_each(|_| drop(s.spawn(|| drop(lock.read())))));
    assert!(lock.try_write_for(SHORT).is_none());
    // SAFETY: the read of that thread.
    unsafe { lock.raw().unlock_shared(token) };
    assert_at_rest(&lock);
    thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| assert_unnoted(&lock)).join().unwrap();
        }
    });
}

fn rwsem_noted_unknown_token_gives_back_what_the_thread_has<P: Platform>() {
    with_each!(without_token::<P>);
}

fn without_token<P: Platform, L: Policy>() {
    let lock = Lock::<u32, P, L>::new(0);
    let others: Vec<_> = (0..5).map(|_| Lock::<u32, P, L>::new(0)).collect();
    for others in [&others[..0], &others[..]] {
        let others: Vec<_> = others.iter().map(|lock| lock.read()).collect();
        // SAFETY: as far as there are reads to give back.
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
    // SAFETY: what is tried or given back was taken.
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

/// What was leaked dies with the lock: of the next one at its address the thread reads nothing.
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

/// Nothing but the limit on passing lets a writer in: by counts, not by the clock.
struct WithoutClock;

impl Policy for WithoutClock {
    const NOTE_READS: bool = true;
    const READ_BIAS: ReadBias = ReadBias::Off;
    const HANDOFF_AFTER: u64 = u64::MAX;
    const MAX_PASSES: u32 = 50;
}

/// Readers that nest, and of whom none leaves before the next has come, unless it sees that none can.
fn rwsem_noted_readers_that_nest_let_a_writer_in<P: Platform>() {
    const READERS: u32 = 3;
    const WRITES: u32 = 5;
    /// In the count: somebody waits.
    const WAITERS: u64 = 1 << 1;

    let lock = Lock::<_, P, WithoutClock>::new(0_u32);
    let (inside, passed) = (AtomicU32::new(0), AtomicU32::new(0));
    let (shut, stop) = (AtomicBool::new(false), AtomicBool::new(false));
    let runs = || !stop.load(Ordering::Relaxed);
    thread::scope(|s| {
        // Sees from outside whether others are kept out. Holds the lock only for a moment.
        s.spawn(|| {
            while runs() {
                shut.store(lock.try_read().is_none(), Ordering::Relaxed);
            }
        });
        for _ in 0..READERS {
            s.spawn(|| {
                while runs() {
                    let waited_for = words(&lock)[0] & WAITERS != 0;
                    let outer = lock.read();
                    inside.fetch_add(1, Ordering::SeqCst);
                    if waited_for {
                        passed.fetch_add(1, Ordering::SeqCst);
                    }
                    let (inner, again) = (lock.read(), lock.try_read());
                    assert!(*inner == *outer && again.is_some());
                    let not_the_last = |n| if n > 1 { Some(n - 1) } else { None };
                    let order = Ordering::SeqCst;
                    while inside.fetch_update(order, order, not_the_last).is_err() {
                        assert_eq!(*lock.read(), *outer);
                        if shut.load(Ordering::Relaxed) || !runs() {
                            inside.fetch_sub(1, Ordering::SeqCst);
                            break;
                        }
                    }
                }
            });
        }
        for _ in 0..WRITES {
            until(|| inside.load(Ordering::SeqCst) > 1);
            let mut guard = lock.write();
            assert_eq!(inside.load(Ordering::SeqCst), 0);
            *guard += 1;
        }
        stop.store(true, Ordering::Relaxed);
    });
    // Each that passes reserves the lock after so many times, and one may be on its way in.
    let most = WRITES * (READERS + 1) * (WithoutClock::MAX_PASSES + 1);
    let passed = passed.into_inner();
    assert!(passed <= most, "{passed} reads went before a writer that waited, of {most}");
    assert_at_rest(&lock);
}

#[cfg(target_os = "linux")]
#[test]
fn rwsem_noted_read_by_slot_or_by_share_is_told_by_its_token() {
    finishes(|| {
        let lock = RawRwSem::<NotedEager, support::Linux>::new();
        let (counted, by_slot) = (lock.lock_shared(), lock.lock_shared());
        assert!(!counted.is_slot() && by_slot.is_slot());
        // SAFETY: just taken.
        unsafe {
            lock.unlock_shared(by_slot);
            lock.unlock_shared(counted);
        }
    });
}

/// Under version 0.4, which keeps no token.
#[cfg(feature = "lock_api_04")]
mod v04 {
    use super::support::{Platform, SHORT, on_each_platform, until};
    use super::{Noted, NotedCounted, NotedEager, Policy, thread};
    use siftlock::lock_api_04::{RawLocalRwSem, lock_api::RwLock};

    on_each_platform!(rwsem_noted_local_guards_nest_while_a_writer_waits);

    fn rwsem_noted_local_guards_nest_while_a_writer_waits<P: Platform>() {
        with_each!(nest::<P>);
    }

    fn nest<P: Platform, L: Policy>() {
        let lock = RwLock::<RawLocalRwSem<L, P>, u32>::new(0);
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
}
