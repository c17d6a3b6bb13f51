//! How often a waiter may be passed by, from two to 240 threads: the bounds that docs/fairness.md
//! promises. Threads come back at once, for as long as one waits. The clock plays no part in the
//! policy. Nobody may be passed by more often than the limit on passing allows.

use crate::sleeper::Sleeper;
use crate::support::{
    Lock, Platform, assert_at_rest, is_beaten, is_reserved, on_each_platform, until,
};
use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::PassLimit;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use Kind::{Poller, Reader, Writer};

on_each_platform!(
    rwsem_rolling_readers_pass_a_writer_so_often_and_no_more,
    rwsem_polling_readers_pass_a_writer_so_often_and_no_more,
    rwsem_writers_that_come_back_pass_a_waiter_so_often_and_no_more,
);

/// A thread that has passed a waiter so often reserves the lock for it.
const LIMIT: u32 = 50;

/// Only the limit on passing ends a turn.
pub(crate) struct WithoutClock;

impl Policy for WithoutClock {
    type Guards = siftlock_core::rwsem::policy::Local;
    const HANDOFF_AFTER: u64 = u64::MAX;
    const PASS_LIMIT: PassLimit = PassLimit::Passes(LIMIT);
}

/// How often the others may get in during one turn: each passes up to the limit, and may have been
/// on its way in.
fn a_turn(others: u64) -> u64 {
    others * (u64::from(LIMIT) + 1)
}

/// Readers, of which none leaves before the next has come, and a writer that waits first.
fn rwsem_rolling_readers_pass_a_writer_so_often_and_no_more<P: Platform>() {
    for readers in [2, 24, 239] {
        let passed = pass::<P>(Writer, readers, Reader, 0);
        assert!(passed <= a_turn(readers), "{readers} readers: {passed}");
    }
}

/// How long polling readers wait: not at all, and too short a while to sleep.
pub(crate) const POLLS: [Duration; 2] = [Duration::ZERO, Duration::from_micros(1)];

/// Readers that give up as soon as they are refused, and come back at once. Once the lock is
/// reserved none of them gets in, and none is in the way.
fn rwsem_polling_readers_pass_a_writer_so_often_and_no_more<P: Platform>() {
    for limit in POLLS {
        for readers in [2, 16, 64] {
            let passed = pass::<P>(Writer, readers, Poller(limit), 0);
            assert!(passed <= a_turn(readers), "{readers} readers, {limit:?}: {passed}");
        }
    }
}

/// Writers that come back at once, some of them ahead of one more thread in the queue. That thread,
/// if a reader, waits for its own turn and for one of a writer; if a writer, for the turns of all
/// ahead of it, and its own.
fn rwsem_writers_that_come_back_pass_a_waiter_so_often_and_no_more<P: Platform>() {
    for (writers, ahead) in [(1, 0), (2, 2), (15, 0), (15, 5), (239, 0), (239, 20)] {
        let passed = pass::<P>(Reader, writers, Writer, ahead);
        assert!(passed <= 2 * a_turn(writers), "{ahead} of {writers} ahead: {passed}");
        let passed = pass::<P>(Writer, writers, Writer, ahead);
        assert!(passed <= (ahead + 1) * a_turn(writers), "{ahead} of {writers} ahead: {passed}");
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Reader,
    Writer,
    /// A reader that waits no longer than this.
    Poller(Duration),
}

/// One thread sleeps in the queue, behind `ahead` of the `others`. Then all the others take the
/// lock again and again. Returns how often they had passed a beaten first waiter when the one got
/// in.
fn pass<P: Platform>(one: Kind, others: u64, they: Kind, ahead: u64) -> u64 {
    let lock = Lock::<_, P, WithoutClock>::new(());
    let (go, stop, entries) = (AtomicBool::new(false), AtomicBool::new(false), Entries::default());
    let passed = thread::scope(|s| {
        let (lock, entries) = (&lock, &entries);
        let come = |waits_to_go: bool| {
            let (asleep, go, stop) = (Sleeper::new(), &go, &stop);
            let mark = asleep.clone();
            s.spawn(move || {
                mark.is_me::<P>();
                if waits_to_go {
                    until(|| go.load(Ordering::SeqCst));
                }
                while !stop.load(Ordering::Relaxed) {
                    enter(lock, they, entries, stop);
                }
            });
            asleep
        };
        // Readers pass a writer that waits for readers. Writers pass a waiter that was beaten.
        let (reading, writing) = match they {
            Reader | Poller(_) => (Some(lock.read()), None),
            Writer => (None, Some(lock.write())),
        };
        (0..ahead).for_each(|_| come(false).wait());
        let asleep = Sleeper::new();
        let mark = asleep.clone();
        let waiter = s.spawn(move || {
            mark.is_me::<P>();
            let _guards = match one {
                Reader | Poller(_) => (Some(lock.read()), None),
                Writer => (None, Some(lock.write())),
            };
            entries.past.load(Ordering::SeqCst)
        });
        asleep.wait();
        for _ in ahead..others {
            come(true);
        }
        go.store(true, Ordering::SeqCst);
        if they != Writer {
            // Or the first reader has come and gone so often that nobody else is let in.
            until(|| entries.all.load(Ordering::SeqCst) > 1 || is_reserved(lock));
        }
        drop((reading, writing));
        let passed = waiter.join().unwrap();
        stop.store(true, Ordering::Relaxed);
        passed
    });
    assert_at_rest(&lock);
    passed
}

/// How often a thread got in, and how often past a first waiter that was beaten before.
#[derive(Default)]
struct Entries {
    all: AtomicU64,
    past: AtomicU64,
}

impl Entries {
    /// Adds one entry. Returns how many there were before.
    fn add(&self, past: bool) -> u64 {
        self.past.fetch_add(u64::from(past), Ordering::SeqCst);
        self.all.fetch_add(1, Ordering::SeqCst)
    }
}

/// Enters and leaves once. A reader does not leave before another has come.
fn enter<P: Platform>(
    lock: &Lock<(), P, WithoutClock>,
    kind: Kind,
    entries: &Entries,
    stop: &AtomicBool,
) {
    let past = is_beaten(lock);
    match kind {
        Writer => {
            let _guard = lock.write();
            entries.add(past);
        }
        Poller(limit) => {
            if let Some(_guard) = lock.try_read_for(limit) {
                entries.add(past);
            }
        }
        Reader => {
            let _guard = lock.read();
            let mine = entries.add(past);
            stay_until_followed(lock, &entries.all, mine, stop);
        }
    }
}

/// Stays until another reader has come, or none will: the lock lets nobody in.
fn stay_until_followed<P: Platform>(
    lock: &Lock<(), P, WithoutClock>,
    entered: &AtomicU64,
    mine: u64,
    stop: &AtomicBool,
) {
    while entered.load(Ordering::SeqCst) == mine + 1 && !stop.load(Ordering::Relaxed) {
        if lock.try_read().is_none() {
            return;
        }
        thread::yield_now();
    }
}
