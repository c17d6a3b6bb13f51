//! A writer shuts its readers out class by class: which readers it lets in at each stage.

use crate::lock::{All, Lock, assert_at_rest};
use crate::support::{Platform, on_each_platform, until};
use siftlock::context::{Irq, NonPreemptible, Thread};
use siftlock::psrw::{PsRwLock, Reads, policy::Standard};
use std::thread;

on_each_platform!(
    psrw_draining_writer_shuts_threads_out_and_nobody_else,
    psrw_writer_at_the_second_stage_still_lets_handlers_in,
    psrw_reader_of_a_higher_class_enters_over_a_lower_one,
    psrw_lock_without_thread_readers_does_not_drain,
    psrw_lock_of_threads_alone_works,
);

/// Whether a reader of this class gets in at this moment.
fn admits<P: Platform, C: Reads<All>>(lock: &Lock<u32, P>, class: C) -> bool {
    let raised = lock.raw().try_read(class);
    // SAFETY: read just now, with this result.
    raised.map(|raised| unsafe { lock.raw().read_unlock(class, raised) }).is_some()
}

fn psrw_draining_writer_shuts_threads_out_and_nobody_else<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(1);
    thread::scope(|s| {
        let reader = lock.read();
        let writer = s.spawn(|| *lock.write() += 1);
        until(|| lock.is_locked_exclusive());
        for _ in 0..100 {
            assert!(!admits(&lock, Thread));
            assert!(admits(&lock, NonPreemptible) && admits(&lock, Irq));
            assert_eq!(*lock.read_at(NonPreemptible), 1);
        }
        assert_eq!(*reader, 1);
        drop(reader);
        writer.join().unwrap();
    });
    assert_eq!(*lock.read(), 2);
    assert_at_rest(&lock);
}

fn psrw_writer_at_the_second_stage_still_lets_handlers_in<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(1);
    thread::scope(|s| {
        let reader = lock.read_at(NonPreemptible);
        let writer = s.spawn(|| *lock.write() += 1);
        until(|| !admits(&lock, NonPreemptible));
        for _ in 0..100 {
            assert!(!admits(&lock, Thread) && !admits(&lock, NonPreemptible));
            assert!(admits(&lock, Irq));
        }
        assert_eq!(*reader, 1);
        drop(reader);
        writer.join().unwrap();
    });
    assert_eq!(*lock.read(), 2);
    assert_at_rest(&lock);
}

/// As a handler does on top of its reading thread: the writer between them waits for both.
fn psrw_reader_of_a_higher_class_enters_over_a_lower_one<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(1);
    thread::scope(|s| {
        let low = lock.read();
        let writer = s.spawn(|| *lock.write() += 1);
        until(|| lock.is_locked_exclusive());
        let high = lock.read_at(NonPreemptible);
        drop(low);
        assert_eq!(*high, 1);
        drop(high);
        writer.join().unwrap();
    });
    assert_eq!(*lock.read(), 2);
    assert_at_rest(&lock);
}

fn psrw_lock_without_thread_readers_does_not_drain<P: Platform>() {
    let lock: PsRwLock<_, (NonPreemptible, Irq), Thread, Standard, P> = PsRwLock::with_classes(1);
    thread::scope(|s| {
        let reader = lock.read_at(NonPreemptible);
        let writer = s.spawn(|| *lock.write() += 1);
        until(|| lock.is_locked_exclusive());
        assert_eq!(*reader, 1);
        drop(reader);
        writer.join().unwrap();
    });
    assert_eq!(*lock.read_at(NonPreemptible), 2);
    assert!(lock.try_write_at(Thread).is_some());
}

fn psrw_lock_of_threads_alone_works<P: Platform>() {
    let lock: PsRwLock<_, Thread, Thread, Standard, P> = PsRwLock::with_classes(0);
    let add = || (0..1_000).for_each(|_| *lock.write() += 1);
    thread::scope(|s| {
        s.spawn(add);
        s.spawn(add);
        let mut seen = 0;
        while seen < 2_000 {
            let now = *lock.read();
            assert!(now >= seen);
            seen = now;
        }
    });
    assert!(!lock.is_locked());
}
