//! Every call of the lock with guards.

use super::actor::Actor;
use super::bursts::burst;
use super::post::found;
use super::support::{Lock, Platform};
use super::ward::{Ward, Written};
use siftlock::lock_api::{
    RwLockReadGuard as Read, RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write,
};
use siftlock::{Policy, RawRwSem, ReadRecursive as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

type Reading<'a, P, L> = Read<'a, RawRwSem<L, P>, Ward>;
type Upgrading<'a, P, L> = Upgradable<'a, RawRwSem<L, P>, Ward>;
type Writing<'a, P, L> = Write<'a, RawRwSem<L, P>, Ward>;

/// Makes one call, and the calls that follow from it. The thread holds nothing of this lock before
/// and after.
pub(crate) fn act<P: Platform, L: Policy>(
    written: &Written,
    lock: &Lock<Ward, P, L>,
    actor: &mut Actor,
) {
    /// One call, with its name for the watchdog.
    macro_rules! call {
        ($method:ident) => {{
            actor.post.begin(&stringify!($method));
            lock.$method()
        }};
        ($method:ident, $time:ident) => {{
            let time = actor.$time();
            actor.post.begin(&stringify!($method));
            lock.$method(time)
        }};
    }
    if actor.world.is_rush() && actor.once_in(3) {
        return burst(written, lock, actor);
    }
    match actor.rng.u32(..21) {
        0 | 1 => read(Some(call!(read)), actor),
        2 => read(call!(try_read), actor),
        3 => read(call!(try_read_for, duration), actor),
        4 => read(call!(try_read_until, instant), actor),
        5 => {
            let outer = call!(read);
            read_again(lock, &outer, actor);
            read(Some(outer), actor);
        }
        6 => {
            let outer = call!(upgradable_read);
            read_again(lock, &outer, actor);
            upgrade(written, Some(outer), actor);
        }
        7 | 8 => write(written, Some(call!(write)), actor),
        9 => write(written, call!(try_write), actor),
        10 => write(written, call!(try_write_for, duration), actor),
        11 => write(written, call!(try_write_until, instant), actor),
        12 | 13 => upgrade(written, Some(call!(upgradable_read)), actor),
        14 => upgrade(written, call!(try_upgradable_read), actor),
        15 => upgrade(written, call!(try_upgradable_read_for, duration), actor),
        16 => upgrade(written, call!(try_upgradable_read_until, instant), actor),
        17 => panic_inside(lock, actor),
        18 => {
            let guard = call!(read);
            let mapped = Read::map(guard, |ward| ward);
            mapped.read(actor);
            actor.post.begin(&"unlock a mapped read");
        }
        19 => burst(written, lock, actor),
        _ => {
            actor.post.begin(&"is_locked");
            let _ = (lock.is_locked(), lock.is_locked_exclusive());
        }
    }
}

/// More reads of a thread that reads: recursive ones, and plain ones where the policy allows that.
fn read_again<P: Platform, L: Policy>(lock: &Lock<Ward, P, L>, outer: &Ward, actor: &mut Actor) {
    let seen = outer.check();
    let call = actor.rng.u32(..if L::NOTE_READS { 7 } else { 4 });
    let inner = match call {
        0 => {
            actor.post.begin(&"read_recursive");
            Some(lock.read_recursive())
        }
        1 => {
            actor.post.begin(&"try_read_recursive");
            lock.try_read_recursive()
        }
        2 => {
            let time = actor.duration();
            actor.post.begin(&"try_read_recursive_for");
            lock.try_read_recursive_for(time)
        }
        3 => {
            let time = actor.instant();
            actor.post.begin(&"try_read_recursive_until");
            lock.try_read_recursive_until(time)
        }
        4 => {
            actor.post.begin(&"try_read, nested");
            lock.try_read()
        }
        _ => {
            actor.post.begin(&"read, nested");
            Some(lock.read())
        }
    };
    let Some(inner) = inner else { return };
    if inner.read(actor) != seen {
        found!("a writer came between two reads of one thread");
    }
    if actor.once_in(3) {
        read_again(lock, outer, actor);
    }
    unlock(inner, actor);
}

/// Reads, and lets go in one of the ways in which a reader can.
fn read<P: Platform, L: Policy>(guard: Option<Reading<'_, P, L>>, actor: &mut Actor) {
    let Some(mut guard) = guard else { return };
    guard.read(actor);
    match actor.rng.u32(..5) {
        0 => {
            actor.post.begin(&"bump a read");
            Read::bump(&mut guard);
            guard.read(actor);
        }
        1 => {
            actor.post.begin(&"unlocked, a read");
            Read::unlocked(&mut guard, || actor.dwell());
            guard.read(actor);
        }
        _ => {}
    }
    unlock(guard, actor);
}

fn unlock<P: Platform, L: Policy>(guard: Reading<'_, P, L>, actor: &mut Actor) {
    if actor.once_in(4) {
        actor.post.begin(&"unlock a read, fair");
        Read::unlock_fair(guard);
    } else {
        actor.post.begin(&"unlock a read");
        drop(guard);
    }
}

/// Writes, and lets go in one of the ways in which a writer can.
fn write<P: Platform, L: Policy>(
    written: &Written,
    guard: Option<Writing<'_, P, L>>,
    actor: &mut Actor,
) {
    let Some(mut guard) = guard else { return };
    let number = guard.write(actor);
    written.add();
    match actor.rng.u32(..8) {
        0 => {
            actor.post.begin(&"unlock a write, fair");
            Write::unlock_fair(guard);
        }
        1 => {
            actor.post.begin(&"downgrade");
            let guard = Write::downgrade(guard);
            same(guard.check(), number);
            read(Some(guard), actor);
        }
        2 => {
            actor.post.begin(&"downgrade_to_upgradable");
            let guard = Write::downgrade_to_upgradable(guard);
            same(guard.check(), number);
            upgrade(written, Some(guard), actor);
        }
        3 => {
            actor.post.begin(&"bump a write");
            Write::bump(&mut guard);
            write(written, Some(guard), actor);
        }
        _ => {
            actor.post.begin(&"unlock a write");
            drop(guard);
        }
    }
}

/// Reads, and mostly upgrades then: nobody may have written in between.
fn upgrade<P: Platform, L: Policy>(
    written: &Written,
    guard: Option<Upgrading<'_, P, L>>,
    actor: &mut Actor,
) {
    let Some(mut guard) = guard else { return };
    let seen = guard.read(actor);
    let upgraded = match actor.rng.u32(..10) {
        0 => {
            actor.post.begin(&"with_upgraded");
            guard.with_upgraded(|ward| ward.write(actor));
            written.add();
            return;
        }
        1 => {
            actor.post.begin(&"downgrade an upgradable read");
            let guard = Upgradable::downgrade(guard);
            same(guard.check(), seen);
            return read(Some(guard), actor);
        }
        2 => {
            actor.post.begin(&"unlock an upgradable read, fair");
            return Upgradable::unlock_fair(guard);
        }
        3 => {
            actor.post.begin(&"bump an upgradable read");
            Upgradable::bump(&mut guard);
            guard.read(actor);
            Err(guard)
        }
        4 => {
            actor.post.begin(&"try_upgrade");
            Upgradable::try_upgrade(guard)
        }
        5 => {
            let time = actor.duration();
            actor.post.begin(&"try_upgrade_for");
            Upgradable::try_upgrade_for(guard, time)
        }
        6 => {
            let time = actor.instant();
            actor.post.begin(&"try_upgrade_until");
            Upgradable::try_upgrade_until(guard, time)
        }
        7 => Err(guard),
        _ => {
            actor.post.begin(&"upgrade");
            Ok(Upgradable::upgrade(guard))
        }
    };
    match upgraded {
        Ok(guard) => {
            same(guard.check(), seen);
            write(written, Some(guard), actor);
        }
        Err(guard) => {
            guard.read(actor);
            actor.post.begin(&"unlock an upgradable read");
        }
    }
}

/// A panic under a guard unlocks.
fn panic_inside<P: Platform, L: Policy>(lock: &Lock<Ward, P, L>, actor: &mut Actor) {
    let writes = actor.rng.bool();
    let panic = || {
        actor.post.begin(&"a lock that a panic unlocks");
        if writes {
            let guard = lock.write();
            guard.check();
            resume_unwind(Box::new(()));
        }
        let guard = lock.read();
        guard.check();
        resume_unwind(Box::new(()));
    };
    let _ = catch_unwind(AssertUnwindSafe(panic));
}

fn same(now: u64, seen: u64) {
    if now != seen {
        found!("a writer came where one lock became another: {seen} became {now}");
    }
}
