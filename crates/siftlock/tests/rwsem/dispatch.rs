//! Guards that are given away. A dispatcher takes one guard after the other, and sends each to a
//! thread that keeps it until the next has come. A dispatcher always has a guard, but starves
//! nobody.

use crate::sleeper::Sleeper;
use crate::support::{Lock, Platform, assert_at_rest, on_each_platform, until, words};
use siftlock::lock_api::RwLockReadGuard as Read;
use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::{PassLimit, ReadBias, Sendable};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{TryRecvError, sync_channel};
use std::thread;

on_each_platform!(
    rwsem_dispatched_guards_pass_a_writer_so_often_and_no_more,
    rwsem_dispatched_guards_keep_a_reader_behind_a_writer_out_so_long_and_no_longer,
);

/// A thread that has passed a waiter so often reserves the lock for it.
const LIMIT: u32 = 50;

/// Only the limit on passing ends a turn.
struct WithoutClock;

impl Policy for WithoutClock {
    type Guards = Sendable;
    const READ_BIAS: ReadBias = ReadBias::Off;
    const HANDOFF_AFTER: u64 = u64::MAX;
    const PASS_LIMIT: PassLimit = PassLimit::Passes(LIMIT);
}

type Sent<P> = Lock<(), P, WithoutClock>;

/// Whether a thread is in the lock's queue, whose word has the list lock in bit 0. Where a test
/// cannot look at words, the answer is always yes.
fn is_waited_for<P: Platform>(lock: &Sent<P>) -> bool {
    cfg!(target_endian = "big") || words(lock)[2] & !1 != 0
}

/// How often dispatchers may get in during one turn: each passes up to the limit, and may have been
/// on its way in.
fn a_turn(dispatchers: u64) -> u64 {
    dispatchers * (u64::from(LIMIT) + 1)
}

fn rwsem_dispatched_guards_pass_a_writer_so_often_and_no_more<P: Platform>() {
    for dispatchers in [1, 8, 60] {
        let passed = dispatch::<P>(dispatchers, |lock, entered, go| {
            let reading = lock.read();
            thread::scope(|s| {
                let writer = queue::<P, _>(s, || {
                    let _guard = lock.write();
                    entered.load(Ordering::SeqCst)
                });
                go();
                until(|| entered.load(Ordering::SeqCst) > 0 || lock.try_read().is_none());
                drop(reading);
                writer.join().unwrap()
            })
        });
        assert!(passed <= a_turn(dispatchers), "{dispatchers} dispatchers: {passed}");
    }
}

fn rwsem_dispatched_guards_keep_a_reader_behind_a_writer_out_so_long_and_no_longer<P: Platform>() {
    for dispatchers in [1, 8, 60] {
        let passed = dispatch::<P>(dispatchers, |lock, entered, go| {
            let reading = (lock.read(), lock.read());
            thread::scope(|s| {
                queue::<P, _>(s, || drop(lock.write()));
                // Reserves the lock for the writer, so that the reader queues.
                Read::unlock_fair(reading.0);
                let reader = queue::<P, _>(s, || {
                    let _guard = lock.read();
                    entered.load(Ordering::SeqCst)
                });
                go();
                drop(reading.1);
                reader.join().unwrap()
            })
        });
        assert!(passed <= 2 * a_turn(dispatchers), "{dispatchers} dispatchers: {passed}");
    }
}

/// Begins a thread that waits for the lock, and waits until it sleeps there.
fn queue<'s, P: Platform, T: Send + 's>(
    s: &'s thread::Scope<'s, '_>,
    enter: impl FnOnce() -> T + Send + 's,
) -> thread::ScopedJoinHandle<'s, T> {
    let asleep = Sleeper::new();
    let mark = asleep.clone();
    let waiter = s.spawn(move || {
        mark.is_me::<P>();
        enter()
    });
    asleep.wait();
    waiter
}

/// Runs `scene`, and returns its result. `scene` gets the number of guards taken so far while a
/// thread waited, and lets the dispatchers begin.
fn dispatch<P: Platform>(
    dispatchers: u64,
    scene: impl FnOnce(&Sent<P>, &AtomicU64, &dyn Fn()) -> u64,
) -> u64 {
    let lock = Sent::<P>::new(());
    let (go, stop, entered) = (AtomicBool::new(false), AtomicBool::new(false), AtomicU64::new(0));
    let passed = thread::scope(|s| {
        let (lock, go, stop, entered) = (&lock, &go, &stop, &entered);
        for _ in 0..dispatchers {
            let (to_keeper, guards) = sync_channel::<Read<'_, _, _>>(0);
            s.spawn(move || {
                until(|| go.load(Ordering::SeqCst));
                while !stop.load(Ordering::Relaxed) {
                    // A thread that was let in waits no more, though it may wait for a processor.
                    let passes = is_waited_for(lock);
                    let guard = lock.read();
                    entered.fetch_add(u64::from(passes), Ordering::SeqCst);
                    to_keeper.send(guard).expect("somebody keeps it");
                }
            });
            s.spawn(move || {
                let mut kept = None;
                loop {
                    match guards.try_recv() {
                        Ok(next) => kept = Some(next),
                        // Nobody gets in, so no other guard comes.
                        Err(TryRecvError::Empty) if kept.is_some() && lock.try_read().is_none() => {
                            kept = None;
                        }
                        Err(TryRecvError::Empty) => thread::yield_now(),
                        Err(TryRecvError::Disconnected) => return drop(kept),
                    }
                }
            });
        }
        let passed = scene(lock, entered, &|| go.store(true, Ordering::SeqCst));
        stop.store(true, Ordering::Relaxed);
        passed
    });
    assert_at_rest(&lock);
    passed
}
