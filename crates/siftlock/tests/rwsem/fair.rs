//! How long one may wait, by counts and by order: the bounds that docs/fairness.md promises, from
//! two to 240 threads.
//!
//! Two kinds of test. In the first everybody queues, one after the other, each asleep before the
//! next one comes, and gets in once: then the order is known. In the second threads come back at
//! once, for as long as somebody waits, under a policy in which the clock plays no part: nobody may
//! be passed by more often than the limit on passing allows.

use crate::support::{
    Lock, Platform, assert_at_rest, is_beaten, is_reserved, on_each_platform, until,
};
use siftlock::policy::Standard;
use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::PassLimit;
use siftlock_core::rwsem::policy::ReadBias;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use Kind::{Poller, Reader, Writer};

on_each_platform!(
    rwsem_writers_get_in_in_their_order,
    rwsem_mixtures_take_turns,
    rwsem_writer_behind_upgradable_reader_gets_in_before_the_reader_behind_it,
    rwsem_rolling_readers_pass_a_writer_so_often_and_no_more,
    rwsem_polling_readers_pass_a_writer_so_often_and_no_more,
    rwsem_writers_that_come_back_pass_a_waiter_so_often_and_no_more,
);

/// A thread of a test: its number, as it came, and what it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Who {
    number: usize,
    writes: bool,
}

/// Has them all queue behind a writer, in this order, and returns the order in which they got in.
fn queue_up<P: Platform>(kinds: &[bool]) -> Vec<Who> {
    let order = queue_all::<P, Standard>(kinds.len(), |lock, number, enter| {
        if kinds[number] {
            let _guard = lock.write();
            enter();
        } else {
            let _guard = lock.read();
            enter();
        }
    });
    order.into_iter().map(|number| Who { number, writes: kinds[number] }).collect()
}

/// Has so many threads queue behind a writer, in the order of their numbers, and returns the order
/// in which they got in. A thread takes the lock, and then says that it has.
fn queue_all<P: Platform, L: Policy>(
    threads: usize,
    take: impl Fn(&Lock<(), P, L>, usize, &dyn Fn()) + Sync,
) -> Vec<usize> {
    let lock = Lock::<_, P, L>::new(());
    let log = Mutex::new(Vec::new());
    thread::scope(|s| {
        let first = lock.write();
        for number in 0..threads {
            let (lock, log, take, asleep) = (&lock, &log, &take, Sleeper::new());
            let mark = asleep.clone();
            s.spawn(move || {
                mark.is_me::<P>();
                take(lock, number, &|| log.lock().unwrap().push(number));
            });
            asleep.wait();
        }
        drop(first);
    });
    assert_at_rest(&lock);
    let log = log.into_inner().unwrap();
    assert_eq!(log.len(), threads, "each of them got in once");
    log
}

fn rwsem_writers_get_in_in_their_order<P: Platform>() {
    for writers in [2, 15, 240] {
        let order: Vec<_> = queue_up::<P>(&vec![true; writers]).iter().map(|w| w.number).collect();
        assert!(order.is_sorted(), "{order:?}");
    }
}

/// Equal mixtures and lopsided ones. With *n* writers ahead a writer waits at most for *n* writers
/// and *n* + 1 turns of readers; with *r* readers ahead a reader waits for at most *r /
/// processors* + 1 writers.
fn rwsem_mixtures_take_turns<P: Platform>() {
    let processors = usize::try_from(P::processors()).unwrap_or(usize::MAX);
    type Writes = fn(usize) -> bool;
    let mixtures: [(usize, Writes); 7] = [
        (2, |number| number == 1),
        (8, |number| number % 2 == 0),
        (40, |number| number < 20),
        (40, |number| number >= 20),
        (64, |number| number == 40),
        (64, |number| number != 40),
        (240, |number| number % 2 == 1),
    ];
    for (threads, writes) in mixtures {
        let kinds: Vec<_> = (0..threads).map(writes).collect();
        let log = queue_up::<P>(&kinds);
        for (place, &who) in log.iter().enumerate() {
            let ahead = kinds[..who.number].iter().filter(|&&writes| writes == who.writes).count();
            let before = &log[..place];
            let writers = before.iter().filter(|one| one.writes).count();
            if who.writes {
                assert_eq!(writers, ahead, "writers before {who:?}: {log:?}");
                assert!(turns_of_readers(before) <= ahead + 1, "before {who:?}: {log:?}");
            } else {
                assert!(writers <= ahead / processors + 1, "writers before {who:?}: {log:?}");
            }
        }
    }
}

/// Readers that are left behind stay there, whoever is inside.
struct WithoutRefill;

impl Policy for WithoutRefill {
    type Guards = siftlock_core::rwsem::policy::Local;
    const READ_BIAS: ReadBias = ReadBias::Off;
    const READERS_PER_PROCESSOR: u32 = 0;
}

/// Readers come to the front after a write, and after nothing else.
fn rwsem_writer_behind_upgradable_reader_gets_in_before_the_reader_behind_it<P: Platform>() {
    let order = queue_all::<P, WithoutRefill>(3, |lock, number, enter| match number {
        0 => {
            let _guard = lock.upgradable_read();
            enter();
        }
        1 => {
            let _guard = lock.write();
            enter();
        }
        _ => {
            let _guard = lock.read();
            enter();
        }
    });
    assert_eq!(order, [0, 1, 2]);
}

/// How often readers came after a writer, or first of all.
fn turns_of_readers(log: &[Who]) -> usize {
    let begins = |place: usize| !log[place].writes && (place == 0 || log[place - 1].writes);
    (0..log.len()).filter(|&place| begins(place)).count()
}

/// Whoever has passed a waiter so often reserves the lock for it.
const LIMIT: u32 = 50;

/// Nothing but the limit on passing ends a turn.
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

/// Readers of whom none leaves before the next has come, and a writer that waits first.
fn rwsem_rolling_readers_pass_a_writer_so_often_and_no_more<P: Platform>() {
    for readers in [2, 24, 239] {
        let passed = pass::<P>(Writer, readers, Reader, 0);
        assert!(passed <= a_turn(readers), "{readers} readers: {passed}");
    }
}

/// How long polling readers wait: not at all, and too short a while to sleep.
pub(crate) const POLLS: [Duration; 2] = [Duration::ZERO, Duration::from_micros(1)];

/// Readers that give up as soon as they are refused, and come back at once. With the lock reserved
/// not one of them gets in, and none of them is in the way.
fn rwsem_polling_readers_pass_a_writer_so_often_and_no_more<P: Platform>() {
    for limit in POLLS {
        for readers in [2, 16, 64] {
            let passed = pass::<P>(Writer, readers, Poller(limit), 0);
            assert!(passed <= a_turn(readers), "{readers} readers, {limit:?}: {passed}");
        }
    }
}

/// Writers that come back at once, some of them ahead of one more thread in the queue. A reader
/// waits for its own turn and for one of a writer; a writer for those of all ahead of it, and its
/// own.
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

/// One thread sleeps in the queue, so many of `others` before it; then all of these take the lock
/// again and again. Returns how often they had passed a beaten first waiter when it got in.
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
        // Readers pass a writer that waits for readers; writers, a waiter that was beaten.
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
        (ahead..others).for_each(|_| drop(come(true)));
        go.store(true, Ordering::SeqCst);
        if they != Writer {
            // Or the first of them has come and gone so often that nobody else is let in.
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

/// How often somebody got in, and how often past a first waiter that was beaten before.
#[derive(Default)]
struct Entries {
    all: AtomicU64,
    past: AtomicU64,
}

impl Entries {
    /// One more; returns how many there were before.
    fn add(&self, past: bool) -> u64 {
        self.past.fetch_add(u64::from(past), Ordering::SeqCst);
        self.all.fetch_add(1, Ordering::SeqCst)
    }
}

/// One section. A reader does not leave before another has come.
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

/// Until another reader has come, or none will: the lock lets nobody in.
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

/// A thread that is looked at from outside.
#[derive(Clone)]
pub(crate) struct Sleeper(Arc<Seen>);

#[derive(Default)]
struct Seen {
    thread: AtomicI32,
    /// How often in a row it was seen asleep.
    asleep: AtomicU32,
}

impl Sleeper {
    pub(crate) fn new() -> Self {
        Self(Arc::default())
    }

    /// The calling thread is about to wait for a lock, and for nothing else.
    pub(crate) fn is_me<P: Platform>(&self) {
        P::current(); // which may have to wait for memory
        #[cfg(target_os = "linux")]
        // SAFETY: touches no memory.
        self.0.thread.store(unsafe { libc::gettid() }, Ordering::SeqCst);
    }

    /// It sleeps, and did so at the looks before: it is in the queue.
    #[cfg(target_os = "linux")]
    fn sleeps_on(&self) -> bool {
        let Seen { thread, asleep } = &*self.0;
        let stat = format!("/proc/self/task/{}/stat", thread.load(Ordering::SeqCst));
        let is_asleep = |stat: String| stat.rsplit(") ").next()?.starts_with('S').then_some(());
        if std::fs::read_to_string(stat).ok().and_then(is_asleep).is_none() {
            asleep.store(0, Ordering::SeqCst);
            return false;
        }
        asleep.fetch_add(1, Ordering::SeqCst) >= 2
    }

    /// Elsewhere nobody can tell.
    #[cfg(not(target_os = "linux"))]
    fn sleeps_on(&self) -> bool {
        false
    }

    /// Until it sleeps in the queue, as far as can be known.
    pub(crate) fn wait(&self) {
        #[cfg(not(target_os = "linux"))]
        thread::sleep(crate::support::A_WHILE);
        #[cfg(target_os = "linux")]
        until(|| self.sleeps_on());
    }
}
