//! `RawRwSem` under the traits of `lock_api`, of both versions.
//!
//! The versions differ in what says that a lock is held: in 0.5 a call that takes it returns a
//! guard, and a call that leaves it wants that guard back; in 0.4 the former returns `()` or `bool`
//! and the latter wants nothing. So there is one list of methods, written for "what is held",
//! [`got`] and [`read`], and each version fills in its types. What is held of a read is the token
//! that its unlock needs; 0.4, which has no place for one, is for policies without a read bias
//! and without notes, or for guards that stay in their thread.

#![expect(clippy::undocumented_unsafe_blocks, reason = "one comment for all, at `implement`")]

use crate::RawRwSem;
#[cfg(feature = "lock_api_04")]
use crate::lock_api_04::RawLocalRwSem;
use lock_api::GuardSend;
use siftlock_core::platform::Platform;
use siftlock_core::rwsem::policy::ReadBias;
use siftlock_core::rwsem::{Policy, ReadToken};
use std::time::{Duration, Instant};

/// What a call that may fail returns, in either version.
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

/// Of an upgrade: the guard of the write, or that of the read, which is still held.
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

/// What a read returns, in either version.
trait Read<L> {
    fn by(token: ReadToken) -> Self;
}

impl<L> Read<L> for ReadToken {
    #[inline]
    fn by(token: ReadToken) -> Self {
        token
    }
}

impl<L: Policy> Read<L> for () {
    #[inline]
    fn by(_token: ReadToken) -> Self {
        let _token = counted::<L>();
    }
}

/// The token of every read of a lock that counts all of them; others do not compile.
#[inline]
fn counted<L: Policy>() -> ReadToken {
    const {
        assert!(
            matches!((L::READ_BIAS, L::OWNER_BIAS), (ReadBias::Off, ReadBias::Off))
                && !L::NOTE_READS,
            "lock_api 0.4 cannot release a read by slot or a noted one: use policy::Counted"
        );
    }
    ReadToken::COUNTED
}

#[inline]
fn read<L, R: Read<L>>(token: ReadToken) -> R {
    R::by(token)
}

/// What a read that may fail returns, in either version.
trait ReadOutcome<L> {
    fn of(token: Option<ReadToken>) -> Self;
}

impl<L> ReadOutcome<L> for Option<ReadToken> {
    #[inline]
    fn of(token: Option<ReadToken>) -> Self {
        token
    }
}

impl<L: Policy> ReadOutcome<L> for bool {
    #[inline]
    fn of(token: Option<ReadToken>) -> Self {
        token.map(read::<L, ()>).is_some()
    }
}

#[inline]
fn may_read<L, O: ReadOutcome<L>>(token: Option<ReadToken>) -> O {
    O::of(token)
}

/// The SAFETY of all that is unsafe in it: what a trait asks of a method's caller, to have the lock
/// in the way that the name says, is what the lock asks; and the lock excludes as the traits want.
macro_rules! implement {
    (
        $api:ident, $Lock:ident by $By:ty: held = $Held:ty, $held:expr; $(handed back = $Back:ty;)?
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
            fn lock_shared(&self) -> $Read { read::<$By, _>(self.raw().lock.read()) }
            #[inline]
            fn try_lock_shared(&self) -> $MayRead { may_read::<$By, _>(self.raw().lock.try_read()) }
            #[inline]
            #[track_caller]
            unsafe fn unlock_shared(&self $(, $token: $Token)?) {
                unsafe { self.raw().lock.read_unlock($released) }
            }
            #[inline]
            #[track_caller]
            fn lock_exclusive(&self) -> $Held { self.raw().lock.write(); $held }
            #[inline]
            fn try_lock_exclusive(&self) -> $Tried { got(self.raw().lock.try_write()) }
            #[inline]
            unsafe fn unlock_exclusive(&self $(, _: $Back)?) { unsafe { self.raw().lock.write_unlock() } }
            fn is_locked(&self) -> bool { self.raw().lock.is_locked() }
            fn is_locked_exclusive(&self) -> bool { self.raw().lock.is_locked_for_writing() }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockFair for $Lock<L, P> {
            unsafe fn unlock_shared_fair(&self $(, $token: $Token)?) {
                unsafe { self.raw().lock.read_unlock_fair($released) }
            }
            unsafe fn unlock_exclusive_fair(&self $(, _: $Back)?) {
                unsafe { self.raw().lock.write_unlock_fair() }
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockDowngrade for $Lock<L, P> {
            unsafe fn downgrade(&self $(, _: $Back)?) -> $Read {
                read::<$By, _>(unsafe { self.raw().lock.downgrade() })
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockTimed for $Lock<L, P> {
            type Duration = Duration;
            type Instant = Instant;
            #[inline]
            #[track_caller]
            fn try_lock_shared_for(&self, limit: Duration) -> $MayRead {
                may_read::<$By, _>(self.raw().read_within(limit).ok())
            }
            #[inline]
            #[track_caller]
            fn try_lock_shared_until(&self, limit: Instant) -> $MayRead {
                may_read::<$By, _>(self.raw().read_within(limit).ok())
            }
            #[inline]
            #[track_caller]
            fn try_lock_exclusive_for(&self, limit: Duration) -> $Tried {
                got(self.raw().write_within(limit).is_ok())
            }
            #[inline]
            #[track_caller]
            fn try_lock_exclusive_until(&self, limit: Instant) -> $Tried {
                got(self.raw().write_within(limit).is_ok())
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockUpgrade for $Lock<L, P> {
            $($upgradable_guards)*
            #[track_caller]
            fn lock_upgradable(&self) -> $Held { self.raw().upgradable_for_ever(); $held }
            fn try_lock_upgradable(&self) -> $Tried { got(self.raw().lock.try_upgradable()) }
            unsafe fn unlock_upgradable(&self $(, _: $Back)?) {
                unsafe { self.raw().lock.upgradable_unlock() }
            }
            #[track_caller]
            unsafe fn upgrade(&self $(, _: $Back)?) -> $Held {
                unsafe { self.raw().upgrade_for_ever() }; $held
            }
            unsafe fn try_upgrade(&self $(, _: $Back)?) -> $Upgraded {
                got(unsafe { self.raw().lock.try_upgrade() })
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockUpgradeFair for $Lock<L, P> {
            unsafe fn unlock_upgradable_fair(&self $(, _: $Back)?) {
                unsafe { self.raw().lock.upgradable_unlock_fair() }
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockUpgradeDowngrade for $Lock<L, P> {
            unsafe fn downgrade_upgradable(&self $(, _: $Back)?) -> $Read {
                read::<$By, _>(unsafe { self.raw().lock.downgrade_upgradable() })
            }
            unsafe fn downgrade_to_upgradable(&self $(, _: $Back)?) -> $Held {
                unsafe { self.raw().lock.downgrade_to_upgradable() }; $held
            }
        }

        unsafe impl<L: Policy, P: Platform> ::$api::RawRwLockUpgradeTimed for $Lock<L, P> {
            #[track_caller]
            fn try_lock_upgradable_for(&self, limit: Duration) -> $Tried {
                got(self.raw().upgradable_within(limit).is_ok())
            }
            #[track_caller]
            fn try_lock_upgradable_until(&self, limit: Instant) -> $Tried {
                got(self.raw().upgradable_within(limit).is_ok())
            }
            #[track_caller]
            unsafe fn try_upgrade_for(&self $(, _: $Back)?, limit: Duration) -> $Upgraded {
                got(unsafe { self.raw().upgrade_within(limit) }.is_ok())
            }
            #[track_caller]
            unsafe fn try_upgrade_until(&self $(, _: $Back)?, limit: Instant) -> $Upgraded {
                got(unsafe { self.raw().upgrade_within(limit) }.is_ok())
            }
        }
    };
}

implement! {
    lock_api, RawRwSem by L: held = GuardSend, GuardSend::new(); handed back = GuardSend;
    tried = Option<GuardSend>; upgraded = Result<GuardSend, GuardSend>;
    read = ReadToken; may read = Option<ReadToken>; handed back token: ReadToken;
    released = token;
    RawRwLock { type SharedGuard = ReadToken; type ExclusiveGuard = GuardSend; }
    RawRwLockUpgrade { type UpgradableGuard = GuardSend; }
}

#[cfg(feature = "lock_api_04")]
implement! {
    lock_api_04, RawRwSem by L: held = (), ();
    tried = bool; upgraded = bool;
    read = (); may read = bool;
    released = counted::<L>();
    RawRwLock { type GuardMarker = ::lock_api_04::GuardSend; }
    RawRwLockUpgrade {}
}

// In 0.4 where guards stay in their thread: that knows what it reads.
#[cfg(feature = "lock_api_04")]
implement! {
    lock_api_04, RawLocalRwSem by Local<L>: held = (), ();
    tried = bool; upgraded = bool;
    read = (); may read = bool;
    released = ReadToken::UNKNOWN;
    RawRwLock { type GuardMarker = ::lock_api_04::GuardNoSend; }
    RawRwLockUpgrade {}
}

/// Says that a read's token need not be kept.
#[cfg(feature = "lock_api_04")]
struct Local<L>(std::marker::PhantomData<L>);

#[cfg(feature = "lock_api_04")]
impl<L: Policy> Read<Local<L>> for () {
    #[inline]
    fn by(_token: ReadToken) -> Self {}
}

#[cfg(feature = "lock_api_04")]
impl<L: Policy> ReadOutcome<Local<L>> for bool {
    #[inline]
    fn of(token: Option<ReadToken>) -> Self {
        token.is_some()
    }
}

/// Only 0.4 has traits for recursive reads; for 0.5 see [`crate::ReadRecursive`].
#[cfg(feature = "lock_api_04")]
mod recursive {
    use super::{Duration, Instant, Local, Platform, Policy, RawLocalRwSem, RawRwSem};
    use super::{may_read, read};
    use ::lock_api_04 as api;

    /// SAFETY of it: what a recursive read takes is a share like any other.
    macro_rules! implement {
        ($Lock:ident by $By:ty) => {
            unsafe impl<L: Policy, P: Platform> api::RawRwLockRecursive for $Lock<L, P> {
                #[inline]
                #[track_caller]
                fn lock_shared_recursive(&self) {
                    read::<$By, ()>(self.raw().read_recursive());
                }

                #[inline]
                fn try_lock_shared_recursive(&self) -> bool {
                    may_read::<$By, _>(self.raw().try_read_recursive())
                }
            }

            unsafe impl<L: Policy, P: Platform> api::RawRwLockRecursiveTimed for $Lock<L, P> {
                #[track_caller]
                fn try_lock_shared_recursive_for(&self, limit: Duration) -> bool {
                    may_read::<$By, _>(self.raw().read_recursive_within(limit).ok())
                }

                #[track_caller]
                fn try_lock_shared_recursive_until(&self, limit: Instant) -> bool {
                    may_read::<$By, _>(self.raw().read_recursive_within(limit).ok())
                }
            }
        };
    }

    implement!(RawRwSem by L);
    implement!(RawLocalRwSem by Local<L>);
}
