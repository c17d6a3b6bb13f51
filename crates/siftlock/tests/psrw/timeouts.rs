//! Calls that give up: when they do, and the state that they leave behind.

use crate::lock::{Lock, assert_at_rest};
use crate::support::{A_WHILE, Dice, LONG, Platform, SHORT, on_each_platform, past, until};
use siftlock::context::{NonPreemptible, Thread};
use std::thread;
use std::time::{Duration, Instant};

on_each_platform!(
    psrw_call_without_time_takes_a_free_lock_and_no_other,
    psrw_waiter_never_gives_up_early,
    psrw_waiter_with_very_long_time_waits_for_the_lock,
    psrw_draining_writer_that_gives_up_lets_readers_in,
    psrw_sifting_writer_that_gives_up_opens_what_it_closed,
    psrw_waiters_that_give_up_at_random_leave_the_lock_at_rest,
);

/// The ways to wait for a lock.
#[derive(Clone, Copy, Debug)]
enum Way {
    Read,
    ReadAwake,
    Write,
}

const WAYS: [Way; 3] = [Way::Read, Way::ReadAwake, Way::Write];

/// Takes the lock and leaves it, or gives up.
fn visit<P: Platform>(lock: &Lock<(), P>, way: Way, time: Duration) -> bool {
    match way {
        Way::Read => lock.try_read_for(time).is_some(),
        Way::ReadAwake => lock.try_read_at_for(NonPreemptible, time).is_some(),
        Way::Write => lock.try_write_for(time).is_some(),
    }
}

fn visit_until<P: Platform>(lock: &Lock<(), P>, way: Way, end: Instant) -> bool {
    match way {
        Way::Read => lock.try_read_until(end).is_some(),
        Way::ReadAwake => lock.try_read_at_until(NonPreemptible, end).is_some(),
        Way::Write => lock.try_write_at_until(Thread, end).is_some(),
    }
}

/// Calls from a thread of its own: this one holds the lock, and is raised where it may not wait.
fn elsewhere<T: Send>(call: impl FnOnce() -> T + Send) -> T {
    thread::scope(|s| s.spawn(call).join().unwrap())
}

fn psrw_call_without_time_takes_a_free_lock_and_no_other<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(());
    let ends = || [Instant::now(), past(Duration::from_nanos(1)), past(LONG)];
    for way in WAYS {
        let all = || {
            let by_time = visit(&lock, way, Duration::ZERO);
            (by_time, ends().map(|end| visit_until(&lock, way, end)))
        };
        assert_eq!(all(), (true, [true; 3]), "{way:?}");
        let guard = lock.write();
        assert_eq!(elsewhere(all), (false, [false; 3]), "{way:?}");
        drop(guard);
        assert_at_rest(&lock);
    }
}

fn psrw_waiter_never_gives_up_early<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(());
    for time in [Duration::from_nanos(1), Duration::from_micros(100), SHORT] {
        for way in WAYS {
            let guard = lock.write();
            elsewhere(|| {
                let end = Instant::now() + time;
                assert!(!visit(&lock, way, time));
                assert!(Instant::now() >= end, "{way:?}");
                let end = Instant::now() + time;
                assert!(!visit_until(&lock, way, end));
                assert!(Instant::now() >= end, "{way:?}");
            });
            drop(guard);
            assert_at_rest(&lock);
        }
    }
}

fn psrw_waiter_with_very_long_time_waits_for_the_lock<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(());
    for way in WAYS {
        for time in [LONG, Duration::MAX] {
            thread::scope(|s| {
                let guard = lock.write();
                let waiting = s.spawn(|| visit(&lock, way, time));
                thread::sleep(A_WHILE / 3);
                drop(guard);
                assert!(waiting.join().unwrap(), "{way:?} for {time:?}");
            });
            assert_at_rest(&lock);
        }
    }
}

/// A writer that waits for a Thread reader has shut other readers out; they have queued behind it.
fn psrw_draining_writer_that_gives_up_lets_readers_in<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(());
    thread::scope(|s| {
        let reader = lock.read();
        let writer = s.spawn(|| lock.try_write_for(2 * SHORT).is_some());
        until(|| lock.is_locked_exclusive() || writer.is_finished());
        let waiting = [s.spawn(|| drop(lock.read())), s.spawn(|| drop(lock.read()))];
        assert!(!writer.join().unwrap());
        waiting.into_iter().for_each(|waiting| waiting.join().unwrap());
        drop(reader);
    });
    assert_at_rest(&lock);
}

/// A writer that waits, raised, for a high reader opens what it has closed when it gives up.
fn psrw_sifting_writer_that_gives_up_opens_what_it_closed<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(());
    let reader = lock.read_at(NonPreemptible);
    elsewhere(|| assert!(lock.try_write_for(SHORT).is_none()));
    elsewhere(|| assert!(lock.try_write().is_none()));
    assert!(lock.try_read_at(NonPreemptible).is_some());
    assert!(lock.try_read().is_some());
    drop(reader);
    assert_at_rest(&lock);
}

fn psrw_waiters_that_give_up_at_random_leave_the_lock_at_rest<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(());
    thread::scope(|s| {
        for seed in 1..=4 {
            let (lock, mut dice) = (&lock, Dice::new(seed));
            s.spawn(move || {
                for _ in 0..400 {
                    let way = WAYS[dice.roll(3) as usize];
                    visit(lock, way, Duration::from_micros(dice.roll(200)));
                }
                drop(lock.write());
            });
        }
    });
    assert_at_rest(&lock);
}
