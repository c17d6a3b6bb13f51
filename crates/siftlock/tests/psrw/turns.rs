//! Nobody starves: by order and by counts, not by the clock.

use crate::lock::{HANDOFF, Lock, assert_at_rest, words};
use crate::support::{A_WHILE, Dice, Platform, on_each_platform, until};
use crate::watched::Watched;
use siftlock::context::NonPreemptible;
use siftlock::psrw::policy;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

on_each_platform!(
    psrw_waiters_get_in_by_the_order_of_their_coming,
    psrw_waiting_readers_get_in_together,
    psrw_reader_reserves_the_lock_from_a_stealing_writer,
    psrw_writer_reserves_the_lock_from_a_stealing_writer,
    psrw_rolling_readers_let_a_writer_in,
    psrw_rolling_high_readers_let_a_writer_in,
    psrw_240_threads_get_through,
);

/// Without stealing, threads get in by the order of the queue.
fn psrw_waiters_get_in_by_the_order_of_their_coming<P: Platform>() {
    type Strict<P> = Lock<Vec<usize>, Watched<P, 0>, policy::Strict>;
    const WRITES: [bool; 6] = [true, false, true, true, false, true];
    let (lock, read) = (Strict::<P>::with_classes(Vec::new()), Mutex::new(Vec::new()));
    thread::scope(|s| {
        let guard = lock.write();
        let before = Watched::<P, 0>::sleeps();
        for (place, writes) in WRITES.into_iter().enumerate() {
            let (lock, read) = (&lock, &read);
            s.spawn(move || {
                if writes {
                    lock.write().push(place);
                } else {
                    let written = lock.read().len();
                    read.lock().unwrap().push((place, written));
                }
            });
            Watched::<P, 0>::until_sleeps(before + place + 1);
        }
        drop(guard);
    });
    assert_eq!(*lock.read(), [0, 2, 3, 5]);
    let mut read = read.into_inner().unwrap();
    read.sort_unstable();
    assert_eq!(read, [(1, 1), (4, 3)], "place, writes before it");
    assert_at_rest(&lock);
}

/// Each reader lets the next one in, while it is inside itself: all have the lock at one time.
fn psrw_waiting_readers_get_in_together<P: Platform>() {
    const READERS: usize = 20;
    let lock = Lock::<_, Watched<P, 1>, policy::Strict>::with_classes(());
    let inside = AtomicUsize::new(0);
    thread::scope(|s| {
        let guard = lock.write();
        let before = Watched::<P, 1>::sleeps();
        for _ in 0..READERS {
            s.spawn(|| {
                let _guard = lock.read();
                inside.fetch_add(1, Ordering::SeqCst);
                until(|| inside.load(Ordering::SeqCst) == READERS);
            });
        }
        Watched::<P, 1>::until_sleeps(before + READERS);
        drop(guard);
    });
    assert_at_rest(&lock);
}

fn psrw_reader_reserves_the_lock_from_a_stealing_writer<P: Platform>() {
    steal::<P>(|lock, inside| {
        let _guard = lock.read();
        inside();
    });
}

fn psrw_writer_reserves_the_lock_from_a_stealing_writer<P: Platform>() {
    steal::<P>(|lock, inside| {
        let _guard = lock.write();
        inside();
    });
}

/// A writer takes the lock again and again, past a waiter that sleeps. Once that waiter has
/// reserved the lock for itself, it is the next to get in.
fn steal<P: Platform>(visit: impl Fn(&Lock<(), P>, &dyn Fn()) + Sync) {
    const TIMES: usize = 10;
    let lock = Lock::<_, P>::with_classes(());
    let (got_in, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|s| {
        s.spawn(|| {
            while !stop.load(Ordering::SeqCst) {
                let guard = lock.write();
                let turns = got_in.load(Ordering::SeqCst);
                // A while only: a waiter that became the first in its sleep learns so at the next
                // call.
                let end = Instant::now() + A_WHILE;
                let reserved = || words(&lock).0 & HANDOFF != 0;
                until(|| reserved() || Instant::now() > end);
                let was_reserved = reserved();
                drop(guard);
                if was_reserved {
                    drop(lock.write());
                    assert!(got_in.load(Ordering::SeqCst) > turns, "passed a reservation");
                }
            }
        });
        for _ in 0..TIMES {
            visit(&lock, &|| {
                got_in.fetch_add(1, Ordering::SeqCst);
            });
        }
        stop.store(true, Ordering::SeqCst);
    });
    assert_at_rest(&lock);
}

const READERS: usize = 3;
const WRITES: usize = 10;

fn psrw_rolling_readers_let_a_writer_in<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(());
    roll(&lock, |inside, stop| {
        let _guard = lock.read();
        leave_when_another_has_come(inside, stop, || lock.is_locked_exclusive());
    });
}

fn psrw_rolling_high_readers_let_a_writer_in<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(());
    roll(&lock, |inside, stop| {
        let _guard = lock.read_at(NonPreemptible);
        let shut_out = || lock.try_read_at(NonPreemptible).is_none();
        leave_when_another_has_come(inside, stop, shut_out);
    });
}

/// Readers that always overlap. None leaves before the next has come, so the lock is never free,
/// unless it shuts readers out for a writer.
fn roll<P: Platform>(lock: &Lock<(), P>, read: impl Fn(&AtomicU32, &AtomicBool) + Sync) {
    let (inside, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    thread::scope(|s| {
        for _ in 0..READERS {
            s.spawn(|| {
                while !stop.load(Ordering::SeqCst) {
                    read(&inside, &stop);
                }
            });
        }
        for _ in 0..WRITES {
            until(|| inside.load(Ordering::SeqCst) > 1);
            let guard = lock.write();
            assert_eq!(inside.load(Ordering::SeqCst), 0);
            drop(guard);
        }
        stop.store(true, Ordering::SeqCst);
    });
    assert_at_rest(lock);
}

/// Inside the lock, stays until another reader is in, or none can come any more.
fn leave_when_another_has_come(inside: &AtomicU32, stop: &AtomicBool, shut: impl Fn() -> bool) {
    inside.fetch_add(1, Ordering::SeqCst);
    let not_the_last = |n| if n > 1 { Some(n - 1) } else { None };
    while inside.fetch_update(Ordering::SeqCst, Ordering::SeqCst, not_the_last).is_err() {
        if shut() || stop.load(Ordering::SeqCst) {
            inside.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        thread::yield_now();
    }
}

fn psrw_240_threads_get_through<P: Platform>() {
    const THREADS: u64 = 240;
    const TURNS: u64 = 30;
    let lock = Lock::<_, P>::with_classes(0);
    thread::scope(|s| {
        for seed in 1..=THREADS {
            let lock = &lock;
            s.spawn(move || {
                let mut dice = Dice::new(seed);
                for turn in 0..TURNS {
                    for _ in 0..dice.roll(3) {
                        assert!(*lock.read() >= turn);
                    }
                    assert!(*lock.read_at(NonPreemptible) >= turn);
                    *lock.write() += 1;
                }
            });
        }
    });
    assert_eq!(*lock.read(), THREADS * TURNS);
    assert_at_rest(&lock);
}
