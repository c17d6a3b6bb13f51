//! Which threads may be inside together, and how guards are used.

use crate::lock::{Lock, assert_at_rest};
use crate::support::{A_WHILE, Platform, on_each_platform};
use siftlock::context::{Irq, NonPreemptible};
use siftlock::psrw::{PsRwLock, policy::Standard};
use std::thread;

on_each_platform!(
    psrw_readers_share_and_keep_writers_out,
    psrw_writer_keeps_all_out,
    psrw_held_lock_says_so,
    psrw_value_is_reached_without_locking_by_its_owner,
    psrw_value_may_be_unsized,
    psrw_guards_are_shared_by_threads,
    psrw_guards_are_dropped_in_any_order,
    psrw_writer_waits_for_a_reader_and_reader_for_a_writer,
    psrw_nonpreemptible_writers_take_turns,
);

fn psrw_readers_share_and_keep_writers_out<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(5);
    let (a, b) = (lock.read(), lock.try_read().unwrap());
    let c = lock.read_at(NonPreemptible);
    assert_eq!(*a + *b + *c, 15);
    assert!(lock.try_write().is_none());
    drop((a, b));
    assert!(lock.try_write().is_none());
    drop(c);
    assert_at_rest(&lock);
}

fn psrw_writer_keeps_all_out<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(5);
    let mut writer = lock.write();
    *writer = 6;
    assert!(lock.try_read().is_none());
    assert!(lock.try_read_at(NonPreemptible).is_none());
    assert!(lock.try_write().is_none());
    drop(writer);
    assert_eq!(*lock.read(), 6);
    assert_at_rest(&lock);
}

fn psrw_held_lock_says_so<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(());
    let state = || (lock.is_locked(), lock.is_locked_exclusive());
    assert_eq!(state(), (false, false));
    let reader = lock.read_at(NonPreemptible);
    assert_eq!(state(), (true, false));
    drop(reader);
    let writer = lock.write();
    assert_eq!(state(), (true, true));
    assert_eq!(format!("{lock:?}"), "PsRwLock { locked: true, locked_for_writing: true, .. }");
    drop(writer);
    assert_eq!(state(), (false, false));
}

fn psrw_value_is_reached_without_locking_by_its_owner<P: Platform>() {
    let mut lock: Lock<_, P> = vec![1].into();
    lock.get_mut().push(2);
    assert_eq!(format!("{:?} {:?}", lock.read(), lock.try_write()), "[1, 2] None");
    assert_eq!(lock.into_inner(), [1, 2]);
    assert_eq!(*Lock::<u32, P>::default().read(), 0);
}

fn psrw_value_may_be_unsized<P: Platform>() {
    let lock: Box<Lock<[u32], P>> = Box::new(Lock::with_classes([1, 2, 3]));
    lock.write()[1] = 5;
    assert_eq!(*lock.read(), [1, 5, 3]);
}

fn psrw_guards_are_shared_by_threads<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(5);
    let (reader, other) = (lock.read(), lock.try_read().unwrap());
    thread::scope(|s| {
        s.spawn(|| assert_eq!((*reader, *other), (5, 5)));
    });
    drop((reader, other));
    let writer = lock.write();
    thread::scope(|s| {
        s.spawn(|| assert_eq!(*writer, 5));
    });
}

fn psrw_guards_are_dropped_in_any_order<P: Platform>() {
    let locks = [Lock::<_, P>::with_classes(0), Lock::<_, P>::with_classes(0)];
    let low = locks[0].read();
    let high = locks[0].read_at(NonPreemptible);
    let other = locks[1].read_at(NonPreemptible);
    drop(low);
    drop(high);
    drop(other);
    assert_eq!(P::level(), siftlock_core::platform::Class::Thread);
    let writers = [locks[0].write(), locks[1].try_write().unwrap()];
    for writer in writers {
        drop(writer);
    }
    assert_eq!(P::level(), siftlock_core::platform::Class::Thread);
    locks.iter().for_each(assert_at_rest);
}

fn psrw_writer_waits_for_a_reader_and_reader_for_a_writer<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(1);
    thread::scope(|s| {
        let reader = lock.read();
        let writer = s.spawn(|| *lock.write() += 1);
        thread::sleep(A_WHILE);
        assert_eq!(*reader, 1);
        drop(reader);
        writer.join().unwrap();

        let mut writer = lock.write();
        let readers = [s.spawn(|| *lock.read()), s.spawn(|| *lock.read_at(NonPreemptible))];
        thread::sleep(A_WHILE);
        *writer += 1;
        drop(writer);
        assert_eq!(readers.map(|reader| reader.join().unwrap()), [3, 3]);
    });
    assert_at_rest(&lock);
}

/// Writers above Thread wait awake for each other, at their own level.
fn psrw_nonpreemptible_writers_take_turns<P: Platform>() {
    const TURNS: u32 = 2_000;
    let lock: PsRwLock<_, (NonPreemptible, Irq), NonPreemptible, Standard, P> =
        PsRwLock::with_classes(0);
    let write = || (0..TURNS).for_each(|_| *lock.write_at(NonPreemptible) += 1);
    let read = || {
        let mut seen = 0;
        while seen < TURNS {
            let now = *lock.read_at(NonPreemptible);
            assert!(now >= seen);
            seen = now;
        }
    };
    thread::scope(|s| {
        s.spawn(read);
        s.spawn(write);
        s.spawn(write);
    });
    assert_eq!(lock.into_inner(), 2 * TURNS);
}
