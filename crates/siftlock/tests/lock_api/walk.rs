//! One thread that walks at random through all calls of several locks, more than it has slots or
//! notes, beside a small model of what each call must return. In debug builds, for their
//! assertions.

use super::api;
use crate::support::{Platform, on_each_platform};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::test_runner::TestRunner;
use siftlock::{Policy, RawRwSem};
use std::time::{Duration, Instant};

use api::{RwLockReadGuard as Read, RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write};
#[allow(unused_imports, reason = "version 0.4 has methods for it")]
use siftlock::ReadRecursive as _;

on_each_platform!(rwsem_walk_through_all_calls_of_several_locks);

const LOCKS: usize = 5;

fn rwsem_walk_through_all_calls_of_several_locks<P: Platform>() {
    with_each_public_policy!(walks::<P>);
}

/// A step: the call, its lock or guard, and how long the call waits.
type Step = (u8, u8, u8);

fn walks<P: Platform, L: Policy>() {
    let config = ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() };
    let steps = vec(any::<Step>(), 1..400);
    let walked = TestRunner::new(config).run(&steps, |steps| {
        let locks: [Lock<P, L>; LOCKS] = Default::default();
        let mut walk = Walk { locks: &locks, held: Vec::new() };
        for step in steps {
            walk.step(step);
            walk.look_around();
        }
        drop(walk);
        locks.iter().for_each(|lock| assert!(!lock.is_locked() && lock.try_write().is_some()));
        Ok(())
    });
    if let Err(error) = walked {
        panic!("{error}");
    }
}

type Lock<P, L> = api::RwLock<RawRwSem<L, P>, u32>;

enum Guard<'a, P: Platform, L: Policy> {
    Read(Read<'a, RawRwSem<L, P>, u32>),
    Upgradable(Upgradable<'a, RawRwSem<L, P>, u32>),
    Write(Write<'a, RawRwSem<L, P>, u32>),
}

struct Walk<'a, P: Platform, L: Policy> {
    locks: &'a [Lock<P, L>; LOCKS],
    /// The lock of each guard, by its place, and the guard.
    held: Vec<(usize, Guard<'a, P, L>)>,
}

/// What the model knows of the holds of a lock.
#[derive(Clone, Copy, Default)]
struct Known {
    readers: u32,
    upgradable: bool,
    writer: bool,
}

impl<'a, P: Platform, L: Policy> Walk<'a, P, L> {
    fn known(&self, lock: usize) -> Known {
        let mut known = Known::default();
        for (_, guard) in self.held.iter().filter(|(place, _)| *place == lock) {
            match guard {
                Guard::Read(_) => known.readers += 1,
                Guard::Upgradable(_) => known.upgradable = true,
                Guard::Write(_) => known.writer = true,
            }
        }
        known
    }

    fn step(&mut self, (call, which, how): Step) {
        let takes = self.held.len() < 12 && call % 2 == 0 || self.held.is_empty();
        if takes {
            self.take(call / 2, usize::from(which) % LOCKS, how);
        } else {
            let (lock, guard) = self.held.swap_remove(usize::from(which) % self.held.len());
            if let Some(guard) = self.change(lock, guard, call / 2, how) {
                self.held.push((lock, guard));
            }
        }
    }

    fn take(&mut self, kind: u8, place: usize, how: u8) {
        let (lock, known) = (&self.locks[place], self.known(place));
        let taken = match kind % 5 {
            0 | 1 => self.read(lock, !known.writer, how).map(Guard::Read),
            2 => Self::read_recursive(lock, !known.writer, how).map(Guard::Read),
            3 => {
                let free = !known.writer && !known.upgradable;
                Self::upgradable(lock, free, how).map(Guard::Upgradable)
            }
            _ => {
                let free = !known.writer && !known.upgradable && known.readers == 0;
                Self::write(lock, free, how).map(Guard::Write)
            }
        };
        self.held.extend(taken.map(|guard| (place, guard)));
    }

    fn read(&self, lock: &'a Lock<P, L>, free: bool, how: u8) -> Option<Read<'a, RawRwSem<L, P>, u32>> {
        let got = match how % 4 {
            0 if free => Some(lock.read()),
            1 => lock.try_read_for(time(how)),
            2 => lock.try_read_until(Instant::now() + time(how)),
            _ => lock.try_read(),
        };
        assert_eq!(got.is_some(), free, "a read");
        got
    }

    fn read_recursive(
        lock: &'a Lock<P, L>,
        free: bool,
        how: u8,
    ) -> Option<Read<'a, RawRwSem<L, P>, u32>> {
        let got = match how % 4 {
            0 if free => Some(lock.read_recursive()),
            1 => lock.try_read_recursive_for(time(how)),
            2 => lock.try_read_recursive_until(Instant::now() + time(how)),
            _ => lock.try_read_recursive(),
        };
        assert_eq!(got.is_some(), free, "a recursive read");
        got
    }

    fn upgradable(
        lock: &'a Lock<P, L>,
        free: bool,
        how: u8,
    ) -> Option<Upgradable<'a, RawRwSem<L, P>, u32>> {
        let got = match how % 4 {
            0 if free => Some(lock.upgradable_read()),
            1 => lock.try_upgradable_read_for(time(how)),
            2 => lock.try_upgradable_read_until(Instant::now() + time(how)),
            _ => lock.try_upgradable_read(),
        };
        assert_eq!(got.is_some(), free, "an upgradable read");
        got
    }

    fn write(lock: &'a Lock<P, L>, free: bool, how: u8) -> Option<Write<'a, RawRwSem<L, P>, u32>> {
        let got = match how % 4 {
            0 if free => Some(lock.write()),
            1 => lock.try_write_for(time(how)),
            2 => lock.try_write_until(Instant::now() + time(how)),
            _ => lock.try_write(),
        };
        assert_eq!(got.is_some(), free, "a write");
        got
    }

    /// Converts or ends a guard that is not among the held ones any more. Returns the guard that is
    /// left.
    fn change(
        &self,
        lock: usize,
        guard: Guard<'a, P, L>,
        call: u8,
        how: u8,
    ) -> Option<Guard<'a, P, L>> {
        match guard {
            Guard::Read(mut guard) => match call % 4 {
                0 => Read::unlock_fair(guard),
                1 => {
                    Read::bump(&mut guard);
                    return Some(Guard::Read(guard));
                }
                _ => drop(guard),
            },
            Guard::Upgradable(mut guard) => match call % 6 {
                0 => Upgradable::unlock_fair(guard),
                1 => return Some(Guard::Read(Upgradable::downgrade(guard))),
                2 => {
                    Upgradable::bump(&mut guard);
                    return Some(Guard::Upgradable(guard));
                }
                3 | 4 => return Some(self.upgrade(lock, guard, how)),
                _ => drop(guard),
            },
            Guard::Write(mut guard) => match call % 6 {
                0 => Write::unlock_fair(guard),
                1 => return Some(Guard::Read(Write::downgrade(guard))),
                2 => return Some(Guard::Upgradable(Write::downgrade_to_upgradable(guard))),
                3 => {
                    Write::bump(&mut guard);
                    *guard += 1;
                    return Some(Guard::Write(guard));
                }
                _ => drop(guard),
            },
        }
        None
    }

    fn upgrade(
        &self,
        lock: usize,
        guard: Upgradable<'a, RawRwSem<L, P>, u32>,
        how: u8,
    ) -> Guard<'a, P, L> {
        let alone = self.known(lock).readers == 0;
        let upgraded = match how % 4 {
            0 if alone => Ok(Upgradable::upgrade(guard)),
            1 => Upgradable::try_upgrade_for(guard, time(how)),
            2 => Upgradable::try_upgrade_until(guard, Instant::now() + time(how)),
            _ => Upgradable::try_upgrade(guard),
        };
        assert_eq!(upgraded.is_ok(), alone, "an upgrade");
        upgraded.map_or_else(Guard::Upgradable, Guard::Write)
    }

    /// Compares what the locks say of their holds with the model.
    fn look_around(&self) {
        for (place, lock) in self.locks.iter().enumerate() {
            let Known { readers, upgradable, writer } = self.known(place);
            assert_eq!(lock.is_locked(), readers > 0 || upgradable || writer);
            assert_eq!(lock.is_locked_exclusive(), writer);
        }
    }
}

/// No time, or so little that it is over soon.
fn time(how: u8) -> Duration {
    Duration::from_micros(if how < 128 { 0 } else { 20 })
}
