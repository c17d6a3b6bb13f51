//! The cases of `parking_lot`'s own unit tests of its `RwLock` (0.12, `rwlock.rs`), for our lock in
//! its place, under every public policy. Programs that come from there rely on these.

use super::api;
use crate::support::{A_WHILE, Dice, Platform, on_each_platform};
use siftlock::{Policy, RawRwSem};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use api::{RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write};
#[allow(unused_imports, reason = "version 0.4 has methods for it")]
use siftlock::ReadRecursive as _;

type Lock<P, L, T> = api::RwLock<RawRwSem<L, P>, T>;

/// Each case under each policy.
macro_rules! cases {
    ($($test:ident: $case:ident;)*) => {
        on_each_platform!($($test),*);
        $(fn $test<P: Platform>() { with_each_public_policy!($case::<P>); })*
    };
}

cases! {
    rwsem_as_parking_lot_smoke: smoke;
    rwsem_as_parking_lot_threads_that_mostly_read: mostly_read;
    rwsem_as_parking_lot_is_not_poisoned: not_poisoned;
    rwsem_as_parking_lot_writers_are_never_caught_in_the_act: caught_in_the_act;
    rwsem_as_parking_lot_is_used_while_a_thread_unwinds: used_in_unwinding;
    rwsem_as_parking_lot_guards_an_unsized_value: unsized_value;
    rwsem_as_parking_lot_tries: tries;
    rwsem_as_parking_lot_gives_its_value_back: gives_back;
    rwsem_as_parking_lot_guards_are_sync: guards_are_sync;
    rwsem_as_parking_lot_downgrades: downgrades;
    rwsem_as_parking_lot_reads_recursively: reads_recursively;
    rwsem_as_parking_lot_prints: prints;
    rwsem_as_parking_lot_guard_is_not_cloned: not_cloned;
    rwsem_as_parking_lot_is_used_by_a_last_destructor: last_destructor;
    rwsem_as_parking_lot_upgrades_again: upgrades_again;
}

fn smoke<P: Platform, L: Policy>() {
    let lock = Lock::<P, L, ()>::new(());
    drop(lock.read());
    drop(lock.write());
    drop(lock.upgradable_read());
    drop((lock.read(), lock.read()));
    drop((lock.read(), lock.upgradable_read()));
    drop(lock.write());
}

fn mostly_read<P: Platform, L: Policy>() {
    const THREADS: u64 = 10;
    let lock = Lock::<P, L, ()>::new(());
    thread::scope(|s| {
        for seed in 0..THREADS {
            let (lock, mut dice) = (&lock, Dice::new(seed));
            s.spawn(move || {
                for _ in 0..200 {
                    if dice.roll(THREADS) == 0 { drop(lock.write()) } else { drop(lock.read()) }
                }
            });
        }
    });
}

/// Panics while the result of `hold` is alive, and prints nothing.
fn panics_with<T>(hold: impl FnOnce() -> T) {
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _held = hold();
        resume_unwind(Box::new("on purpose"))
    }));
    assert!(panicked.is_err());
}

fn not_poisoned<P: Platform, L: Policy>() {
    let lock = Lock::<P, L, u32>::new(1);
    let in_a_thread = |act: fn(&Lock<P, L, u32>)| {
        thread::scope(|s| s.spawn(|| act(&lock)).join().unwrap());
        assert_eq!(*lock.read(), 1);
        assert_eq!(*lock.write(), 1);
    };
    in_a_thread(|lock| panics_with(|| lock.write()));
    in_a_thread(|lock| panics_with(|| lock.read()));
    in_a_thread(|lock| panics_with(|| (lock.read(), lock.upgradable_read())));
}

/// The value is −1 while a thread writes.
fn caught_in_the_act<P: Platform, L: Policy>() {
    let lock = Lock::<P, L, i32>::new(0);
    let add_one = |value: &mut i32| {
        let before = std::mem::replace(value, -1);
        thread::yield_now();
        *value = before + 1;
    };
    thread::scope(|s| {
        s.spawn(|| (0..10).for_each(|_| add_one(&mut lock.write())));
        s.spawn(|| {
            let mut value = lock.write();
            (0..10).for_each(|_| add_one(&mut value));
        });
        for _ in 0..5 {
            s.spawn(|| {
                let seen = lock.upgradable_read();
                let before = *seen;
                assert!(before >= 0);
                thread::yield_now();
                let mut value = Upgradable::upgrade(seen);
                assert_eq!(*value, before);
                add_one(&mut value);
            });
            s.spawn(|| assert!(*lock.read() >= 0));
        }
    });
    assert_eq!(*lock.read(), 25);
}

fn used_in_unwinding<P: Platform, L: Policy>() {
    struct Writes<'a, P: Platform, L: Policy>(&'a Lock<P, L, u32>);
    impl<P: Platform, L: Policy> Drop for Writes<'_, P, L> {
        fn drop(&mut self) {
            *self.0.write() += 1;
        }
    }
    let lock = Lock::<P, L, u32>::new(1);
    panics_with(|| Writes(&lock));
    assert_eq!(*lock.read(), 2);
}

fn unsized_value<P: Platform, L: Policy>() {
    let lock: &Lock<P, L, [u32]> = &Lock::<P, L, _>::new([1, 2, 3]);
    {
        let value = &mut *lock.write();
        (value[0], value[2]) = (4, 5);
    }
    assert_eq!(*lock.read(), [4, 2, 5]);
}

fn tries<P: Platform, L: Policy>() {
    let lock = Lock::<P, L, u32>::new(0);
    // Whether a read, an upgradable read and a write would be let in; and whether the lock is
    // locked, and how.
    let lets_in = || {
        let read = lock.try_read().is_some();
        let upgradable = lock.try_upgradable_read().is_some();
        let write = lock.try_write().is_some();
        ([read, upgradable, write], [lock.is_locked(), lock.is_locked_exclusive()])
    };
    for _ in 0..3 {
        assert_eq!(lets_in(), ([true, true, true], [false, false]));
        let reader = lock.read();
        assert_eq!(lets_in(), ([true, true, false], [true, false]));
        drop(reader);
        let upgradable = lock.upgradable_read();
        assert_eq!(lets_in(), ([true, false, false], [true, false]));
        drop(upgradable);
        let writer = lock.write();
        assert_eq!(lets_in(), ([false, false, false], [true, true]));
        drop(writer);
    }
}

fn gives_back<P: Platform, L: Policy>() {
    struct Counts<'a>(&'a AtomicUsize);
    impl Drop for Counts<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let drops = AtomicUsize::new(0);
    let mut lock = Lock::<P, L, _>::new(Counts(&drops));
    *lock.get_mut() = Counts(&drops);
    assert_eq!(drops.load(Ordering::SeqCst), 1);
    let value = lock.into_inner();
    assert_eq!(drops.load(Ordering::SeqCst), 1);
    drop(value);
    assert_eq!(drops.load(Ordering::SeqCst), 2);
}

fn guards_are_sync<P: Platform, L: Policy>() {
    fn sync<T: Sync>(_: T) {}
    let lock = Lock::<P, L, ()>::new(());
    sync(lock.read());
    sync(lock.upgradable_read());
    sync(lock.write());
}

fn downgrades<P: Platform, L: Policy>() {
    let lock = Lock::<P, L, u32>::new(0);
    thread::scope(|s| {
        for _ in 0..8 {
            s.spawn(|| {
                for _ in 0..50 {
                    let mut writer = lock.write();
                    *writer += 1;
                    let written = *writer;
                    assert_eq!(*Write::downgrade(writer), written);
                }
            });
        }
    });
    assert_eq!(*lock.read(), 400);
}

fn reads_recursively<P: Platform, L: Policy>() {
    let lock = Lock::<P, L, u32>::new(1);
    let outer = lock.read();
    thread::scope(|s| {
        s.spawn(|| *lock.write() += 1);
        thread::sleep(A_WHILE);
        // A plain read may wait for the writer here.
        let inner = lock.read_recursive();
        drop(outer);
        assert_eq!(*inner, 1);
    });
    assert_eq!(*lock.read(), 2);
}

fn prints<P: Platform, L: Policy>() {
    let lock = Lock::<P, L, _>::new(vec![0_u8, 10]);
    assert_eq!(format!("{lock:?}"), "RwLock { data: [0, 10] }");
    let _writer = lock.write();
    assert_eq!(format!("{lock:?}"), "RwLock { data: <locked> }");
}

/// Calls the method of the value, not one of the guard.
fn not_cloned<P: Platform, L: Policy>() {
    let lock = Lock::<P, L, _>::new(Arc::new(1));
    let guard = lock.read_recursive();
    let value = guard.clone();
    assert_eq!(Arc::strong_count(&value), 2);
}

fn last_destructor<P: Platform, L: Policy>() {
    struct Writes(Box<dyn Fn()>);
    impl Drop for Writes {
        fn drop(&mut self) {
            (self.0)();
        }
    }
    thread_local! {
        static LAST: std::cell::OnceCell<Writes> = const { std::cell::OnceCell::new() };
    }
    let lock = Arc::new(Lock::<P, L, u32>::new(0));
    let also = Arc::clone(&lock);
    thread::spawn(move || {
        let last = move || *also.write() += 1;
        assert!(LAST.with(|writes| writes.set(Writes(Box::new(last)))).is_ok());
        let other = Lock::<P, L, ()>::new(());
        let _guard = other.read();
    })
    .join()
    .unwrap();
    assert_eq!(*lock.read(), 1);
}

fn upgrades_again<P: Platform, L: Policy>() {
    let lock = Lock::<P, L, u32>::new(0);
    let mut guard = lock.upgradable_read();
    guard.with_upgraded(|value| *value += 1);
    guard.with_upgraded(|value| *value += 1);
    assert_eq!(*guard, 2);
}
