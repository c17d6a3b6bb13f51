//! Values that are changed as a whole, `replace` and `update`; and writes that go on as reads.

use crate::lock::{Lock, assert_at_rest};
use crate::support::{Platform, on_each_platform, until};
use siftlock::PsWriteGuard;
use siftlock::context::NonPreemptible;
use siftlock_core::platform::Class;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread;

on_each_platform!(
    psrw_replaced_value_is_dropped_outside,
    psrw_updated_value_is_dropped_outside,
    psrw_readers_above_thread_read_while_a_writer_prepares,
    psrw_updates_of_many_threads_are_not_lost,
    psrw_update_that_panics_leaves_the_value,
    psrw_update_gives_its_turn_to_waiters,
    psrw_downgraded_writer_reads_on_and_is_raised_no_more,
    psrw_downgraded_writer_lets_a_waiting_reader_in,
    psrw_nobody_writes_between_a_write_and_its_read,
);

/// Records, when it is dropped, whether its lock is free and its thread not raised.
struct Tattler<P: Platform>(Weak<Lock<Option<Self>, P>>, Arc<AtomicBool>);

impl<P: Platform> Drop for Tattler<P> {
    fn drop(&mut self) {
        let lock = self.0.upgrade().expect("the test has it");
        self.1.store(!lock.is_locked() && P::level() == Class::Thread, Ordering::Relaxed);
    }
}

fn psrw_replaced_value_is_dropped_outside<P: Platform>() {
    let (lock, free) =
        (Arc::new(Lock::<_, P>::with_classes(None)), Arc::new(AtomicBool::new(false)));
    assert!(lock.replace(Some(Tattler(Arc::downgrade(&lock), free.clone()))).is_none());
    lock.replace(None);
    assert!(free.load(Ordering::Relaxed));
    assert!(lock.read().is_none());
}

fn psrw_updated_value_is_dropped_outside<P: Platform>() {
    let (lock, free) =
        (Arc::new(Lock::<_, P>::with_classes(None)), Arc::new(AtomicBool::new(false)));
    lock.update(|_| Some(Tattler(Arc::downgrade(&lock), free.clone())));
    lock.update(|old| {
        assert!(old.is_some());
        None
    });
    assert!(free.load(Ordering::Relaxed));
}

fn psrw_readers_above_thread_read_while_a_writer_prepares<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(1);
    let old = lock.update(|old| {
        assert_eq!(P::level(), Class::Thread);
        let see =
            || (lock.try_read_at(NonPreemptible).map(|value| *value), lock.try_read().is_none());
        assert_eq!(thread::scope(|s| s.spawn(see).join().unwrap()), (Some(1), true));
        assert!(lock.is_locked_exclusive() && lock.try_write().is_none());
        old + 1
    });
    assert_eq!((old, *lock.read()), (1, 2));
    assert_at_rest(&lock);
}

fn psrw_updates_of_many_threads_are_not_lost<P: Platform>() {
    const EACH: u32 = 2_000;
    let lock = Lock::<_, P>::with_classes(0_u32);
    thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                for _ in 0..EACH {
                    lock.update(|old| old + 1);
                }
            });
            s.spawn(|| (0..EACH).for_each(|_| *lock.write() += 1));
            s.spawn(|| (0..EACH).for_each(|_| assert!(*lock.read() <= 4 * EACH)));
        }
    });
    assert_eq!(*lock.read(), 4 * EACH);
    assert_at_rest(&lock);
}

fn psrw_update_that_panics_leaves_the_value<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(5);
    let panics = || lock.update(|_| panic!("no new value"));
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    assert_eq!(*lock.read(), 5);
    assert_at_rest(&lock);
}

/// An update gives its turn to waiters also if it fails.
fn psrw_update_gives_its_turn_to_waiters<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(5);
    thread::scope(|s| {
        let panics = || {
            lock.update(|_| {
                s.spawn(|| assert_eq!(*lock.read(), 5));
                until(|| crate::lock::words(&lock).1 != 0);
                panic!("no new value")
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    });
    assert_at_rest(&lock);
}

fn psrw_downgraded_writer_reads_on_and_is_raised_no_more<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(5);
    let mut writer = lock.write();
    *writer += 1;
    assert_eq!(P::level(), Class::Irq);
    let reader = PsWriteGuard::downgrade(writer);
    assert_eq!((*reader, P::level()), (6, Class::Thread));
    assert_eq!((*lock.try_read().unwrap(), *lock.read_at(NonPreemptible)), (6, 6));
    assert!(lock.try_write().is_none());
    drop(reader);
    assert_at_rest(&lock);
}

fn psrw_downgraded_writer_lets_a_waiting_reader_in<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(5);
    let writer = lock.write();
    thread::scope(|s| {
        let reader = s.spawn(|| *lock.read());
        until(|| crate::lock::words(&lock).1 != 0);
        let still_inside = PsWriteGuard::downgrade(writer);
        assert_eq!(reader.join().unwrap(), *still_inside);
    });
    assert_at_rest(&lock);
}

fn psrw_nobody_writes_between_a_write_and_its_read<P: Platform>() {
    const EACH: u32 = 2_000;
    let lock = Lock::<_, P>::with_classes(0_u32);
    thread::scope(|s| {
        for _ in 0..3 {
            s.spawn(|| {
                for _ in 0..EACH {
                    let mut writer = lock.write();
                    *writer += 1;
                    let written = *writer;
                    assert_eq!(*PsWriteGuard::downgrade(writer), written);
                }
            });
        }
    });
    assert_eq!(*lock.read(), 3 * EACH);
    assert_at_rest(&lock);
}
