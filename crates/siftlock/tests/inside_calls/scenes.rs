//! The scenes that the processes play.

use crate::hooks::{caught, registered, watched};
use crate::support::{A_WHILE, Eager, Native, finishes, until};
use siftlock::context::{NonPreemptible, Thread};
use siftlock::policy::{Counted, Noted, Standard};
use siftlock::{Policy, PsRwLock};
use siftlock_core::rwsem;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use std::{ptr, slice};

pub(crate) const SCENES: &[(&str, fn())] = &[
    ("read", || alone::<Standard>(Call::Read)),
    ("read counted", || alone::<Counted>(Call::Read)),
    ("read noted", || alone::<Noted>(Call::Read)),
    ("read by slot", || alone::<Eager>(Call::Read)),
    ("try read", || alone::<Standard>(Call::TryRead)),
    ("try read noted", || alone::<Noted>(Call::TryRead)),
    ("write", || alone::<Standard>(Call::Write)),
    ("try write", || alone::<Standard>(Call::TryWrite)),
    ("upgrade", || alone::<Standard>(Call::Upgrade)),
    ("read behind a writer", || behind_a_writer::<Standard>(Call::Read)),
    ("read counted behind a writer", || behind_a_writer::<Counted>(Call::Read)),
    ("read noted behind a writer", || behind_a_writer::<Noted>(Call::Read)),
    ("write behind a writer", || behind_a_writer::<Standard>(Call::Write)),
    ("upgrade behind a writer", || behind_a_writer::<Standard>(Call::Upgrade)),
    ("write behind readers by slot", write_behind_readers_by_slot),
    ("first signature", first_signature),
    ("upgrade of a guard that was given away", upgrade_given_away),
    ("calls before any constructor", calls_before_any_constructor),
    ("more threads than one chunk has records", many_threads),
    ("a second wait after a second", waits_again),
    ("psrw write behind a reader", psrw_write_behind_a_reader),
    ("psrw read behind a writer", psrw_read_behind_a_writer),
];

type RwSem<L> = rwsem::RwSem<Native, L>;

#[derive(Clone, Copy)]
enum Call {
    Read,
    TryRead,
    Write,
    TryWrite,
    Upgrade,
}

impl Call {
    /// Takes the lock, and gives it back.
    fn make<L: Policy>(self, lock: &RwSem<L>) {
        // SAFETY: each call releases what it has just taken.
        unsafe {
            match self {
                Self::Read => lock.read_unlock(lock.read()),
                Self::TryRead => lock.read_unlock(lock.try_read().expect("free")),
                Self::Write => {
                    lock.write();
                    lock.write_unlock();
                }
                Self::TryWrite => {
                    assert!(lock.try_write());
                    lock.write_unlock();
                }
                Self::Upgrade => {
                    lock.upgradable_until(None).expect("no limit");
                    lock.upgrade_until(None).expect("no limit");
                    lock.write_unlock();
                }
            }
        }
    }

    fn make_watched<L: Policy>(self, lock: &RwSem<L>) {
        watched(words(lock), || self.make(lock));
    }
}

/// Makes `call` in a new thread. There it waits for a hold of the calling thread, which `release`
/// ends.
fn waited_for(call: impl FnOnce() + Send, release: impl FnOnce()) {
    let waits = AtomicBool::new(false);
    thread::scope(|s| {
        let waiter = s.spawn(|| {
            waits.store(true, Ordering::Relaxed);
            call();
        });
        until(|| waits.load(Ordering::Relaxed));
        thread::sleep(A_WHILE);
        release();
        waiter.join().expect("it gets in");
    });
}

fn words<T>(lock: &T) -> &[AtomicU64] {
    // SAFETY: a lock is some words, all of them atomics.
    unsafe { slice::from_raw_parts(ptr::from_ref(lock).cast(), size_of::<T>() / 8) }
}

fn check() {
    if let Some(name) = caught() {
        panic!("{name:?} was called, or changed, while something of the lock was the caller's");
    }
    assert_eq!(registered(), 0, "no lock call registers the process");
}

/// A process's first call, and those of two more threads, on a lock that is free.
fn alone<L: Policy>(call: Call) {
    let lock = RwSem::<L>::new();
    thread::scope(|s| {
        for _ in 0..3 {
            s.spawn(|| (0..3).for_each(|_| call.make_watched(&lock))).join().unwrap();
        }
    });
    check();
}

/// First calls that have to wait.
fn behind_a_writer<L: Policy>(call: Call) {
    let lock = RwSem::<L>::new();
    lock.write();
    // SAFETY: taken above.
    waited_for(|| call.make_watched(&lock), || unsafe { lock.write_unlock() });
    check();
}

/// The writer takes the bias back, and sleeps until the reader leaves.
fn write_behind_readers_by_slot() {
    let lock = RwSem::<Eager>::new();
    (0..3).for_each(|_| Call::Read.make(&lock));
    let token = lock.read();
    assert!(token.is_slot());
    // SAFETY: taken above.
    waited_for(|| Call::Write.make_watched(&lock), || unsafe { lock.read_unlock(token) });
    check();
}

/// A thread that the locks know already signs as owner for the first time.
fn first_signature() {
    let lock = RwSem::<Standard>::new();
    Call::Read.make(&lock);
    Call::Write.make_watched(&lock);
    check();
}

/// The thread's first call. It has a share from the beginning.
fn upgrade_given_away() {
    let lock = RwSem::<Counted>::new();
    lock.upgradable_until(None).expect("no limit");
    let token = lock.read();
    let upgrade = || {
        // SAFETY: taken above.
        watched(words(&lock), || unsafe {
            lock.upgrade_until(None).expect("no limit");
            lock.write_unlock();
        });
    };
    // SAFETY: taken above.
    waited_for(upgrade, || unsafe { lock.read_unlock(token) });
    check();
}

static MADE_EARLY: AtomicBool = AtomicBool::new(false);

/// Runs before `main`, and before the constructors of this program, its libraries and the locks.
#[used]
#[unsafe(link_section = ".preinit_array")]
static BEFORE_ANY_CONSTRUCTOR: extern "C" fn() = {
    extern "C" fn make() {
        let calls = [Call::TryWrite, Call::Read, Call::Write, Call::TryRead, Call::Upgrade];
        let (standard, noted, eager) =
            (RwSem::<Standard>::new(), RwSem::<Noted>::new(), RwSem::<Eager>::new());
        for call in calls {
            call.make_watched(&standard);
            call.make_watched(&noted);
            call.make_watched(&eager);
        }
        MADE_EARLY.store(true, Ordering::Relaxed);
    }
    make
};

/// Every reader was counted then. Now the lock has its bias.
fn calls_before_any_constructor() {
    assert!(MADE_EARLY.load(Ordering::Relaxed));
    let lock = RwSem::<Eager>::new();
    Call::Read.make(&lock);
    let token = lock.read();
    assert!(token.is_slot(), "the constructor of the locks has come since");
    // SAFETY: just taken.
    unsafe { lock.read_unlock(token) };
    check();
}

fn many_threads() {
    let (read, written) = (RwSem::<Standard>::new(), RwSem::<Standard>::new());
    let (ends, begun) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|s| {
        for number in 1..=80 {
            s.spawn(|| {
                Call::Read.make_watched(&read);
                Call::Write.make_watched(&written);
                begun.fetch_add(1, Ordering::Relaxed);
                until(|| ends.load(Ordering::Relaxed));
            });
            until(|| begun.load(Ordering::Relaxed) == number);
        }
        ends.store(true, Ordering::Relaxed);
    });
    check();
}

/// The second wait makes the requests that are made once in a second.
fn waits_again() {
    behind_a_writer::<Standard>(Call::Write);
    thread::sleep(Duration::from_millis(1100));
    behind_a_writer::<Standard>(Call::Write);
    thread::sleep(Duration::from_millis(1100));
    behind_a_writer::<Standard>(Call::Read);
}

type Ps = PsRwLock<(), (Thread, NonPreemptible)>;

fn psrw_write_behind_a_reader() {
    static LOCK: Ps = PsRwLock::with_classes(());
    for awake in [false, true] {
        finishes(move || {
            let reads = AtomicBool::new(false);
            thread::scope(|s| {
                s.spawn(|| {
                    let held = (
                        (!awake).then(|| LOCK.read()),
                        awake.then(|| LOCK.read_at(NonPreemptible)),
                    );
                    reads.store(true, Ordering::Relaxed);
                    thread::sleep(2 * A_WHILE);
                    drop(held);
                });
                until(|| reads.load(Ordering::Relaxed));
                watched(words(LOCK.raw()), || drop(LOCK.write()));
            });
        });
        check();
    }
}

fn psrw_read_behind_a_writer() {
    static LOCK: Ps = PsRwLock::with_classes(());
    finishes(|| {
        let held = LOCK.write();
        thread::scope(|s| {
            s.spawn(|| watched(words(LOCK.raw()), || drop(LOCK.read())));
            s.spawn(|| watched(words(LOCK.raw()), || drop(LOCK.read_at(NonPreemptible))));
            thread::sleep(2 * A_WHILE);
            drop(held);
        });
    });
    check();
}
