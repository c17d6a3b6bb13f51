//! All calls at once, on a value of 100 words that shows every overlap of a writer with another
//! thread.

use crate::policies::with_each_policy;
use crate::support::{Dice, Lock, Platform, Words, all_at_once, assert_at_rest, on_each_platform};
use siftlock::lock_api::{
    RwLockReadGuard as Read, RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write,
};
use siftlock::{Policy, RawRwSem, ReadRecursive as _};
use std::time::Duration;

on_each_platform!(rwsem_mixed_threads_never_tear_the_value);

/// Wall time for each policy.
const RUN_FOR: Duration = Duration::from_millis(120);

fn rwsem_mixed_threads_never_tear_the_value<P: Platform>() {
    with_each_policy!(stress::<P>);
}

fn stress<P: Platform, L: Policy>() {
    let lock = Lock::<_, P, L>::new(Words::new());
    let written = all_at_once(RUN_FOR, |dice| act(&lock, dice));
    assert_eq!(lock.read().check(), written, "writes were lost");
    assert_at_rest(&lock);
}

type Writing<'a, L, P> = Write<'a, RawRwSem<L, P>, Words>;
type UpgradableReading<'a, L, P> = Upgradable<'a, RawRwSem<L, P>, Words>;

/// Does something with the lock, and returns how often it wrote.
fn act<P: Platform, L: Policy>(lock: &Lock<Words, P, L>, dice: &mut Dice) -> u64 {
    let time = Duration::from_micros(dice.roll(300));
    match dice.roll(12) {
        0 | 1 => look(Some(lock.read())),
        2 => look(lock.try_read()),
        3 => look(lock.try_read_for(time)),
        4 => {
            let outer = lock.read();
            let inner = lock.read_recursive();
            assert_eq!(outer.check(), inner.check());
            drop(outer);
            look(lock.try_read_recursive_for(time)) + look(Some(inner))
        }
        5 => look_fairly(lock, dice),
        6 => write(Some(lock.write()), dice),
        7 => write(lock.try_write(), dice),
        8 => write(lock.try_write_for(time), dice),
        9 => upgrade(Some(lock.upgradable_read()), dice),
        10 => upgrade(lock.try_upgradable_read(), dice),
        _ => upgrade(lock.try_upgradable_read_for(time), dice),
    }
}

fn look<P: Platform, L: Policy>(guard: Option<Read<'_, RawRwSem<L, P>, Words>>) -> u64 {
    if let Some(guard) = guard {
        guard.check();
    }
    0
}

fn look_fairly<P: Platform, L: Policy>(lock: &Lock<Words, P, L>, dice: &mut Dice) -> u64 {
    let mut guard = lock.read();
    guard.check();
    if dice.roll(2) == 0 {
        Read::bump(&mut guard);
        guard.check();
    }
    Read::unlock_fair(guard);
    0
}

/// Writes, and leaves the lock in one of the ways in which a writer can.
fn write<P: Platform, L: Policy>(guard: Option<Writing<'_, L, P>>, dice: &mut Dice) -> u64 {
    let Some(mut guard) = guard else { return 0 };
    let mut written = guard.add();
    let seen = guard.check();
    match dice.roll(5) {
        0 => Write::unlock_fair(guard),
        1 => assert_eq!(Write::downgrade(guard).check(), seen),
        2 => {
            let guard = Write::downgrade_to_upgradable(guard);
            assert_eq!(guard.check(), seen);
            written += upgrade(Some(guard), dice);
        }
        3 => {
            Write::bump(&mut guard);
            written += guard.add();
        }
        _ => drop(guard),
    }
    written
}

/// Reads, and then mostly upgrades: nobody may have written in between.
fn upgrade<P: Platform, L: Policy>(
    guard: Option<UpgradableReading<'_, L, P>>,
    dice: &mut Dice,
) -> u64 {
    let Some(mut guard) = guard else { return 0 };
    let seen = guard.check();
    let time = Duration::from_micros(dice.roll(300));
    let upgraded = match dice.roll(7) {
        0 => return guard.with_upgraded(|words| words.add()),
        1 => {
            assert_eq!(Upgradable::downgrade(guard).check(), seen);
            return 0;
        }
        2 => {
            Upgradable::bump(&mut guard);
            guard.check();
            Upgradable::unlock_fair(guard);
            return 0;
        }
        3 => Upgradable::try_upgrade(guard),
        4 | 5 => Upgradable::try_upgrade_for(guard, time),
        _ => Ok(Upgradable::upgrade(guard)),
    };
    match upgraded {
        Ok(guard) => {
            assert_eq!(guard.check(), seen, "a writer came before the upgrade");
            guard.add()
        }
        Err(guard) => {
            assert_eq!(guard.check(), seen, "a writer came during the upgrade");
            0
        }
    }
}
