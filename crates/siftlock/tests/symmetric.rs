//! Reads by slots that are noted by a swap: how they come about, that writes leave the bias on, and
//! which threads the readers keep out. `Linux` has a heavy fence for writers that sleep, `Portable`
//! has none.

mod support;

use siftlock::{Policy, ReadRecursive as _, policy::Standard};
use siftlock_core::rwsem::policy::{Local, PassLimit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use support::{
    A_WHILE, EagerSymmetric, Lock, Platform, SHORT, assert_at_rest, on_each_platform, until,
};

on_each_platform!(
    rwsem_symmetric_bias_stays_for_one_write_and_comes_again,
    rwsem_symmetric_slot_keeps_writers_out,
    rwsem_symmetric_slot_keeps_its_own_thread_from_writing,
    rwsem_upgrades_and_downgrades_beside_a_symmetric_slot,
    rwsem_bias_stays_on_among_few_writes_and_not_among_many,
    rwsem_reader_in_a_slot_is_woken_beside_the_writer_that_waits_for_it,
);

type Biased<P> = Lock<u32, P, EagerSymmetric>;

/// Whether a read of this thread is by slot.
fn is_read_by_slot<P: Platform, L: Policy>(lock: &Lock<u32, P, L>) -> bool {
    // SAFETY: the read is given back at once.
    support::is_read_by_slot(unsafe { lock.raw() })
}

fn biased<P: Platform>(value: u32) -> Biased<P> {
    let lock = Biased::<P>::new(value);
    assert!(!is_read_by_slot(&lock), "nobody has switched it on yet");
    assert!(is_read_by_slot(&lock));
    lock
}

fn in_another_thread(act: impl FnOnce() + Send) {
    thread::scope(|s| s.spawn(act).join().unwrap());
}

fn rwsem_symmetric_bias_stays_for_one_write_and_comes_again<P: Platform>() {
    let lock = biased::<P>(0);
    for n in 1..100 {
        in_another_thread(|| *lock.write() += 1);
        assert!(is_read_by_slot(&lock), "one write is paid for");
        *lock.try_write().unwrap() += 1;
        assert!(!is_read_by_slot(&lock) && is_read_by_slot(&lock));
        assert_eq!(*lock.read(), 2 * n);
    }
    assert_at_rest(&lock);
}

fn rwsem_symmetric_slot_keeps_writers_out<P: Platform>() {
    let lock = biased::<P>(1);
    for n in 1..20 {
        drop(lock.read());
        let reader = lock.read();
        thread::scope(|s| {
            s.spawn(|| assert!(lock.try_write().is_none() && lock.is_locked())).join().unwrap();
            s.spawn(|| assert!(lock.try_write_for(SHORT).is_none())).join().unwrap();
            s.spawn(|| *lock.write() += 1);
            until(|| lock.is_locked_exclusive());
            thread::sleep(A_WHILE / 10);
            // By the same slot: a share would wait for the writer that waits for it.
            let again = [lock.read(), lock.read_recursive()];
            assert!(*reader == n && again.iter().all(|again| **again == n));
            drop((reader, again));
        });
    }
    assert_at_rest(&lock);
}

fn rwsem_symmetric_slot_keeps_its_own_thread_from_writing<P: Platform>() {
    let lock = biased::<P>(1);
    let reader = lock.read();
    assert!(lock.try_write().is_none() && lock.try_write_for(SHORT).is_none());
    drop(reader);
    *lock.write() += 1;
    assert_at_rest(&lock);
}

fn rwsem_upgrades_and_downgrades_beside_a_symmetric_slot<P: Platform>() {
    use siftlock::lock_api::{RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write};
    let lock = biased::<P>(1);
    let reader = lock.read();
    in_another_thread(|| assert!(Upgradable::try_upgrade(lock.upgradable_read()).is_err()));
    drop(reader);
    drop(Write::downgrade(lock.write()));
    *Upgradable::upgrade(lock.upgradable_read()) += 1;
    in_another_thread(|| drop(Write::downgrade(lock.write())));
    assert_eq!(*lock.read(), 2);
    assert_at_rest(&lock);
}

/// Under the policy that is meant to be used, few writes among reads leave the bias on, and many
/// writes do not.
fn rwsem_bias_stays_on_among_few_writes_and_not_among_many<P: Platform>() {
    let by_slot = |reads: u32| {
        let lock = Lock::<_, P, Standard>::new(0_u32);
        let rounds = 100_000 / reads;
        let count = |_| {
            *lock.write() += 1;
            (0..reads).filter(|_| is_read_by_slot(&lock)).count()
        };
        let slots: usize = (0..rounds).map(count).sum();
        assert_at_rest(&lock);
        slots as f64 / f64::from(rounds * reads)
    };
    assert!(by_slot(1_000) > 0.9, "a thousand reads to a write: {}", by_slot(1_000));
    assert!(by_slot(2) < 0.1, "two reads to a write: {}", by_slot(2));
}

/// No thread wakes by itself.
struct WithoutClock;

impl siftlock_core::rwsem::Policy for WithoutClock {
    type Guards = Local;
    const HANDOFF_AFTER: u64 = u64::MAX;
    const PASS_LIMIT: PassLimit = PassLimit::Never;
}

/// A reader by slot waits for a second lock, while a writer waits for the reader's slot. The call
/// reaches the thread that it is for.
fn rwsem_reader_in_a_slot_is_woken_beside_the_writer_that_waits_for_it<P: Platform>() {
    let (lock, other) = (biased::<P>(0), Lock::<_, P, WithoutClock>::new(0));
    for _ in 0..50 {
        let held = other.write();
        // The lock itself looks held a little before the reader is sure of its slot.
        let [inside, waits] = [const { AtomicBool::new(false) }; 2];
        thread::scope(|s| {
            drop(lock.read());
            let reader = s.spawn(|| {
                let _by_slot = lock.read();
                inside.store(true, Ordering::Relaxed);
                until(|| lock.is_locked_exclusive());
                thread::sleep(SHORT);
                waits.store(true, Ordering::Relaxed);
                drop(other.read());
            });
            s.spawn(|| {
                until(|| inside.load(Ordering::Relaxed));
                *lock.write() += 1;
            });
            until(|| waits.load(Ordering::Relaxed));
            thread::sleep(Duration::from_micros(300));
            drop(held);
            reader.join().unwrap();
        });
    }
    assert_at_rest(&lock);
}
