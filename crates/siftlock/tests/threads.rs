//! Threads that end, their records, and the locks that they still hold.

#![cfg(unix)]

mod support;

use siftlock::lock_api::{RawRwLock as _, RawRwLockUpgrade as _};
use siftlock::platform::records_made;
use siftlock::policy::{Counted, Noted};
use siftlock_core::rwsem::policy::Sendable;
use std::ffi::c_void;
use std::mem::forget;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use support::{A_WHILE, Lock, Platform, SHORT, assert_at_rest, on_each_platform};

on_each_platform!(
    rwsem_10000_threads_that_come_and_go_share_a_few_records,
    rwsem_lock_outlives_the_thread_that_holds_it,
    rwsem_last_destructors_of_a_thread_use_locks,
    rwsem_last_destructors_of_a_thread_drop_its_guards,
);

/// More than all threads that are alive at once in this file's tests.
const A_FEW: u32 = 128;

fn rwsem_10000_threads_that_come_and_go_share_a_few_records<P: Platform>() {
    const AT_ONCE: u64 = 20;
    let lock = Lock::<_, P>::new(0);
    for _ in 0..10_000 / AT_ONCE {
        thread::scope(|s| {
            for _ in 0..AT_ONCE {
                s.spawn(|| *lock.write() += 1);
            }
        });
    }
    assert_eq!(*lock.read(), 10_000);
    assert_at_rest(&lock);
    assert!(records_made() < A_FEW, "{} records", records_made());
}

/// The owner's record goes to other threads meanwhile, and spinners ask for the owner in vain.
fn rwsem_lock_outlives_the_thread_that_holds_it<P: Platform>() {
    let (lock, other) = (Lock::<_, P, Counted>::new(0), Lock::<_, P>::new(0));
    let in_a_thread_of_its_own = |f: &(dyn Fn() + Sync)| {
        thread::scope(|s| drop(s.spawn(f).join()));
        // These threads use the record next.
        thread::scope(|s| (0..4).for_each(|_| drop(s.spawn(|| *other.write() += 1))));
        assert!(lock.try_write_for(SHORT).is_none());
    };

    in_a_thread_of_its_own(&|| forget(lock.write()));
    assert!(lock.try_read_for(SHORT).is_none());
    // SAFETY: held for writing, by a guard that is gone.
    unsafe { lock.force_unlock_write(Sendable) };
    assert_at_rest(&lock);

    let token = Mutex::new(None);
    // SAFETY: given back below.
    let read = || *token.lock().unwrap() = Some(unsafe { lock.raw() }.lock_shared());
    in_a_thread_of_its_own(&read);
    assert!(lock.try_read().is_some());
    // SAFETY: held for reading, by a thread that is gone.
    unsafe { lock.raw().unlock_shared(token.into_inner().unwrap().unwrap()) };
    assert_at_rest(&lock);

    in_a_thread_of_its_own(&|| forget(lock.upgradable_read()));
    assert!(lock.try_upgradable_read().is_none());
    // SAFETY: held for upgradable reading, by a guard that is gone.
    unsafe { lock.raw().unlock_upgradable(Sendable) };
    assert_at_rest(&lock);
}

/// Also destructors that run after the thread has given its record back, and wait.
fn rwsem_last_destructors_of_a_thread_use_locks<P: Platform>() {
    const THREADS: u64 = 200;
    let lock = Arc::new(Lock::<_, P>::new(0));
    for turn in 0..THREADS {
        let held = (turn % 10 == 0).then(|| lock.write());
        let thread = thread::spawn({
            let lock = Arc::clone(&lock);
            move || {
                Last::call(turn % 3, {
                    let lock = Arc::clone(&lock);
                    move || *lock.write() += 1
                });
                // Registers the thread, if it has to wait.
                drop(lock.read());
            }
        });
        if held.is_some() {
            thread::sleep(A_WHILE / 5);
        }
        drop(held);
        let held = (turn % 10 == 0).then(|| lock.read());
        if held.is_some() {
            thread::sleep(A_WHILE / 5);
        }
        drop(held);
        thread.join().unwrap();
    }
    assert_eq!(*lock.read(), THREADS);
    assert_at_rest(&lock);
    assert!(records_made() < A_FEW, "{} records", records_made());
}

/// A thread that has given its record back is not taken for the thread that has the record now and
/// has locks biased to it.
#[cfg(target_os = "linux")]
#[test]
fn rwsem_last_destructor_is_not_the_owner_that_has_its_record_now() {
    given_back::to_the_next_thread(|lock, _| {
        assert!(lock.try_write().is_none(), "a writer beside a reader");
    });
}

/// A thread that has given its record back does not use the slots of the record's next thread.
#[cfg(target_os = "linux")]
#[test]
fn rwsem_last_destructor_has_not_the_record_of_the_next_thread() {
    given_back::to_the_next_thread(|_, theirs| {
        assert_ne!(support::Linux::current().id(), theirs, "a record of two threads");
    });
}

#[cfg(target_os = "linux")]
mod given_back {
    use super::support::{EagerSymmetric, Linux, Lock, Platform as _, finishes};
    use super::{Arc, Last, channel, thread};
    use siftlock_core::record::RecordId;

    /// The act of a thread whose record has gone to a thread that reads the lock, and has this id.
    type Late = fn(&Lock<u32, Linux, EagerSymmetric>, RecordId);

    pub(crate) fn to_the_next_thread(late: Late) {
        let follows = move || (0..10_000).any(|_| follows(late));
        finishes(move || assert!(follows(), "no record went to the next thread"));
    }

    /// One thread follows the other. Returns whether the second had the first's record: other tests
    /// make threads too.
    fn follows(late: Late) -> bool {
        let lock = Arc::new(Lock::new(0));
        let (ended, is_over) = channel();
        let (go_on, goes_on) = channel();
        let first = thread::spawn({
            let lock = Arc::clone(&lock);
            move || {
                Last::call(1, move || {
                    ended.send(()).unwrap();
                    late(&lock, goes_on.recv().unwrap());
                });
                Linux::current().id()
            }
        });
        is_over.recv().unwrap();
        let second = thread::spawn(move || {
            // Registers the thread before it writes.
            let me = Linux::current().id();
            *lock.write() += 1;
            drop(lock.read());
            let reader = lock.read();
            go_on.send(me).unwrap();
            let first = first.join().expect("the lock is read");
            assert_eq!(*reader, 1);
            first == me
        });
        second.join().unwrap()
    }
}

/// A guard that ends so late ends with the record by which it was taken. No other thread has that
/// record before.
fn rwsem_last_destructors_of_a_thread_drop_its_guards<P: Platform>() {
    const THREADS: u32 = 300;
    let lock: &'static Lock<_, P, Noted> = Box::leak(Box::new(Lock::new(0)));
    for turn in 0..THREADS {
        let (tell, told) = channel();
        thread::spawn(move || {
            let (guards, record) = ((lock.read(), lock.read()), P::current().id());
            Last::call(u64::from(turn % 3), move || {
                // A thread that comes while this one ends.
                let next = thread::spawn(|| {
                    drop(lock.read());
                    P::current().id()
                });
                tell.send((record, P::current().id(), next.join().unwrap())).unwrap();
                drop(guards);
            });
        })
        .join()
        .unwrap();
        let (before, after, next) = told.recv().unwrap();
        assert!(before == after && next != before);
        assert_eq!(lock.try_write().as_deref(), Some(&0));
    }
    assert_at_rest(lock);
    assert!(
        records_made() < A_FEW,
        "{} records: it is given back when the guard is",
        records_made()
    );
}

/// A call at the end of the calling thread, after the destructors of its thread-local variables.
struct Last {
    /// How many rounds of the system's destructors later the call comes.
    later: u64,
    call: Box<dyn FnOnce()>,
}

impl Last {
    fn call(later: u64, call: impl FnOnce() + 'static) {
        Self { later, call: Box::new(call) }.set();
    }

    fn set(self) {
        let last = Box::into_raw(Box::new(self));
        // SAFETY: `at_exit` takes the box back.
        assert_eq!(unsafe { libc::pthread_setspecific(Self::key(), last.cast()) }, 0);
    }

    fn key() -> libc::pthread_key_t {
        static KEY: OnceLock<libc::pthread_key_t> = OnceLock::new();
        *KEY.get_or_init(|| {
            let mut key = 0;
            // SAFETY: the destructor fits the values.
            let made = unsafe { libc::pthread_key_create(&mut key, Some(Self::at_exit)) };
            assert_eq!(made, 0);
            key
        })
    }

    unsafe extern "C" fn at_exit(last: *mut c_void) {
        // SAFETY: from `set`.
        let last = unsafe { Box::from_raw(last.cast::<Self>()) };
        match last.later {
            0 => (last.call)(),
            later => Self { later: later - 1, ..*last }.set(),
        }
    }
}
