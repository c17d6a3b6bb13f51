//! A thread waits for itself: debug builds panic.

#![cfg(debug_assertions)]

use crate::lock::{Lock, assert_at_rest};
use crate::support::{Platform, SHORT, on_each_platform};
use siftlock::context::NonPreemptible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

on_each_platform!(
    psrw_thread_that_reads_again_is_told,
    psrw_thread_that_writes_what_it_holds_is_told,
    psrw_thread_may_do_what_does_not_wait_for_itself,
    psrw_leaked_guard_of_a_lock_that_is_gone_is_forgotten,
);

/// The message with which a call panics.
fn told<T>(call: impl FnOnce() -> T) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(call()))) else {
        return "nothing".into();
    };
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).expect("a panic with a text")
}

#[track_caller]
fn assert_told<T>(what: &str, call: impl FnOnce() -> T) {
    let told = told(call);
    assert!(told.contains(what), "told: {told}");
}

fn psrw_thread_that_reads_again_is_told<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(5);
    let outer = lock.read();
    assert_told("reads this lock already", || lock.read());
    assert_eq!(*outer, 5);
    drop(outer);
    // The note is gone with the guard.
    drop(lock.read());

    let _outer = lock.read_at(NonPreemptible);
    let again = "reads this lock already";
    assert_told(again, || lock.read_at(NonPreemptible));
    assert_told(again, || lock.read());
}

fn psrw_thread_that_writes_what_it_holds_is_told<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(5);
    let reader = lock.read();
    assert_told("drop that guard before a write", || lock.write());
    drop(reader);
    let writer = lock.write();
    assert_told("writes this lock", || lock.read());
    assert_told("writes this lock", || lock.write());
    drop(writer);
    assert_at_rest(&lock);
}

fn psrw_thread_may_do_what_does_not_wait_for_itself<P: Platform>() {
    let (lock, other) = (Lock::<_, P>::with_classes(5), Lock::<_, P>::with_classes(6));
    let outer = lock.read();
    assert_eq!(*other.read(), 6);
    assert!(lock.try_read().is_some(), "a try does not wait");
    assert!(lock.try_read_for(SHORT).is_some(), "a timed call waits, but not for ever");
    assert!(lock.try_write_for(SHORT).is_none());
    assert_eq!(*lock.read_at(NonPreemptible), 5, "a class above the one held");
    thread::scope(|s| {
        s.spawn(|| assert_eq!(*lock.read(), 5));
    });
    // The tries have left the outer read's note in place.
    assert_told("reads this lock already", || lock.read());
    drop(outer);
    assert_at_rest(&lock);
}

fn psrw_leaked_guard_of_a_lock_that_is_gone_is_forgotten<P: Platform>() {
    let mut lock = Lock::<_, P>::with_classes(5);
    std::mem::forget(lock.read());
    lock = Lock::with_classes(6);
    assert_eq!(*lock.read(), 6);
    *lock.write() = 7;
    assert_eq!(lock.into_inner(), 7);
}
