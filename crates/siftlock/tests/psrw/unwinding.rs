//! Panics under a guard: they unlock, lower, and leave no poison.

use crate::lock::{Lock, assert_at_rest};
use crate::support::{A_WHILE, Platform, on_each_platform};
use siftlock::context::NonPreemptible;
use siftlock_core::platform::Class;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

on_each_platform!(
    psrw_panic_under_a_guard_unlocks_and_lowers,
    psrw_panic_lets_waiters_in,
    psrw_may_be_moved_into_what_catches_a_panic,
);

/// Checks that `f` panics: by `quietly`, so that nothing is printed.
fn panics<T>(f: impl FnOnce() -> T) {
    assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
}

fn quietly() -> ! {
    resume_unwind(Box::new("on purpose"))
}

fn psrw_panic_under_a_guard_unlocks_and_lowers<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(1);
    panics(|| {
        let _guard = lock.read();
        quietly();
    });
    panics(|| {
        let _guard = lock.read_at(NonPreemptible);
        quietly();
    });
    panics(|| {
        let mut guard = lock.write();
        *guard += 1;
        quietly();
    });
    assert_eq!(P::level(), Class::Thread);
    assert_eq!(*lock.read(), 2);
    assert_at_rest(&lock);
}

fn psrw_panic_lets_waiters_in<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(0);
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
    assert_at_rest(&lock);
}

fn psrw_may_be_moved_into_what_catches_a_panic<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(1);
    let value = catch_unwind(move || {
        *lock.write() += 1;
        lock.into_inner()
    });
    assert_eq!(value.ok(), Some(2));
}
