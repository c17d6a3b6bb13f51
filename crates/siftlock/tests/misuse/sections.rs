//! Calls of a thread in its own write section, or raised otherwise: a panic at the caller's line.

use siftlock::context::{Irq, Masked, NonPreemptible, Thread};
use siftlock::{
    PsRwLock, PsWriteGuard, RawRwSem, ReadRecursive as _, RwSem,
    RwSemUpgradableReadGuard as Upgradable,
};
use siftlock::{lock_api, policy};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// The words of this thread's last panic, and its place.
    static SAID: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

/// Asserts that `call` panics with these words, at a line of this file.
#[track_caller]
fn told<T>(words: &str, call: impl FnOnce() -> T) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |what| {
            let at = what.location().map_or("", panic::Location::file).to_owned();
            SAID.set(Some((what.payload_as_str().unwrap_or("").to_owned(), at)));
            usual(what);
        }));
    });
    SAID.set(None);
    let ended = panic::catch_unwind(AssertUnwindSafe(|| drop(call())));
    assert!(ended.is_err(), "{words:?} was not told");
    let (said, at) = SAID.take().expect("a panic");
    assert!(said.contains(words) && at == file!(), "told {said:?} at {at}");
}

type Lock = PsRwLock<u32, (Thread, NonPreemptible, Irq)>;

#[test]
fn psrw_thread_is_told_where_it_reads_or_writes_again() {
    let lock = Lock::with_classes(5);
    let reader = lock.read();
    told("reads this lock already", || lock.read());
    told("reads this lock already", || lock.read_at(Thread));
    told("before a write", || lock.write());
    told("before a write", || lock.write_at(Thread));
    told("before a write", || lock.replace(6));
    told("before a write", || lock.update(|old| old + 1));
    drop(reader);
    let writer = lock.write();
    told("writes this lock", || lock.read());
    drop(writer);
    let reader = PsWriteGuard::downgrade(lock.write());
    told("reads this lock already", || lock.read());
    told("before a write", || lock.write());
    drop(reader);
    // There is no guard to pass down.
    let instead = "prepares a write of this lock: use the value";
    lock.update(|old| {
        told(instead, || lock.read());
        told(instead, || lock.write());
        told(instead, || lock.update(|old| old + 1));
        old + 1
    });
    assert_eq!(*lock.read(), 6);
}

#[test]
fn psrw_masked_thread_is_told_where_it_reads_again() {
    let lock = Lock::with_classes(5);
    let masked = Masked::<Irq>::new();
    let outer = lock.read_at(&masked);
    told("reads this lock already", || lock.read_at(&masked));
    drop(outer);
    told("Thread form may wait", || lock.read());
    told("Thread form may wait", || lock.write());
    told("Thread form may wait", || lock.raw().read(Thread));
    told("Thread form may wait", || lock.raw().write(Thread));
    told("NonPreemptible form may wait", || lock.read_at(NonPreemptible));
    assert!(lock.try_read().is_some() && lock.try_write().is_some());
}

/// The report is not only for the same lock. The holder of the other may need a context that waits
/// for this one.
#[test]
fn psrw_writer_is_told_where_it_waits_for_another_lock() {
    let (lock, other, sem) = (Lock::with_classes(5), Lock::with_classes(6), RwSem::new(7));
    let counted: lock_api::RwLock<RawRwSem<policy::Counted>, u32> = lock_api::RwLock::new(7);
    let upgradable = sem.upgradable_read();
    let writer = lock.write();
    told("Thread form may wait", || other.read());
    told("Thread form may wait", || other.write());
    told("Thread form may wait", || sem.read());
    told("Thread form may wait", || sem.read_recursive());
    told("Thread form may wait", || sem.upgradable_read());
    told("Thread form may wait", || sem.write());
    told("Thread form may wait", || counted.read());
    told("Thread form may wait", || counted.write());
    told("Thread form may wait", || Upgradable::upgrade(upgradable));
    assert!(
        sem.try_read().is_some() && counted.try_write().is_some() && other.try_read().is_some()
    );
    drop(writer);
    assert_eq!((*other.read(), *sem.read(), *counted.read()), (6, 7, 7));
}

/// Guards leaked until the count is full.
#[test]
fn rwsem_thread_is_told_where_it_is_one_reader_too_many() {
    const SHARES: u32 = 1 << 23;
    let lock: lock_api::RwLock<RawRwSem<policy::Counted>, u32> = lock_api::RwLock::new(7);
    (0..SHARES).for_each(|_| std::mem::forget(lock.try_read()));
    assert!(lock.try_read().is_none());
    told("too many readers", || lock.read());
    told("too many readers", || lock.read_recursive());
    told("too many readers", || lock.upgradable_read());
}
