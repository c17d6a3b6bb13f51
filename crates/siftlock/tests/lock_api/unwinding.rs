//! Panics under a guard: they unlock, and leave no poison.

use super::{Lock, api};
use crate::support::{A_WHILE, Platform, on_each_platform};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

on_each_platform!(
    rwsem_panic_under_a_guard_unlocks,
    rwsem_panic_in_an_upgrade_leaves_the_upgradable_read,
    rwsem_panic_lets_waiters_in,
    rwsem_may_be_moved_into_what_catches_a_panic,
);

/// Checks that `f` panics: by `quietly`, so that nothing is printed.
fn panics<T>(f: impl FnOnce() -> T) {
    assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
}

fn quietly() -> ! {
    resume_unwind(Box::new("on purpose"))
}

fn rwsem_panic_under_a_guard_unlocks<P: Platform>() {
    let lock = Lock::<_, P>::new(1);
    panics(|| {
        let _guard = lock.read();
        quietly();
    });
    panics(|| {
        let _guard = lock.upgradable_read();
        quietly();
    });
    panics(|| {
        let mut guard = lock.write();
        *guard += 1;
        quietly();
    });
    panics(|| api::RwLockWriteGuard::map(lock.write(), |_| -> &mut i32 { quietly() }));
    panics(|| api::RwLockReadGuard::map(lock.read(), |_| -> &i32 { quietly() }));
    assert_eq!(lock.try_write().as_deref(), Some(&2));
}

fn rwsem_panic_in_an_upgrade_leaves_the_upgradable_read<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    let mut guard = lock.upgradable_read();
    panics(|| guard.with_upgraded(|()| quietly()));
    panics(|| guard.try_with_upgraded(|()| quietly()));
    assert!(lock.try_read().is_some());
    assert!(lock.try_upgradable_read().is_none());
    drop(guard);
    assert!(!lock.is_locked());
}

fn rwsem_panic_lets_waiters_in<P: Platform>() {
    let lock = Lock::<_, P>::new(0);
    thread::scope(|s| {
        let guard = lock.write();
        let waiting = [s.spawn(|| *lock.read()), s.spawn(|| std::mem::take(&mut *lock.write()))];
        thread::sleep(A_WHILE);
        panics(move || {
            let _guard = guard;
            quietly();
        });
        assert_eq!(waiting.map(|thread| thread.join().unwrap()), [0, 0]);
    });
}

fn rwsem_may_be_moved_into_what_catches_a_panic<P: Platform>() {
    let lock = Lock::<_, P>::new(1);
    let value = catch_unwind(move || {
        *lock.write() += 1;
        lock.into_inner()
    });
    assert_eq!(value.ok(), Some(2));
}
