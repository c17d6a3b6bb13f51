//! Every call of the lock without guards.

use super::actor::Actor;
use super::post::found;
use super::support::{Lock, Platform};
use super::ward::{Ward, Written};
use siftlock::lock_api::{
    RawRwLock, RawRwLockDowngrade as _, RawRwLockFair as _, RawRwLockTimed as _, RawRwLockUpgrade,
    RawRwLockUpgradeDowngrade as _, RawRwLockUpgradeFair as _, RawRwLockUpgradeTimed as _,
};
use siftlock::{Policy, RawRwSem, Refused};

type Shared<P, L> = <RawRwSem<L, P> as RawRwLock>::SharedGuard;
type Exclusive<P, L> = <RawRwSem<L, P> as RawRwLock>::ExclusiveGuard;
type Upgradable<P, L> = <RawRwSem<L, P> as RawRwLockUpgrade>::UpgradableGuard;

/// A hold of a lock, in place of a guard.
struct Held<'a, P: Platform, L: Policy> {
    written: &'a Written,
    raw: &'a RawRwSem<L, P>,
    ward: &'a Ward,
}

/// Makes one call, and the calls that follow from it. The thread holds nothing of this lock before
/// and after.
pub(crate) fn act<P: Platform, L: Policy>(
    written: &Written,
    lock: &Lock<Ward, P, L>,
    actor: &mut Actor,
) {
    // SAFETY: here and below, each call is undone by its counterpart, once, and the ward is looked
    // at in between.
    let (raw, ward) = unsafe { (lock.raw(), &*lock.data_ptr()) };
    let held = Held { written, raw, ward };
    /// One call, with its name for the watchdog.
    macro_rules! call {
        ($method:ident) => {{
            actor.post.begin(&concat!("raw ", stringify!($method)));
            raw.$method()
        }};
        ($method:ident, $time:ident) => {{
            let time = actor.$time();
            actor.post.begin(&concat!("raw ", stringify!($method)));
            raw.$method(time)
        }};
    }
    match actor.rng.u32(..19) {
        0 => held.read(Some(call!(lock_shared)), actor),
        1 => held.read(call!(try_lock_shared), actor),
        2 => held.read(call!(try_lock_shared_for, duration), actor),
        3 => held.read(call!(try_lock_shared_until, instant), actor),
        4 => held.read(in_time(call!(read_within, duration)), actor),
        5 => held.read(in_time(call!(read_within, instant)), actor),
        6 => {
            let outer = call!(lock_shared);
            let inner = match actor.rng.u32(..3) {
                0 => Some(call!(read_recursive)),
                1 => call!(try_read_recursive),
                _ => in_time(call!(read_recursive_within, duration)),
            };
            held.leave(inner, actor);
            held.read(Some(outer), actor);
        }
        7 => held.write(Some(call!(lock_exclusive)), actor),
        8 => held.write(call!(try_lock_exclusive), actor),
        9 => held.write(call!(try_lock_exclusive_for, duration), actor),
        10 => held.write(call!(try_lock_exclusive_until, instant), actor),
        11 => {
            if in_time(call!(write_within, duration)).is_some() {
                ward.write(actor);
                written.add();
                actor.post.begin(&"raw force_unlock_write");
                // SAFETY: as above.
                unsafe { lock.force_unlock_write(Default::default()) };
            }
        }
        12 | 13 => held.upgrade(Some(call!(lock_upgradable)), actor),
        14 => held.upgrade(call!(try_lock_upgradable), actor),
        15 => held.upgrade(call!(try_lock_upgradable_for, duration), actor),
        16 => held.upgrade(call!(try_lock_upgradable_until, instant), actor),
        17 => {
            if in_time(call!(upgradable_within, instant)).is_some() {
                ward.read(actor);
                let time = actor.instant();
                actor.post.begin(&"raw upgrade_within");
                // SAFETY: as above; so below.
                if in_time(unsafe { raw.upgrade_within(time) }).is_some() {
                    return held.write(Some(Default::default()), actor);
                }
                actor.post.begin(&"raw unlock_upgradable");
                // SAFETY: as above.
                unsafe { raw.unlock_upgradable(Default::default()) };
            }
        }
        _ => {
            actor.post.begin(&"raw is_locked");
            let _ = (raw.is_locked(), raw.is_locked_exclusive());
        }
    }
}

/// The only other refusal needs 2^23 shares.
fn in_time<T>(result: Result<T, Refused>) -> Option<T> {
    match result {
        Err(refused) if refused != Refused::TimedOut => found!("refused: {refused}"),
        other => other.ok(),
    }
}

#[expect(clippy::undocumented_unsafe_blocks, reason = "one comment for all, in `act`")]
impl<P: Platform, L: Policy> Held<'_, P, L> {
    fn read(&self, token: Option<Shared<P, L>>, actor: &mut Actor) {
        if token.is_some() {
            self.ward.read(actor);
        }
        self.leave(token, actor);
    }

    fn leave(&self, token: Option<Shared<P, L>>, actor: &mut Actor) {
        let Some(token) = token else { return };
        self.ward.read(actor);
        if actor.rng.bool() {
            actor.post.begin(&"raw unlock_shared_fair");
            unsafe { self.raw.unlock_shared_fair(token) };
        } else {
            actor.post.begin(&"raw unlock_shared");
            unsafe { self.raw.unlock_shared(token) };
        }
    }

    fn write(&self, token: Option<Exclusive<P, L>>, actor: &mut Actor) {
        let Some(token) = token else { return };
        self.ward.write(actor);
        self.written.add();
        match actor.rng.u32(..6) {
            0 => {
                actor.post.begin(&"raw downgrade");
                let token = unsafe { self.raw.downgrade(token) };
                self.read(Some(token), actor);
            }
            1 => {
                actor.post.begin(&"raw downgrade_to_upgradable");
                let token = unsafe { self.raw.downgrade_to_upgradable(token) };
                self.upgrade(Some(token), actor);
            }
            2 => {
                actor.post.begin(&"raw unlock_exclusive_fair");
                unsafe { self.raw.unlock_exclusive_fair(token) };
            }
            _ => {
                actor.post.begin(&"raw unlock_exclusive");
                unsafe { self.raw.unlock_exclusive(token) };
            }
        }
    }

    fn upgrade(&self, token: Option<Upgradable<P, L>>, actor: &mut Actor) {
        let Some(token) = token else { return };
        let seen = self.ward.read(actor);
        let upgraded = match actor.rng.u32(..7) {
            0 => {
                actor.post.begin(&"raw downgrade_upgradable");
                let token = unsafe { self.raw.downgrade_upgradable(token) };
                return self.read(Some(token), actor);
            }
            1 => {
                actor.post.begin(&"raw unlock_upgradable_fair");
                return unsafe { self.raw.unlock_upgradable_fair(token) };
            }
            2 => {
                actor.post.begin(&"raw try_upgrade");
                unsafe { self.raw.try_upgrade(token) }
            }
            3 => {
                let time = actor.duration();
                actor.post.begin(&"raw try_upgrade_for");
                unsafe { self.raw.try_upgrade_for(token, time) }
            }
            4 => {
                let time = actor.instant();
                actor.post.begin(&"raw try_upgrade_until");
                unsafe { self.raw.try_upgrade_until(token, time) }
            }
            _ => {
                actor.post.begin(&"raw upgrade");
                Ok(unsafe { self.raw.upgrade(token) })
            }
        };
        if self.ward.check() != seen {
            found!("a writer came between an upgradable read and its upgrade");
        }
        match upgraded {
            Ok(token) => self.write(Some(token), actor),
            Err(token) => {
                actor.post.begin(&"raw unlock_upgradable");
                unsafe { self.raw.unlock_upgradable(token) };
            }
        }
    }
}
