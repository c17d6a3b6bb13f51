//! Reads by slots of one thread, the one that wrote last: how they come about, whom they keep out, and
//! how they end.

#![cfg(target_os = "linux")]

mod support;

use siftlock::lock_api::RawRwLock as _;
use siftlock::{Policy, ReadRecursive as _, RwSem};
use std::mem::forget;
use std::sync::mpsc;
use std::thread;
use support::{A_WHILE, EagerOwner, Linux, Lock, SHORT, assert_at_rest, finishes, until};

type Owned<T> = Lock<T, Linux, EagerOwner>;

/// Whether a read of this thread is by slot.
fn is_read_by_slot<T, L: Policy>(lock: &Lock<T, Linux, L>) -> bool {
    // SAFETY: what is taken is given back at once.
    unsafe {
        let raw = lock.raw();
        let token = raw.lock_shared();
        let by_slot = token.is_slot();
        raw.unlock_shared(token);
        by_slot
    }
}

fn owned(value: u32) -> Owned<u32> {
    let lock = Owned::new(0);
    // A thread that has never waited or read by slot has no name to leave.
    assert!(!is_read_by_slot(&lock));
    *lock.write() = value;
    assert!(!is_read_by_slot(&lock), "nobody has switched it on yet");
    assert!(is_read_by_slot(&lock));
    lock
}

fn in_another_thread(act: impl FnOnce() + Send) {
    thread::scope(|s| s.spawn(act).join().unwrap());
}

#[test]
fn rwsem_owner_writes_and_keeps_its_slots() {
    let lock = owned(1);
    for n in 2..100 {
        *lock.write() = n;
        assert!(is_read_by_slot(&lock));
        assert_eq!(*lock.try_read().unwrap(), n);
        *lock.try_write().unwrap() += 1;
        assert!(is_read_by_slot(&lock) && !lock.is_locked());
    }
    assert_at_rest(&lock);
}

#[test]
fn rwsem_owner_loses_its_slots_to_another_writer_and_not_to_a_reader() {
    let lock = owned(1);
    in_another_thread(|| assert!(!is_read_by_slot(&lock)));
    assert!(is_read_by_slot(&lock));
    in_another_thread(|| *lock.write() += 1);
    assert!(!is_read_by_slot(&lock) && *lock.read() == 2);
    *lock.write() += 1;
    drop(lock.read());
    assert!(is_read_by_slot(&lock));
    assert_at_rest(&lock);
}

#[test]
fn rwsem_owner_in_its_slot_keeps_writers_out() {
    finishes(|| {
        let lock = owned(1);
        for n in 1..20 {
            let reader = lock.read();
            thread::scope(|s| {
                s.spawn(|| assert!(lock.try_write().is_none() && lock.is_locked())).join().unwrap();
                s.spawn(|| assert!(lock.try_write_for(SHORT).is_none())).join().unwrap();
                s.spawn(|| *lock.write() += 1);
                until(|| lock.is_locked_exclusive());
                thread::sleep(A_WHILE / 10);
                // By the same slot: a share would wait for the writer that waits for it.
                let again = lock.read();
                assert_eq!((*reader, *again), (n, n));
                drop((reader, again));
            });
            *lock.write() += 0;
            drop(lock.read());
        }
        assert_at_rest(&lock);
    });
}

/// The owner, which needs no fence, looks at its own slots all the same.
#[test]
fn rwsem_owner_does_not_write_beside_its_own_read() {
    finishes(|| {
        let lock = owned(1);
        for n in 1..20 {
            let reader = lock.read();
            assert!(lock.try_write().is_none() && lock.try_write_for(SHORT).is_none());
            let upgradable = lock.upgradable_read();
            assert!(
                siftlock::lock_api::RwLockUpgradableReadGuard::try_upgrade(upgradable).is_err()
            );
            assert_eq!(*reader, n);
            drop(reader);
            *lock.write() += 1;
            drop(lock.read());
        }
        assert_at_rest(&lock);
    });
}

/// Another lock at the place of one that has moved away with a guard leaked: the slot of this thread still names
/// the place.
fn replaced(place: &mut Option<Owned<u32>>) -> (&Owned<u32>, Option<Owned<u32>>) {
    forget(place.as_ref().unwrap().read());
    let moved = place.take();
    (place.insert(Owned::new(0)), moved)
}

/// A slot that still names an address, left there by a lock that has moved away with a guard leaked, says
/// nothing of the next lock there, which is biased to another thread.
#[test]
fn rwsem_slot_left_by_a_lock_that_moved_lets_nobody_in() {
    finishes(|| {
        let mut place = Some(owned(1));
        let (lock, moved) = replaced(&mut place);
        let (tell, told) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        thread::scope(|s| {
            s.spawn(move || {
                drop(lock.read());
                *lock.write() = 2;
                drop(lock.read());
                assert!(is_read_by_slot(lock));
                let written = lock.write();
                tell.send(()).unwrap();
                let _ = ended.recv();
                drop(written);
            });
            told.recv().unwrap();
            // This thread's slot names the address.
            assert!(lock.try_read_recursive().is_none(), "beside a writer");
            drop(end);
        });
        forget(moved);
    });
}

/// Nor is it given back for a read of that next lock, which is counted, where the token is lost.
#[cfg(feature = "lock_api_04")]
#[test]
fn rwsem_slot_left_by_a_lock_that_moved_is_not_given_back_for_the_next() {
    use siftlock::lock_api_04::lock_api::RawRwLock;
    finishes(|| {
        let mut place = Some(owned(1));
        let (lock, moved) = replaced(&mut place);
        // SAFETY: what is taken is given back at once.
        unsafe {
            RawRwLock::lock_shared(lock.raw());
            RawRwLock::unlock_shared(lock.raw());
        }
        assert!(lock.try_write().is_some(), "nobody reads");
        forget(moved);
    });
}

/// Its record is another thread's afterwards, and so are the slots and the bias.
#[test]
fn rwsem_owner_that_is_gone_leaves_its_bias_to_nobody_or_to_its_heir() {
    finishes(|| {
        for _ in 0..100 {
            let lock = Owned::new(0);
            in_another_thread(|| {
                drop(lock.read());
                *lock.write() = 1;
                drop(lock.read());
                assert!(is_read_by_slot(&lock));
            });
            thread::scope(|s| {
                for _ in 0..3 {
                    s.spawn(|| {
                        for _ in 0..10 {
                            *lock.write() += 1;
                            assert!(*lock.read() > 1);
                        }
                    });
                }
            });
            assert_eq!(*lock.read(), 31);
            assert_at_rest(&lock);
        }
    });
}

#[test]
fn rwsem_upgrades_and_downgrades_beside_an_owner_in_its_slot() {
    use siftlock::lock_api::{RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write};
    finishes(|| {
        let lock = owned(1);
        let reader = lock.read();
        in_another_thread(|| assert!(Upgradable::try_upgrade(lock.upgradable_read()).is_err()));
        drop(reader);
        drop(Write::downgrade(lock.write()));
        *Upgradable::upgrade(lock.upgradable_read()) += 1;
        in_another_thread(|| drop(Write::downgrade(lock.write())));
        assert_eq!(*lock.read(), 2);
        assert_at_rest(&lock);
    });
}

/// With the policy that is meant to be used: one thread that reads and writes, in whatever mixture.
#[test]
fn rwsem_thread_that_reads_and_writes_alone_reads_by_slot() {
    for reads in [1, 10, 100] {
        let lock = RwSem::new(0_u32);
        let comes = (0..1_000_000 / reads).any(|_| {
            *lock.write() += 1;
            (0..reads).any(|_| is_read_by_slot(&lock))
        });
        assert!(comes, "one write to {reads} reads");
        *lock.write() += 1;
        assert!(is_read_by_slot(&lock), "its own write revokes nothing");
        assert_at_rest(&lock);
    }
}
