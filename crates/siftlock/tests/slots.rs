//! Reads by slot: how they come about, and that each hold is given back, wherever it ends up.

#![cfg(target_os = "linux")]

mod support;

use siftlock::lock_api::RawRwLock as _;
use siftlock::policy::Counted;
use siftlock::{Policy, RawRwSem, ReadRecursive as _, ReadToken, RwSem};
use std::mem::forget;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use support::{
    A_WHILE, Eager, Linux, Lock, Platform as _, Portable, SHORT, assert_at_rest, finishes,
    is_read_by_slot, until,
};

type Biased<T> = Lock<T, Linux, Eager>;

fn biased<T>(value: T) -> Biased<T> {
    let lock = Lock::new(value);
    drop(lock.read());
    lock
}

fn take<L: Policy, P: support::Platform>(lock: &RawRwSem<L, P>) -> ReadToken<L::Guards> {
    lock.lock_shared()
}

#[test]
fn rwsem_second_read_is_by_slot_if_the_system_and_the_policy_allow() {
    fn second_is_slot<L: Policy, P: support::Platform>() -> bool {
        let lock = RawRwSem::<L, P>::new();
        let reads = [(); 2].map(|()| is_read_by_slot(&lock));
        assert!(!reads[0], "nobody has switched it on yet");
        reads[1]
    }
    assert!(second_is_slot::<Eager, Linux>());
    assert!(!second_is_slot::<Counted, Linux>());
    assert!(!second_is_slot::<Eager, Portable>(), "there is no heavy fence");
}

/// Three locks are read in turn, and one read in 32 or 33 asks: each lock has to come to ask.
#[test]
fn rwsem_locks_read_in_turn_with_one_that_is_written_get_their_bias() {
    const ROUNDS: u32 = 1_000_000;
    let locks: [RwSem<u32>; 3] = Default::default();
    // SAFETY: the read is given back at once.
    let is_by_slot = |lock: &RwSem<u32>| is_read_by_slot(unsafe { lock.raw() });
    let all_are = (0..ROUNDS).any(|_| {
        let by_slot = locks.each_ref().map(is_by_slot);
        *locks[0].write() += 1;
        by_slot[1] && by_slot[2]
    });
    assert!(all_are, "a lock that is only read is never asked about");
}

#[test]
fn rwsem_slot_keeps_writers_out_and_shows_in_the_lock() {
    let lock = biased(1);
    let reader = lock.read();
    assert!(lock.is_locked() && !lock.is_locked_exclusive());
    assert!(lock.try_write().is_none() && lock.try_write_for(SHORT).is_none());
    let upgradable = lock.upgradable_read();
    assert!(siftlock::lock_api::RwLockUpgradableReadGuard::try_upgrade(upgradable).is_err());
    assert_eq!(*reader, 1);
    drop(reader);
    assert_at_rest(&lock);
}

#[test]
fn rwsem_writer_sleeps_until_the_slot_is_cleared() {
    finishes(|| {
        let lock = biased(1);
        for _ in 0..20 {
            let reader = lock.read();
            thread::scope(|s| {
                s.spawn(|| *lock.write() += 1);
                until(|| lock.is_locked_exclusive());
                thread::sleep(A_WHILE / 10);
                let seen = *reader;
                drop(reader);
                assert!(seen > 0);
            });
            drop(lock.read());
        }
        assert_eq!(*lock.read(), 21);
        assert_at_rest(&lock);
    });
}

#[test]
fn rwsem_reader_in_a_slot_reads_again_while_a_writer_waits_for_it() {
    finishes(|| {
        let lock = biased(1);
        let outer = lock.read();
        thread::scope(|s| {
            s.spawn(|| *lock.write() += 1);
            until(|| lock.is_locked_exclusive());
            // Plain reads as well: the same slot stands for them.
            let inner = [lock.read_recursive(), lock.read(), lock.try_read_recursive().unwrap()];
            drop(outer);
            thread::sleep(A_WHILE / 10);
            assert!(inner.iter().all(|inner| **inner == 1));
        });
        assert_eq!(*lock.read(), 2);
        assert_at_rest(&lock);
    });
}

#[test]
fn rwsem_more_locks_than_slots_are_counted() {
    let locks: Vec<_> = (0..10).map(biased).collect();
    let guards: Vec<_> = locks.iter().map(|lock| lock.read()).collect();
    assert!(locks.iter().all(|lock| lock.try_write().is_none()));
    for (place, guard) in guards.into_iter().enumerate() {
        assert_eq!(*guard, place);
    }
    locks.iter().for_each(assert_at_rest);
}

/// Nobody else writes a slot. So a thread that ends with a read it never gave back keeps its
/// record. With that record the next thread would be taken for the reader, and a late destructor
/// would write that thread's slot.
#[test]
fn rwsem_thread_that_ends_with_a_read_by_slot_keeps_its_record() {
    finishes(|| {
        let lock = biased(0);
        let in_a_thread = |act: fn(&Biased<u32>)| {
            let id = || {
                act(&lock);
                Linux::current().id()
            };
            thread::scope(|s| s.spawn(id).join().unwrap())
        };
        let gone = in_a_thread(|lock| forget(lock.read()));
        for _ in 0..20 {
            assert_ne!(in_a_thread(|lock| drop(lock.read())), gone);
        }
        assert!(lock.try_write().is_none());
    });
}

#[test]
fn rwsem_unknown_token_gives_back_what_the_thread_has() {
    let lock = biased(0);
    // SAFETY: as far as there are reads to give back.
    unsafe {
        let raw = lock.raw();
        let _lost = (take(raw), take(raw));
        raw.unlock_shared(ReadToken::UNKNOWN);
        assert!(lock.try_write().is_none(), "one is left");
        raw.unlock_shared(ReadToken::UNKNOWN);
        let nothing_left = std::panic::AssertUnwindSafe(|| raw.unlock_shared(ReadToken::UNKNOWN));
        assert!(std::panic::catch_unwind(nothing_left).is_err());
    }
    assert_at_rest(&lock);
}

/// The caller keeps no token, like callers in C and under `lock_api` 0.4.
#[test]
fn rwsem_unlock_without_token_calls_the_writer_that_sleeps_beside_the_slot() {
    finishes(|| {
        let lock = biased(1);
        for _ in 0..20 {
            // SAFETY: given back below.
            let _lost = unsafe { take(lock.raw()) };
            thread::scope(|s| {
                s.spawn(|| *lock.write() += 1);
                until(|| lock.is_locked_exclusive());
                thread::sleep(A_WHILE / 5);
                // SAFETY: the read above.
                unsafe { lock.raw().unlock_shared(ReadToken::UNKNOWN) };
            });
            drop(lock.read());
        }
        assert_eq!(*lock.read(), 21);
        assert_at_rest(&lock);
    });
}

/// A slot has no room for more holds. The next reader is not taken for one that reads already.
#[test]
fn rwsem_1024_nested_reads_keep_the_writer_out_and_the_next_is_refused() {
    const HOLDS: usize = 1_024;
    finishes(|| {
        let lock = biased(1);
        let outer = lock.read();
        thread::scope(|s| {
            s.spawn(|| *lock.write() += 1);
            until(|| lock.is_locked_exclusive());
            let mut inner: Vec<_> =
                (1..HOLDS).map(|_| lock.try_read_recursive().unwrap()).collect();
            for _ in 0..3 {
                assert!(lock.try_read_recursive().is_none() && lock.try_read().is_none());
                assert!(lock.try_read_recursive_for(SHORT / 10).is_none());
                // It is refused because there are so many, and for no other reason.
                inner.pop();
                inner.push(lock.try_read_recursive().unwrap());
            }
            assert!(inner.iter().all(|inner| **inner == 1));
            drop(outer);
            let last = inner.pop();
            drop(inner);
            assert_eq!(last.as_deref(), Some(&1), "the writer waits for each of them");
        });
        assert_eq!(*lock.read(), 2);
        assert_at_rest(&lock);
    });
}

/// The reader may be the first of the threads, the last, or one in between.
#[test]
fn rwsem_writer_finds_the_one_reader_among_200_threads() {
    finishes(|| {
        let lock = biased(0);
        thread::scope(|s| {
            let (tell, told) = mpsc::channel();
            let readers: Vec<_> = (0..200)
                .map(|_| {
                    let ((go_on, may_go_on), tell, lock) = (mpsc::channel(), tell.clone(), &lock);
                    s.spawn(move || {
                        while may_go_on.recv().is_ok() {
                            let token = lock.read();
                            tell.send(()).unwrap();
                            may_go_on.recv().unwrap();
                            drop(token);
                            tell.send(()).unwrap();
                        }
                    });
                    go_on
                })
                .collect();
            let step = |reader: &mpsc::Sender<()>| {
                reader.send(()).unwrap();
                told.recv().unwrap();
            };
            // All of them have read by slot before the writer looks for them.
            readers.iter().for_each(|reader| (0..2).for_each(|_| step(reader)));
            for reader in &readers {
                step(reader);
                assert!(lock.try_write().is_none() && lock.is_locked());
                step(reader);
                assert!(lock.try_write().is_some());
                drop(lock.read());
            }
        });
        assert_at_rest(&lock);
    });
}

/// A leaked read dies with the lock: the next lock at its address knows nothing of it.
#[test]
fn rwsem_leaked_guard_does_not_outlive_the_lock() {
    finishes(|| {
        let mut place = Box::new(biased(0));
        for n in 0..10 {
            forget(place.read());
            assert!(place.try_write().is_none());
            // At the same address.
            *place = biased(n);
            *place.write() += 1;
            drop(place.read());
        }
        assert_at_rest(&place);
    });
}

#[test]
fn rwsem_10000_threads_read_by_slot_and_leave_none_in_use() {
    finishes(|| {
        const AT_ONCE: u64 = 20;
        let lock = RwSem::new(0_u64);
        let seen = AtomicU64::new(0);
        for round in 0..10_000 / AT_ONCE {
            thread::scope(|s| {
                for _ in 0..AT_ONCE {
                    s.spawn(|| {
                        for _ in 0..3 {
                            seen.fetch_max(*lock.read(), Ordering::Relaxed);
                        }
                    });
                }
            });
            *lock.write() = round;
        }
        // Another test has 200 threads at once.
        assert!(siftlock::platform::records_made() < 512);
        assert!(lock.try_write().is_some());
        assert_at_rest(&lock);
    });
}
