//! Calls that give up: when they do, and the state that they leave behind.

use crate::support::{
    A_WHILE, Eager, LONG, Lock, Platform, SHORT, assert_at_rest, on_each_platform, past, until,
};
use siftlock::lock_api::RwLockUpgradableReadGuard as Upgradable;
use siftlock::{Limit, RawRwSem, ReadRecursive as _, policy::Standard};
use std::thread;
use std::time::{Duration, Instant};

on_each_platform!(
    rwsem_call_without_time_takes_a_free_lock_and_no_other,
    rwsem_waiter_never_gives_up_early,
    rwsem_waiter_with_very_long_time_waits_for_the_lock,
    rwsem_waiter_that_gives_up_leaves_from_any_place,
    rwsem_writer_that_gives_up_lets_readers_behind_it_in,
    rwsem_writer_that_gives_up_on_a_slot_lets_readers_behind_it_in,
    rwsem_upgrader_that_gives_up_lets_readers_in,
    rwsem_waiters_that_give_up_at_random_leave_the_lock_at_rest,
);

/// The ways to wait for a lock.
#[derive(Clone, Copy, Debug)]
enum Way {
    Read,
    Upgradable,
    Recursive,
    Write,
}

use Way::{Read, Recursive, Upgradable as UpgradableRead, Write};
const WAYS: [Way; 4] = [Read, UpgradableRead, Recursive, Write];

/// Takes the lock and leaves it, or gives up.
fn visit<P: Platform>(lock: &Lock<(), P>, way: Way, time: Option<Duration>) -> bool {
    match (way, time) {
        (Read, None) => drop(lock.read()),
        (UpgradableRead, None) => drop(lock.upgradable_read()),
        (Recursive, None) => drop(lock.read_recursive()),
        (Write, None) => drop(lock.write()),
        (Read, Some(time)) => return lock.try_read_for(time).is_some(),
        (UpgradableRead, Some(time)) => return lock.try_upgradable_read_for(time).is_some(),
        (Recursive, Some(time)) => return lock.try_read_recursive_for(time).is_some(),
        (Write, Some(time)) => return lock.try_write_for(time).is_some(),
    }
    true
}

fn visit_until<P: Platform>(lock: &Lock<(), P>, way: Way, end: Instant) -> bool {
    match way {
        Read => lock.try_read_until(end).is_some(),
        UpgradableRead => lock.try_upgradable_read_until(end).is_some(),
        Recursive => lock.try_read_recursive_until(end).is_some(),
        Write => lock.try_write_until(end).is_some(),
    }
}

fn rwsem_call_without_time_takes_a_free_lock_and_no_other<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    let ends = || [Instant::now(), past(Duration::from_nanos(1)), past(LONG)];
    for way in WAYS {
        assert!(visit(&lock, way, Some(Duration::ZERO)), "{way:?}");
        assert!(ends().into_iter().all(|end| visit_until(&lock, way, end)), "{way:?}");
        let guard = lock.write();
        assert!(!visit(&lock, way, Some(Duration::ZERO)), "{way:?}");
        assert!(!ends().into_iter().any(|end| visit_until(&lock, way, end)), "{way:?}");
        drop(guard);
        assert_at_rest(&lock);
    }
}

fn rwsem_waiter_never_gives_up_early<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    for time in [Duration::from_nanos(1), Duration::from_micros(100), SHORT] {
        for way in WAYS {
            let guard = lock.write();
            let end = Instant::now() + time;
            assert!(!visit(&lock, way, Some(time)));
            assert!(Instant::now() >= end, "{way:?}");
            let end = Instant::now() + time;
            assert!(!visit_until(&lock, way, end));
            assert!(Instant::now() >= end, "{way:?}");
            drop(guard);
            assert_at_rest(&lock);
        }
    }
}

fn rwsem_waiter_with_very_long_time_waits_for_the_lock<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    let far = Instant::now() + LONG;
    for way in WAYS {
        for time in [LONG, Duration::from_nanos(u64::MAX), Duration::MAX] {
            thread::scope(|s| {
                let guard = lock.write();
                let waiting =
                    s.spawn(|| visit(&lock, way, Some(time)) && visit_until(&lock, way, far));
                thread::sleep(A_WHILE / 3);
                drop(guard);
                assert!(waiting.join().unwrap(), "{way:?} for {time:?}");
            });
            assert_at_rest(&lock);
        }
    }
}

/// One of three waiters gives up: the first, the middle one, the last.
fn rwsem_waiter_that_gives_up_leaves_from_any_place<P: Platform>() {
    for place in 0..3 {
        for quitter in WAYS {
            for [a, b] in [[Read, Read], [Write, Write], [Read, Write], [UpgradableRead, Read]] {
                let mut queue = vec![(a, None), (b, None)];
                queue.insert(place, (quitter, Some(A_WHILE)));
                let lock = Lock::<_, P>::new(());
                thread::scope(|s| {
                    let guard = lock.write();
                    let come = |(way, time)| {
                        let waiter = s.spawn({
                            let lock = &lock;
                            move || visit(lock, way, time)
                        });
                        thread::sleep(Duration::from_millis(2));
                        waiter
                    };
                    let mut waiters: Vec<_> = queue.into_iter().map(come).collect();
                    assert!(!waiters.remove(place).join().unwrap(), "{quitter:?} at {place}");
                    drop(guard);
                });
                assert_at_rest(&lock);
            }
        }
    }
}

/// The reader inside stays, so the leaving writer has to let the other readers in.
fn rwsem_writer_that_gives_up_lets_readers_behind_it_in<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    let inside = lock.read();
    thread::scope(|s| {
        let writer = s.spawn(|| lock.try_write_for(2 * SHORT).is_some());
        let readers = [Read, UpgradableRead, Read].map(|way| {
            // The reader comes behind the writer, if the writer has not given up already.
            until(|| lock.try_read().is_none() || writer.is_finished());
            s.spawn({
                let lock = &lock;
                move || visit(lock, way, None)
            })
        });
        assert!(readers.map(|reader| reader.join().unwrap()).iter().all(|&got| got));
        assert!(!writer.join().unwrap());
    });
    drop(inside);
    assert_at_rest(&lock);
}

/// The writer waits for a reader by slot. The reader behind the writer waits until it is called,
/// and has reserved the lock by then.
fn rwsem_writer_that_gives_up_on_a_slot_lets_readers_behind_it_in<P: Platform>() {
    let lock = Lock::<_, P, Eager>::new(());
    drop(lock.read());
    let inside = lock.read();
    thread::scope(|s| {
        let writer = s.spawn(|| lock.try_write_for(2 * SHORT).is_some());
        until(|| lock.try_read().is_none() || writer.is_finished());
        s.spawn(|| drop(lock.read())).join().unwrap();
        assert!(!writer.join().unwrap());
    });
    drop(inside);
    assert_at_rest(&lock);
}

fn rwsem_upgrader_that_gives_up_lets_readers_in<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    let inside = lock.read();
    thread::scope(|s| {
        let upgrader =
            s.spawn(|| Upgradable::try_upgrade_for(lock.upgradable_read(), 2 * SHORT).is_ok());
        until(|| lock.try_read().is_none() || upgrader.is_finished());
        let reader = s.spawn(|| visit(&lock, Read, None));
        assert!(reader.join().unwrap() && !upgrader.join().unwrap());
    });
    drop(inside);
    assert_at_rest(&lock);
}

fn rwsem_waiters_that_give_up_at_random_leave_the_lock_at_rest<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    thread::scope(|s| {
        for seed in 1..=6 {
            let lock = &lock;
            s.spawn(move || {
                let mut dice = crate::support::Dice::new(seed);
                for _ in 0..200 {
                    let way = WAYS[dice.roll(4) as usize];
                    visit(lock, way, Some(Duration::from_micros(dice.roll(500))));
                    let _guard = lock.try_write_for(Duration::from_micros(dice.roll(500)));
                    thread::sleep(Duration::from_micros(dice.roll(100)));
                }
            });
        }
    });
    assert_at_rest(&lock);
}

/// The raw lock reports why it refused.
#[test]
fn rwsem_raw_lock_tells_that_time_is_over() {
    fn refuses(limit: impl Limit + Copy) {
        let lock: RawRwSem<Standard> = RawRwSem::new();
        let over = Err(siftlock::Refused::TimedOut);
        lock.write_within(limit).unwrap();
        assert_eq!(lock.read_within(limit).map(drop), over);
        assert_eq!(lock.read_recursive_within(limit).map(drop), over);
        assert_eq!(lock.upgradable_within(limit), over);
        assert_eq!(lock.write_within(limit), over);
    }
    refuses(Duration::ZERO);
    refuses(Duration::from_micros(100));
    refuses(Instant::now());
}
