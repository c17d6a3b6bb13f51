//! The order in which threads get in, from two to 240 of them: the bounds that docs/fairness.md
//! promises. All queue, one after the other, each asleep before the next one comes, and get in
//! once. So the order is known.

use crate::sleeper::Sleeper;
use crate::support::{Lock, Platform, assert_at_rest, on_each_platform};
use siftlock::policy::Standard;
use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::ReadBias;
use std::sync::Mutex;
use std::thread;

on_each_platform!(
    rwsem_writers_get_in_in_their_order,
    rwsem_mixtures_take_turns,
    rwsem_writer_behind_upgradable_reader_gets_in_before_the_reader_behind_it,
);

/// A thread of a test: its number, by the order of coming, and whether it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Who {
    number: usize,
    writes: bool,
}

/// Queues all of them behind a writer, in this order, and returns the order in which they got in.
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

/// Queues so many threads behind a writer, in the order of their numbers, and returns the order in
/// which they got in. A thread takes the lock, and then reports that it has the lock.
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

/// Readers that are left behind stay there, whichever readers are inside.
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
