//! More threads than HEAD can name. Calls that would sleep are refused before they have done
//! anything.

use crate::lock::{Lock, assert_at_rest};
use crate::support::{LONG, Platform, on_each_platform};
use siftlock::Refused;
use siftlock::context::{NonPreemptible, Thread};
use siftlock_core::forward_platform;
use siftlock_core::platform::Instant;
use siftlock_core::record::{Record, RecordId};
use siftlock_core::sync::AtomicU32;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

on_each_platform!(psrw_thread_too_many_is_refused_and_leaves_no_trace);

/// The platform `P`, in a process that has given out 2^22 − 1 records already.
struct Crowded<P>(PhantomData<P>);

// SAFETY: `P`'s, but for the record: its id does not fit the lock, so no thread sleeps on it.
unsafe impl<P: Platform> Platform for Crowded<P> {
    forward_platform!(P: time, processors, masking, level);

    fn current() -> &'static Record {
        static LATE: OnceLock<Record> = OnceLock::new();
        LATE.get_or_init(|| Record::new(RecordId::new(1 << 22).unwrap()))
    }

    fn record(id: RecordId) -> &'static Record {
        unreachable!("{id:?} sleeps")
    }

    fn wait(_: &Record, _: &AtomicU32, _: u32, _: Option<Instant>) {
        unreachable!("a refused call sleeps");
    }

    fn wake(_: &Record, _: &AtomicU32) {}
}

fn psrw_thread_too_many_is_refused_and_leaves_no_trace<P: Platform>() {
    let lock = Lock::<_, Crowded<P>>::with_classes(5);
    let guard = lock.write();
    std::thread::scope(|s| {
        s.spawn(|| {
            let raw = lock.raw();
            assert_eq!(raw.read_until(Thread, None), Err(Refused::TooManyThreads));
            assert_eq!(raw.write_until(Thread, None), Err(Refused::TooManyThreads));
            assert!(lock.try_read_for(LONG).is_none() && lock.try_write_for(LONG).is_none());
            let panic = catch_unwind(AssertUnwindSafe(|| *lock.read())).unwrap_err();
            let text = panic.downcast_ref::<String>().unwrap();
            assert_eq!(*text, Refused::TooManyThreads.to_string());
        });
    });
    drop(guard);
    // Calls that do not sleep need no record.
    assert_eq!((*lock.read(), *lock.read_at(NonPreemptible)), (5, 5));
    assert_at_rest(&lock);
}
