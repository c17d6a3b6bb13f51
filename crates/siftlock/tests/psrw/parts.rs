//! Guards of a part of the value.

use crate::lock::{Lock, assert_at_rest};
use crate::support::{Platform, on_each_platform};
use siftlock::context::NonPreemptible;
use siftlock::psrw::{MappedPsWriteGuard, PsReadGuard, PsWriteGuard};
use siftlock_core::platform::Class;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

on_each_platform!(
    psrw_mapped_reader_shows_its_part_and_keeps_the_lock,
    psrw_mapped_writer_changes_its_part_alone_and_raised,
    psrw_guard_without_such_a_part_stays_as_it_was,
    psrw_mapped_guards_are_dropped_in_any_order,
    psrw_mapped_guards_are_shared_by_threads,
    psrw_panic_in_a_choice_of_a_part_unlocks_and_lowers,
    psrw_data_is_where_guards_show_it,
);

fn psrw_mapped_reader_shows_its_part_and_keeps_the_lock<P: Platform>() {
    let lock = Lock::<_, P>::with_classes((5, [1, 2, 3]));
    let part = PsReadGuard::map(lock.read_at(NonPreemptible), |pair| &pair.1[..]);
    assert_eq!(P::level(), Class::NonPreemptible);
    let last = PsReadGuard::map(part, |numbers| &numbers[2]);
    assert_eq!((*last, format!("{last:?} {last}")), (3, "3 3".to_owned()));
    assert!(lock.try_write().is_none() && lock.try_read().is_some());
    drop(last);
    assert_eq!(P::level(), Class::Thread);
    assert_at_rest(&lock);
}

fn psrw_mapped_writer_changes_its_part_alone_and_raised<P: Platform>() {
    let lock = Lock::<_, P>::with_classes((5, [1, 2, 3]));
    let part = PsWriteGuard::map(lock.write(), |pair| &mut pair.1);
    let mut last = MappedPsWriteGuard::map(part, |numbers| &mut numbers[2]);
    *last += 1;
    assert_eq!((*last, format!("{last:?} {last}")), (4, "4 4".to_owned()));
    assert_eq!(P::level(), Class::Irq);
    assert!(lock.try_read().is_none() && lock.try_write().is_none());
    drop(last);
    assert_eq!(P::level(), Class::Thread);
    assert_eq!(*lock.read(), (5, [1, 2, 4]));
    assert_at_rest(&lock);
}

fn psrw_guard_without_such_a_part_stays_as_it_was<P: Platform>() {
    let lock = Lock::<_, P>::with_classes([1, 2]);
    let Err(reader) = PsReadGuard::try_map(lock.read(), |numbers| numbers.get(2)) else {
        panic!("there are two");
    };
    let Err((reader, why)) = PsReadGuard::try_map_or_err(reader, |_| Err::<&u8, _>("no")) else {
        panic!("it said no");
    };
    assert_eq!((*reader, why), ([1, 2], "no"));
    assert!(lock.try_write().is_none());
    let found = PsReadGuard::try_map(reader, |numbers| numbers.get(1)).map(|last| *last);
    assert_eq!(found.ok(), Some(2));
    assert_at_rest(&lock);

    let writer = lock.write();
    let Err(writer) = PsWriteGuard::try_map(writer, |numbers| numbers.get_mut(2)) else {
        panic!("there are two");
    };
    let Err((writer, why)) = PsWriteGuard::try_map_or_err(writer, |_| Err::<&mut u8, _>("no"))
    else {
        panic!("it said no");
    };
    assert_eq!((*writer, why), ([1, 2], "no"));
    let Ok(last) = PsWriteGuard::try_map_or_err(writer, |numbers| numbers.last_mut().ok_or(()))
    else {
        panic!("there is one");
    };
    let Err(mut last) = MappedPsWriteGuard::try_map(last, |_| None::<&mut u8>) else {
        panic!("a number has no part");
    };
    *last = 5;
    assert!(lock.try_read().is_none());
    drop(last);
    assert_eq!(*lock.read(), [1, 5]);
    assert_at_rest(&lock);
}

/// Each guard gives back at its own end what it has raised, mapped or not, whichever ends first.
fn psrw_mapped_guards_are_dropped_in_any_order<P: Platform>() {
    let locks = [Lock::<_, P>::with_classes((1, 2)), Lock::<_, P>::with_classes((3, 4))];
    let low = locks[1].read();
    let high = PsReadGuard::map(locks[0].read_at(NonPreemptible), |pair| &pair.0);
    let other = PsReadGuard::map(locks[1].read_at(NonPreemptible), |pair| &pair.1);
    drop(high);
    assert_eq!(P::level(), Class::NonPreemptible);
    let low = PsReadGuard::map(low, |pair| &pair.0);
    assert_eq!((*low, *other), (3, 4));
    drop(other);
    assert_eq!(P::level(), Class::Thread);
    drop(low);
    let first = PsWriteGuard::map(locks[0].write(), |pair| &mut pair.0);
    let second = locks[1].try_write().unwrap();
    drop(first);
    assert_eq!(P::level(), Class::Irq);
    drop(PsWriteGuard::map(second, |pair| &mut pair.1));
    assert_eq!(P::level(), Class::Thread);
    locks.iter().for_each(assert_at_rest);
}

fn psrw_mapped_guards_are_shared_by_threads<P: Platform>() {
    let lock = Lock::<_, P>::with_classes((1, 2));
    let part = PsWriteGuard::map(lock.write(), |pair| &mut pair.1);
    thread::scope(|s| {
        s.spawn(|| assert_eq!(*part, 2));
    });
    drop(part);
    assert_at_rest(&lock);
}

fn psrw_panic_in_a_choice_of_a_part_unlocks_and_lowers<P: Platform>() {
    fn quietly() -> ! {
        resume_unwind(Box::new("on purpose"))
    }
    let lock = Lock::<_, P>::with_classes(1);
    let reads = || drop(PsReadGuard::map(lock.read_at(NonPreemptible), |_| -> &u8 { quietly() }));
    let writes = || drop(PsWriteGuard::map(lock.write(), |_| -> &mut u8 { quietly() }));
    assert!(catch_unwind(AssertUnwindSafe(reads)).is_err());
    assert!(catch_unwind(AssertUnwindSafe(writes)).is_err());
    assert_eq!(P::level(), Class::Thread);
    assert_at_rest(&lock);
}

fn psrw_data_is_where_guards_show_it<P: Platform>() {
    let lock = Lock::<_, P>::with_classes(5);
    assert!(std::ptr::eq(lock.data_ptr(), &raw const *lock.read()));
    // SAFETY: no other thread has the lock.
    unsafe { *lock.data_ptr() = 6 };
    assert_eq!(*lock.read(), 6);
}
