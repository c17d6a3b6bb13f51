//! `RwSem<T>` and its guards: `lock_api`'s, around our lock.

use crate::RawRwSem;
use crate::policy::{Counted, Noted};

/// A value that many threads read, or one writes.
///
/// Its methods are those of [`lock_api::RwLock`]. For this lock they mean:
///
/// | call | waits while |
/// | --- | --- |
/// | `read` | a writer has the lock, it is reserved for other waiters, or (where reads last longer than a sleep takes) a writer waits for it. **Not again in a thread that reads already**, except with [`NotedRwSem`]; see the [crate's documentation](crate) |
/// | [`read_recursive`](crate::ReadRecursive) | a writer has the lock, or a writer waits only for readers by slot, none of them in the calling thread |
/// | `write` | anybody has the lock, or it is reserved for other waiters |
/// | `upgradable_read` | a writer or another upgradable reader has the lock, or anybody waits for it. **Not in a thread that reads already** |
/// | `RwSemUpgradableReadGuard::upgrade` | other readers have the lock; no writer comes in between |
/// | `try_…` | never. `try_write` and `try_upgradable_read` also fail if anybody waits for the lock |
/// | `try_…_for`, `try_…_until` | as long as the time allows, see [`Limit`](crate::Limit) |
///
/// Guards stay in the thread that took them, like the guards of `std` and `parking_lot`.
/// [`SendRwSem`] has guards that may be sent. Dropping a guard unlocks. `unlock_fair` unlocks and
/// reserves the lock for the first waiter, unless an upgradable reader stays inside. `bump` does
/// the same and locks again. `downgrade` turns a write into a read, and no writer comes in between.
///
/// A read that cannot return `None` panics if 2^23 shares are out; only leaked guards get there. It
/// also panics if its thread has read the lock 1,024 times and a writer waits for it. Any call
/// panics in a thread that comes while 2^24 others use locks.
///
/// No call is for signal handlers. Debug builds report a call that may wait in a handler that
/// [`context`](crate::context) has registered (Linux), or on a raised thread.
///
/// All calls for one lock must come from one copy of this crate. A host and a plugin that are each
/// linked with it are two copies, and do not exclude each other; see the [crate's
/// documentation](crate#what-to-know).
///
/// ```
/// use siftlock::{RwSem, RwSemUpgradableReadGuard as Upgradable, RwSemWriteGuard as Write};
///
/// let cache = RwSem::new(Vec::new());
///
/// // Look, and change what was seen: nobody writes in between.
/// let guard = cache.upgradable_read();
/// if guard.is_empty() {
///     let mut guard = Upgradable::upgrade(guard);
///     guard.push("filled");
///     // Go on reading: nobody writes in between here either.
///     let guard = Write::downgrade(guard);
///     assert_eq!(*guard, ["filled"]);
/// }
/// ```
///
/// # What does not compile
/// A guard that outlives its lock:
/// ```compile_fail,E0505
/// let lock = siftlock::RwSem::new(1);
/// let guard = lock.read();
/// drop(lock);
/// assert_eq!(*guard, 1);
/// ```
/// A reference that outlives its guard:
/// ```compile_fail,E0716
/// let lock = siftlock::RwSem::new(vec![1]);
/// let first = lock.read().first();
/// assert_eq!(first, Some(&1));
/// ```
/// Writing through a read guard:
/// ```compile_fail,E0594
/// let lock = siftlock::RwSem::new(1);
/// *lock.read() = 2;
/// ```
/// Writing through an upgradable guard that was not upgraded:
/// ```compile_fail,E0594
/// let lock = siftlock::RwSem::new(1);
/// *lock.upgradable_read() = 2;
/// ```
/// Using a guard after it was given away:
/// ```compile_fail,E0382
/// let lock = siftlock::RwSem::new(1);
/// let guard = lock.write();
/// let reader = siftlock::RwSemWriteGuard::downgrade(guard);
/// assert_eq!(*guard, *reader);
/// ```
/// Sharing a value that is not `Send`, such as an `Rc`, which must stay on its thread:
/// ```compile_fail,E0277
/// let lock = siftlock::RwSem::new(std::rc::Rc::new(1));
/// std::thread::scope(|s| {
///     s.spawn(|| lock.write());
/// });
/// ```
/// Sharing a value that is `Send` but not `Sync`, such as a `Cell`. Readers share the value:
/// ```compile_fail,E0277
/// let lock = siftlock::RwSem::new(std::cell::Cell::new(1));
/// std::thread::scope(|s| {
///     s.spawn(|| lock.read().get());
/// });
/// ```
/// Sending a guard to another thread, as with `std`'s lock; [`SendRwSem`] has guards that may be
/// sent:
/// ```compile_fail,E0277
/// let lock = siftlock::RwSem::new(1);
/// let guard = lock.read();
/// std::thread::scope(|s| {
///     s.spawn(move || drop(guard));
/// });
/// ```
/// Holding a guard across an `.await` of a future that is to be sent:
/// ```compile_fail
/// async fn other() {}
/// fn spawn(_: impl Future + Send) {}
///
/// static LOCK: siftlock::RwSem<u32> = siftlock::RwSem::new(1);
/// spawn(async {
///     let guard = LOCK.read();
///     other().await;
///     drop(guard);
/// });
/// ```
pub type RwSem<T> = lock_api::RwLock<RawRwSem, T>;

/// A value that many threads read, or one writes, with guards that may be sent to other threads.
///
/// It differs from [`RwSem`] in two things: a guard may end in another thread than the one that
/// took it, and every reader is counted. So **its readers do not scale**: they share a cache line.
/// Use it where guards travel, and nowhere else. Its policy is [`Counted`].
///
/// ```
/// use siftlock::{SendRwSem, SendRwSemReadGuard};
/// use std::{sync::mpsc, thread};
///
/// static TABLE: SendRwSem<[u32; 3]> = SendRwSem::new([1, 2, 3]);
///
/// let (work, worker) = mpsc::channel::<SendRwSemReadGuard<'_, [u32; 3]>>();
/// let at_work = thread::spawn(move || {
///     for table in worker {
///         assert_eq!(table.iter().sum::<u32>(), 6);
///     }
/// });
/// work.send(TABLE.read()).unwrap();
/// drop(work);
/// at_work.join().unwrap();
/// ```
///
/// ```
/// async fn other() {}
/// fn spawn(_: impl Future + Send) {}
///
/// static LOCK: siftlock::SendRwSem<u32> = siftlock::SendRwSem::new(1);
/// spawn(async {
///     let guard = LOCK.read();
///     other().await;
///     drop(guard);
/// });
/// ```
///
/// Sending the guard of a value that must not be shared does not compile:
/// ```compile_fail,E0277
/// let lock = siftlock::SendRwSem::new(std::cell::Cell::new(1));
/// let guard = lock.read();
/// std::thread::scope(|s| {
///     s.spawn(move || guard.get());
/// });
/// ```
pub type SendRwSem<T> = lock_api::RwLock<RawRwSem<Counted>, T>;

/// A value that many threads read, or one writes. Reads of one thread may nest.
///
/// It is [`RwSem`] with the policy [`Noted`]: a thread knows which locks it reads. So a plain
/// `read` of a lock that it reads already waits for no writer. All other readers queue once the
/// lock is reserved for a writer.
///
/// Up to 1,024 reads of one lock may nest. One more may panic while a writer waits for its thread.
///
/// Only plain reads nest. `upgradable_read` in a thread that reads already may wait for ever. Use
/// `try_upgradable_read` there, under [`policy::NotedCounted`](crate::policy::NotedCounted).
///
/// ```
/// use siftlock::NotedRwSem;
/// use std::thread;
///
/// let lock = NotedRwSem::new(5);
/// let outer = lock.read();
/// thread::scope(|s| {
///     s.spawn(|| *lock.write() += 1);
///     // The writer may wait by now, or not.
///     let inner = lock.read();
///     assert_eq!(*outer, *inner);
///     drop((outer, inner));
/// });
/// ```
pub type NotedRwSem<T> = lock_api::RwLock<RawRwSem<Noted>, T>;

/// The guards of a lock, of either version of `lock_api`.
macro_rules! guards {
    (
        $api:ident, $Raw:ty, $Lock:ident: $Read:ident, $Write:ident, $Upgradable:ident,
        $MappedRead:ident, $MappedWrite:ident, $ArcRead:ident, $ArcWrite:ident, $ArcUpgradable:ident
    ) => {
        #[doc = concat!("Holds a [`", stringify!($Lock), "`] for reading, until it is dropped.")]
        pub type $Read<'a, T> = $api::RwLockReadGuard<'a, $Raw, T>;

        #[doc = concat!("Holds a [`", stringify!($Lock), "`] for writing, until it is dropped.")]
        pub type $Write<'a, T> = $api::RwLockWriteGuard<'a, $Raw, T>;

        #[doc = concat!("Holds a [`", stringify!($Lock), "`] for reading, with the right to upgrade, until it is dropped.")]
        pub type $Upgradable<'a, T> = $api::RwLockUpgradableReadGuard<'a, $Raw, T>;

        #[doc = concat!("Holds a [`", stringify!($Lock), "`] for reading and shows a part of its value.")]
        pub type $MappedRead<'a, T> = $api::MappedRwLockReadGuard<'a, $Raw, T>;

        #[doc = concat!("Holds a [`", stringify!($Lock), "`] for writing and shows a part of its value.")]
        pub type $MappedWrite<'a, T> = $api::MappedRwLockWriteGuard<'a, $Raw, T>;

        #[doc = concat!("Holds a [`", stringify!($Lock), "`] for reading, and an `Arc` of it.")]
        #[cfg(feature = "arc_lock")]
        pub type $ArcRead<T> = $api::ArcRwLockReadGuard<$Raw, T>;

        #[doc = concat!("Holds a [`", stringify!($Lock), "`] for writing, and an `Arc` of it.")]
        #[cfg(feature = "arc_lock")]
        pub type $ArcWrite<T> = $api::ArcRwLockWriteGuard<$Raw, T>;

        #[doc = concat!("Holds a [`", stringify!($Lock), "`] for reading, with the right to upgrade, and an `Arc` of it.")]
        #[cfg(feature = "arc_lock")]
        pub type $ArcUpgradable<T> = $api::ArcRwLockUpgradableReadGuard<$Raw, T>;
    };
}
#[cfg(feature = "lock_api_04")]
pub(crate) use guards;

guards! {
    lock_api, RawRwSem, RwSem: RwSemReadGuard, RwSemWriteGuard, RwSemUpgradableReadGuard,
    MappedRwSemReadGuard, MappedRwSemWriteGuard,
    ArcRwSemReadGuard, ArcRwSemWriteGuard, ArcRwSemUpgradableReadGuard
}

guards! {
    lock_api, RawRwSem<Counted>, SendRwSem: SendRwSemReadGuard, SendRwSemWriteGuard,
    SendRwSemUpgradableReadGuard, MappedSendRwSemReadGuard, MappedSendRwSemWriteGuard,
    ArcSendRwSemReadGuard, ArcSendRwSemWriteGuard, ArcSendRwSemUpgradableReadGuard
}

guards! {
    lock_api, RawRwSem<Noted>, NotedRwSem: NotedRwSemReadGuard, NotedRwSemWriteGuard,
    NotedRwSemUpgradableReadGuard, MappedNotedRwSemReadGuard, MappedNotedRwSemWriteGuard,
    ArcNotedRwSemReadGuard, ArcNotedRwSemWriteGuard, ArcNotedRwSemUpgradableReadGuard
}

/// A guard that owns its lock stays in its thread, or may be sent, like the lock's other guards.
///
/// ```
/// # #[cfg(feature = "arc_lock")] {
/// # use std::sync::Arc;
/// let guard = Arc::new(siftlock::SendRwSem::new(1)).read_arc();
/// std::thread::spawn(move || drop(guard)).join().unwrap();
/// # }
/// ```
///
/// ```compile_fail,E0277
/// # use std::sync::Arc;
/// let guard = Arc::new(siftlock::RwSem::new(1)).read_arc();
/// std::thread::spawn(move || drop(guard));
/// ```
#[cfg(all(doctest, feature = "arc_lock"))]
mod arc_guards {}
