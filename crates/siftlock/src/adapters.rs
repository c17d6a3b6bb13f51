//! `RawRwSem` under the traits of `lock_api`, of both versions.
//!
//! In 0.5 a call that takes a lock returns a guard, and a call that leaves it takes that guard
//! back. In 0.4 the former returns `()` or `bool`, and the latter takes nothing. One list of
//! methods serves both: it is written for "the thing held", [`got`] and [`read`], and each version
//! fills in its types.
//!
//! A read holds the token that its unlock needs. 0.4 has no place for a token, and needs none.
//! Where guards stay in their thread, the thread's record knows its reads. Where guards may be
//! sent, every reader is counted. In both versions the policy's [`Guards`] make a guard `Send`, or
//! not.

#![expect(clippy::undocumented_unsafe_blocks, reason = "one comment for all, at `implement`")]

use crate::{Policy, RawRwSem};
use siftlock_core::platform::Platform;
use siftlock_core::rwsem::ReadToken;
use siftlock_core::rwsem::policy::Guards;
use std::time::{Duration, Instant};

/// The result of a call that may fail, in either version.
trait Outcome {
    fn of(got: bool) -> Self;
}

impl Outcome for bool {
    #[inline]
    fn of(got: bool) -> Self {
        got
    }
}

impl<G: Default> Outcome for Option<G> {
    #[inline]
    fn of(got: bool) -> Self {
        got.then(G::default)
    }
}

/// The result of an upgrade: the write's guard, or the read's guard, which is still held.
impl<G: Default> Outcome for Result<G, G> {
    #[inline]
    fn of(got: bool) -> Self {
        if got { Ok(G::default()) } else { Err(G::default()) }
    }
}

#[inline]
fn got<O: Outcome>(got: bool) -> O {
    O::of(got)
}

/// The result of a read, in either version.
trait Read<G: Guards> {
    fn by(token: ReadToken<G>) -> Self;
}

impl<G: Guards> Read<G> for ReadToken<G> {
    #[inline]
    fn by(token: Self) -> Self {
        token
    }
}

impl<G: Guards> Read<G> for () {
    #[inline]
    fn by(_token: ReadToken<G>) -> Self {}
}

#[inline]
fn read<G: Guards, R: Read<G>>(token: ReadToken<G>) -> R {
    R::by(token)
}

/// The result of a read that may fail, in either version.
trait ReadOutcome<G: Guards> {
    fn of(token: Option<ReadToken<G>>) -> Self;
}

impl<G: Guards> ReadOutcome<G> for Option<ReadToken<G>> {
    #[inline]
    fn of(token: Self) -> Self {
        token
    }
}

impl<G: Guards> ReadOutcome<G> for bool {
    #[inline]
    fn of(token: Option<ReadToken<G>>) -> Self {
        token.is_some()
    }
}

#[inline]
fn may_read<G: Guards, O: ReadOutcome<G>>(token: Option<ReadToken<G>>) -> O {
    O::of(token)
}

/// The SAFETY of every `unsafe` in it: a trait's method asks its caller to hold the lock in the way
/// that the name says, and the lock asks the same. The lock excludes as the traits demand.
macro_rules! implement {
    (
        $api:ident, $Lock:ident: held = $Held:ty, $held:expr; $(handed back = $Back:ty;)?
        tried = $Tried:ty; upgraded = $Upgraded:ty;
        read = $Read:ty; may read = $MayRead:ty; $(handed back $token:ident: $Token:ty;)?
        released = $released:expr;
        RawRwLock { $($guards:tt)* } RawRwLockUpgrade { $($upgradable_guards:tt)* }
    ) => {
        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLock for $Lock<L, P> {
            $($guards)*
            const INIT: Self = Self::new();
            #[inline]
            #[track_caller]
            fn lock_shared(&self) -> $Read { read(self.lock.read()) }
            #[inline]
            fn try_lock_shared(&self) -> $MayRead { may_read(self.lock.try_read()) }
            #[inline]
            #[track_caller]
            unsafe fn unlock_shared(&self $(, $token: $Token)?) {
                unsafe { self.lock.read_unlock($released) }
            }
            #[inline]
            #[track_caller]
            fn lock_exclusive(&self) -> $Held { self.lock.write(); $held }
            #[inline]
            fn try_lock_exclusive(&self) -> $Tried { got(self.lock.try_write()) }
            #[inline]
            unsafe fn unlock_exclusive(&self $(, _: $Back)?) { unsafe { self.lock.write_unlock() } }
            fn is_locked(&self) -> bool { self.lock.is_locked() }
            fn is_locked_exclusive(&self) -> bool { self.lock.is_locked_for_writing() }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockFair for $Lock<L, P> {
            #[track_caller]
            unsafe fn unlock_shared_fair(&self $(, $token: $Token)?) {
                unsafe { self.lock.read_unlock_fair($released) }
            }
            unsafe fn unlock_exclusive_fair(&self $(, _: $Back)?) {
                unsafe { self.lock.write_unlock_fair() }
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockDowngrade for $Lock<L, P> {
            unsafe fn downgrade(&self $(, _: $Back)?) -> $Read {
                read(unsafe { self.lock.downgrade() })
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockTimed for $Lock<L, P> {
            type Duration = Duration;
            type Instant = Instant;
            #[inline]
            #[track_caller]
            fn try_lock_shared_for(&self, limit: Duration) -> $MayRead {
                may_read(self.read_within(limit).ok())
            }
            #[inline]
            #[track_caller]
            fn try_lock_shared_until(&self, limit: Instant) -> $MayRead {
                may_read(self.read_within(limit).ok())
            }
            #[inline]
            #[track_caller]
            fn try_lock_exclusive_for(&self, limit: Duration) -> $Tried {
                got(self.write_within(limit).is_ok())
            }
            #[inline]
            #[track_caller]
            fn try_lock_exclusive_until(&self, limit: Instant) -> $Tried {
                got(self.write_within(limit).is_ok())
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockUpgrade for $Lock<L, P> {
            $($upgradable_guards)*
            #[track_caller]
            fn lock_upgradable(&self) -> $Held { self.lock.upgradable(); $held }
            fn try_lock_upgradable(&self) -> $Tried { got(self.lock.try_upgradable()) }
            unsafe fn unlock_upgradable(&self $(, _: $Back)?) {
                unsafe { self.lock.upgradable_unlock() }
            }
            #[track_caller]
            unsafe fn upgrade(&self $(, _: $Back)?) -> $Held {
                unsafe { self.lock.upgrade() }; $held
            }
            unsafe fn try_upgrade(&self $(, _: $Back)?) -> $Upgraded {
                got(unsafe { self.lock.try_upgrade() })
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockUpgradeFair for $Lock<L, P> {
            unsafe fn unlock_upgradable_fair(&self $(, _: $Back)?) {
                unsafe { self.lock.upgradable_unlock_fair() }
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockUpgradeDowngrade for $Lock<L, P> {
            unsafe fn downgrade_upgradable(&self $(, _: $Back)?) -> $Read {
                read(unsafe { self.lock.downgrade_upgradable() })
            }
            unsafe fn downgrade_to_upgradable(&self $(, _: $Back)?) -> $Held {
                unsafe { self.lock.downgrade_to_upgradable() }; $held
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockUpgradeTimed for $Lock<L, P> {
            #[track_caller]
            fn try_lock_upgradable_for(&self, limit: Duration) -> $Tried {
                got(self.upgradable_within(limit).is_ok())
            }
            #[track_caller]
            fn try_lock_upgradable_until(&self, limit: Instant) -> $Tried {
                got(self.upgradable_within(limit).is_ok())
            }
            #[track_caller]
            unsafe fn try_upgrade_for(&self $(, _: $Back)?, limit: Duration) -> $Upgraded {
                got(unsafe { self.upgrade_within(limit) }.is_ok())
            }
            #[track_caller]
            unsafe fn try_upgrade_until(&self $(, _: $Back)?, limit: Instant) -> $Upgraded {
                got(unsafe { self.upgrade_within(limit) }.is_ok())
            }
        }
    };
}

implement! {
    lock_api, RawRwSem: held = L::Guards, Default::default(); handed back = L::Guards;
    tried = Option<L::Guards>; upgraded = Result<L::Guards, L::Guards>;
    read = ReadToken<L::Guards>; may read = Option<ReadToken<L::Guards>>;
    handed back token: ReadToken<L::Guards>;
    released = token;
    RawRwLock { type SharedGuard = ReadToken<L::Guards>; type ExclusiveGuard = L::Guards; }
    RawRwLockUpgrade { type UpgradableGuard = L::Guards; }
}

#[cfg(feature = "lock_api_04")]
implement! {
    lock_api_04, RawRwSem: held = (), ();
    tried = bool; upgraded = bool;
    read = (); may read = bool;
    released = ReadToken::UNKNOWN;
    RawRwLock { type GuardMarker = L::Guards; }
    RawRwLockUpgrade {}
}

/// Only 0.4 has traits for recursive reads; for 0.5 see [`crate::ReadRecursive`].
#[cfg(feature = "lock_api_04")]
mod recursive {
    use super::{Duration, Instant, Platform, Policy, RawRwSem, may_read};
    use ::lock_api_04 as api;

    // SAFETY: a recursive read takes a share like any other.
    unsafe impl<L: Policy, P: Platform> api::RawRwLockRecursive for RawRwSem<L, P> {
        #[inline]
        #[track_caller]
        fn lock_shared_recursive(&self) {
            let _token = self.read_recursive();
        }

        #[inline]
        fn try_lock_shared_recursive(&self) -> bool {
            may_read(self.try_read_recursive())
        }
    }

    // SAFETY: as above.
    unsafe impl<L: Policy, P: Platform> api::RawRwLockRecursiveTimed for RawRwSem<L, P> {
        #[track_caller]
        fn try_lock_shared_recursive_for(&self, limit: Duration) -> bool {
            may_read(self.read_recursive_within(limit).ok())
        }

        #[track_caller]
        fn try_lock_shared_recursive_until(&self, limit: Instant) -> bool {
            may_read(self.read_recursive_within(limit).ok())
        }
    }
}
