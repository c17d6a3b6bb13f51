//! Reader-writer locks for programs that care about latency.
//!
//! | you have | use |
//! | --- | --- |
//! | threads that read and write | [`RwSem<T>`] |
//! | the same, and guards that go from thread to thread | [`SendRwSem<T>`] |
//! | also readers in signal handlers, or in threads that must not block | [`PsRwLock<T>`](PsRwLock) |
//!
//! [`RwSem<T>`] guards a `T`: many threads read it, or one writes it. Who has to wait sleeps, and
//! nobody waits for ever: after 4 ms at the head of the queue the lock is reserved for the waiter.
//!
//! ```
//! use siftlock::RwSem;
//!
//! static ROUTES: RwSem<Vec<&str>> = RwSem::new(Vec::new());
//!
//! ROUTES.write().push("/");
//! let routes = ROUTES.read();
//! assert_eq!(routes.len(), 1);
//! ```
//!
//! [`PsRwLock<T>`](PsRwLock) is also read from contexts that interrupt others, and keeps them waiting
//! only for each other: a writer shuts its readers out class by class, the slowest first.
//!
//! ```
//! # #[cfg(target_os = "linux")] {
//! use siftlock::PsRwLock;
//! use siftlock::context::{self, Interrupt, Irq};
//!
//! static SYMBOLS: PsRwLock<Vec<(usize, &str)>> = PsRwLock::new(Vec::new());
//!
//! fn sample(interrupt: &Interrupt<'_, Irq>) {
//!     let symbols = SYMBOLS.read_at(interrupt);
//!     // Look up what was interrupted.
//!     # assert_eq!(symbols.len(), 1);
//! }
//!
//! // SAFETY: `sample` does nothing but read, which is async-signal-safe.
//! unsafe { context::register(libc::SIGPROF, sample)? };
//! // Made out here: the write section itself must not allocate or free.
//! let symbols = vec![(0x1000, "main")];
//! let _old = SYMBOLS.replace(symbols);
//! # unsafe { libc::raise(libc::SIGPROF) };
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **A write section of a lock that handlers read must not allocate, nor take any other lock**: a thread
//! that a handler has interrupted may hold it. See
//! [there](psrw#in-a-write-section).
//!
//! # Do not `read` what you are reading
//! **A thread that holds a read lock and calls `read` again can deadlock.** If a writer queues
//! between the two calls, the second `read` may wait for the writer, and the writer waits for the
//! first:
//!
//! | this thread | another thread |
//! | --- | --- |
//! | `let a = lock.read();` | |
//! | | `lock.write()` waits for `a` |
//! | `lock.read()` may wait for the writer: **deadlock** | |
//!
//! Hand the guard (or `&*guard`) down instead. Where that cannot be done, because a callback or a
//! library comes between, there are two ways with an [`RwSem`]; debug builds panic where a
//! [`PsRwLock`] is read so.
//!
//! **The inner call knows that it is one**: [`read_recursive`](ReadRecursive::read_recursive) passes
//! waiting writers. So it may starve them where it is used for other calls as well.
//!
//! ```
//! use siftlock::{ReadRecursive as _, RwSem};
//!
//! let lock = RwSem::new(5);
//! let outer = lock.read();
//! let inner = lock.read_recursive();
//! assert_eq!(*outer, *inner);
//! ```
//!
//! **It does not**: choose [`policy::Noted`]. Then each thread notes what it reads, a plain read of what
//! it reads already passes waiting writers, and all others queue. No read starves writers but that of a
//! thread which never lets go.
//!
//! ```
//! use siftlock::{RawRwSem, lock_api, policy};
//! # use std::thread;
//!
//! type RwSem<T> = lock_api::RwLock<RawRwSem<policy::Noted>, T>;
//!
//! let lock = RwSem::new(5);
//! let outer = lock.read();
//! thread::scope(|s| {
//!     s.spawn(|| *lock.write() += 1);
//!     // The writer may wait by now, or not.
//!     let inner = lock.read();
//!     assert_eq!(*outer, *inner);
//!     drop((outer, inner));
//! });
//! ```
//!
//! No lock here can be taken twice by one thread if one of the two is a write.
//!
//! # What there is
//! * [`RwSem`]: methods and guards are those of [`lock_api::RwLock`]: time-outs, upgradable reads,
//!   downgrades, fair unlocks. There is no poisoning: a panic under a guard unlocks.
//! * [`SendRwSem`]: the same with guards that may be sent to other threads, and readers that are counted.
//! * [`ReadRecursive`]: recursive reads.
//! * [`RawRwSem`]: the lock of `RwSem` without data, for code that is generic over `lock_api`'s traits,
//!   or needs to know why a call was [refused](Refused). With feature `lock_api_04` it implements
//!   the traits of `lock_api` 0.4 as well; see `siftlock::lock_api_04`.
//! * [`PsRwLock`] and what belongs to it, in [`psrw`].
//! * [`context`]: signal handlers as contexts that a thread can mask without a system call, for locks
//!   that handlers read.
//! * [`policy`]: who gets the lock when, where guards may end, and whether readers use slots
//!   ([`policy::Counted`]: none does) or know that they nest ([`policy::Noted`]). [`events`]: what the locks did, counted (feature
//!   `events`). [`platform`]: what the locks need from the system.
//!
//! # What to know
//! * An unlock's releasing step is its last access to the lock: whoever takes the lock next may free
//!   its memory at once.
//! * Guards belong to the thread that took them: they are not `Send`, so the compiler refuses one that is
//!   held across an `.await` of a future that may be sent. [`SendRwSem`] has guards that are, and does not
//!   scale for readers.
//! * No call of an [`RwSem`] is for signal handlers: also those that do not wait can interrupt a call
//!   of the same thread that others then wait for. Debug builds report those that may wait, there and in
//!   a section of a [`PsRwLock`] that keeps handlers away.
//! * **A lock call asks the system for little else than its wait.** It allocates nothing by the program's
//!   allocator, which may be built on a lock; opens no file; takes no lock of the C library's; is no place
//!   where a thread is cancelled (`pthread_cancel`); leaves `errno` alone. What needs more is done by a
//!   constructor before `main`, or when a library with this crate in it is loaded:
//!   [`platform::prepare`], which is to be called by hand where the linker drops constructors. (All of
//!   that on Linux. Elsewhere a thread's first calls may allocate, and a wait may be such a place.)
//! * In a sandbox (seccomp) lock calls make these system calls: `futex`, `sched_yield`, `sched_getscheduler`,
//!   `membarrier`, and `mmap` where there are more threads than ever before; with handlers of [`context`] also
//!   those of signals, by which one that was put off is sent again; and for a [`PsRwLock`] with a
//!   [`NonPreemptible`](context::NonPreemptible) class, where the system grants longer time slices, `prctl` and
//!   `rseq_slice_yield`. If `membarrier` is refused, readers are counted from then on, see
//!   [`platform::count_readers`].
//! * A child made by `fork` can use locks that no other thread held or waited for at that moment, and new
//!   ones (on Linux; elsewhere, see [`platform::Portable`]).
//! * Each thread that uses an [`RwSem`] is given a record of a few hundred bytes, which another thread
//!   uses when it ends. If it ends with a read that was forgotten, nobody does.
//! * **A lock belongs to one copy of this crate.** A plugin is linked with a copy of its own, which knows
//!   only the threads that lock through it. So a lock of the host's is locked by functions of the host,
//!   also for the plugin. Two copies on one lock overlook each other's readers by slot: exclusion is lost,
//!   and nothing tells. Under [`policy::Counted`] exclusion holds, but a wake-up by one copy does not reach
//!   a waiter of the other, which sleeps for ever. What is left is to lock it by calls that never wait,
//!   in both copies: the `try_…` forms without a time, under `policy::Counted`. A thread that one copy has
//!   raised ([`context`]) is not raised for handlers of the other, so a [`PsRwLock`] is not even for that.
//! * A shared library with this crate in it stays loaded when it is closed, with glibc on Linux: threads
//!   that have used a lock still call it when they end. To load a changed plugin, give its file another
//!   name. (musl unloads nothing. On other systems, do not unload such a library.)
//! * A guard that is forgotten while its lock is read by slot keeps that slot until the lock is
//!   dropped. Do not move such a lock: the slot would stay behind at the old address.

#[cfg(all(doctest, target_os = "linux"))]
#[doc = include_str!("../../../README.md")]
mod readme {}

mod adapters;
pub mod context;
mod limit;
#[cfg(feature = "lock_api_04")]
pub mod lock_api_04;
pub mod platform;
pub mod psrw;
mod raw;
mod recursive;
mod rwsem;

pub use self::limit::Limit;
pub use self::psrw::{PsReadGuard, PsRwLock, PsWriteGuard};
pub use self::raw::RawRwSem;
pub use self::recursive::ReadRecursive;
pub use self::rwsem::{
    MappedRwSemReadGuard, MappedRwSemWriteGuard, MappedSendRwSemReadGuard,
    MappedSendRwSemWriteGuard, RwSem, RwSemReadGuard, RwSemUpgradableReadGuard, RwSemWriteGuard,
    SendRwSem, SendRwSemReadGuard, SendRwSemUpgradableReadGuard, SendRwSemWriteGuard,
};
pub use lock_api;
pub use siftlock_core::events;
pub use siftlock_core::rwsem::{Policy, ReadToken, Refused, policy};
