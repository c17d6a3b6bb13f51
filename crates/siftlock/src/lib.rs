//! Reader-writer locks for programs that care about latency.
//!
//! | your data | lock |
//! | --- | --- |
//! | threads read and write it | [`RwSem<T>`] |
//! | the same, and guards go from thread to thread | [`SendRwSem<T>`] |
//! | the same, and reads nest | [`NotedRwSem<T>`] |
//! | signal handlers, or threads that must not block, read it, too | [`PsRwLock<T>`](PsRwLock) |
//!
//! [`RwSem<T>`] guards a `T`: many threads read it, or one writes it. A thread that has to wait
//! sleeps. No stream of plain reads and writes starves it. The lock is reserved for it at the
//! latest 4 ms after it came to the head of the queue, or, if a writer is inside then, at that
//! writer's unlock.
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
//! [`PsRwLock<T>`](PsRwLock) is also read from contexts that interrupt others. These contexts wait
//! only for each other and for the write itself: a writer shuts its readers out class by class, the
//! slowest first.
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
//! **A write section of a lock that handlers read must not allocate, nor take any other lock**: a
//! thread that a handler has interrupted may hold that lock. See [the whole
//! rule](psrw#in-a-write-section).
//!
//! # Do not `read` what you are reading
//! **A thread that holds a read lock and calls `read` or `upgradable_read` again can deadlock.** A
//! writer may queue between the two calls. Then the second call may wait for the writer, and the
//! writer waits for the first:
//!
//! | this thread | another thread |
//! | --- | --- |
//! | `let a = lock.read();` | |
//! | | `lock.write()` waits for `a` |
//! | `lock.read()` may wait for the writer: **deadlock** | |
//!
//! Hand the guard (or `&*guard`) down instead. Sometimes that cannot be done, because a callback or
//! a library comes between. Then an [`RwSem`] has two ways out. Debug builds panic at a second read
//! of a [`PsRwLock`].
//!
//! **If the inner call knows that it is one**, use
//! [`read_recursive`](ReadRecursive::read_recursive), which passes waiting writers. Other calls
//! should not use it, since they would starve writers.
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
//! **If it does not know**, choose [`NotedRwSem`], the lock with the policy [`policy::Noted`].
//! There each thread notes what it reads. A plain read passes waiting writers if its thread reads
//! the lock already. Any other reader queues once the lock is reserved for a writer. Only a thread
//! that never lets go can starve writers. Up to 1,024 reads of one lock may nest in a thread; one
//! more may panic while a writer waits for that thread. Upgradable reads [do not nest](NotedRwSem).
//!
//! No lock here can be taken twice by one thread if one of the two is a write.
//!
//! # What there is
//! * [`RwSem`]: methods and guards are those of [`lock_api::RwLock`]: time-outs, upgradable reads,
//!   downgrades, fair unlocks. There is no poisoning: a panic under a guard unlocks.
//! * [`SendRwSem`]: the same with guards that may be sent to other threads. It counts every reader.
//! * [`NotedRwSem`]: the same for reads that nest.
//! * [`ReadRecursive`]: recursive reads.
//! * [`RawRwSem`]: the lock of `RwSem` without data. It is for code that is generic over
//!   `lock_api`'s traits, or that needs to know why a call was [refused](Refused).
//! * [`PsRwLock`], and all that belongs to it, in [`psrw`].
//! * [`context`]: signal handlers as contexts that a thread can mask without a system call, for
//!   locks that handlers read.
//! * [`policy`]: in which order threads get the lock, where guards may end, and whether readers use
//!   slots ([`policy::Counted`]: they do not) or may nest ([`policy::Noted`]).
//! * [`platform`]: what the locks need from the system.
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `arc_lock` | guards that own an `Arc` of their lock: `read_arc`, `write_arc` and their kin, as in `lock_api` |
//! | `serde` | `Serialize` and `Deserialize` for the locks of `lock_api`'s type, as in `lock_api` |
//! | `lock_api_04` | the traits and guards of `lock_api` 0.4: `siftlock::lock_api_04` |
//! | `events` | counts of what the locks did: [`events`] |
//!
//! # What to know
//! * An unlock's releasing step is its last access to the lock. So the next holder may free the
//!   lock's memory at once.
//! * Guards belong to the thread that took them: they are not `Send`. So the compiler refuses a
//!   guard that is held across an `.await` of a future that may be sent. [`SendRwSem`] has guards
//!   that may be sent, and its readers do not scale.
//! * No call of an [`RwSem`] is for signal handlers. Even a call that does not wait can interrupt a
//!   call of the same thread for which others then wait. Debug builds report a call that may wait
//!   in a handler that [`context`] has registered (Linux), and in a section of a [`PsRwLock`] that
//!   keeps handlers away.
//! * **A lock call asks the system for little else than its wait.** It allocates nothing by the
//!   program's allocator, which may be built on a lock. It opens no file, takes no lock of the C
//!   library, is no cancellation point (`pthread_cancel`), and leaves `errno` alone. All that needs
//!   more is done by a constructor before `main`, or when a library with this crate in it is
//!   loaded. Where the linker drops constructors, call [`platform::prepare`] by hand. All of that
//!   holds on Linux, with one exception: if the process had 32 keys of `pthread_key_create` before
//!   this crate took its own, glibc may allocate once at each thread's first lock call. Elsewhere a
//!   thread's first calls may allocate, and a wait may be a cancellation point.
//! * In a sandbox (seccomp) lock calls make these system calls: `futex`, `sched_yield`,
//!   `sched_getscheduler`, `membarrier`, `gettid`, `clock_gettime`, `restart_syscall` (the kernel,
//!   after a stop), and `mmap` and `munmap` where there are more threads than ever before. Handlers
//!   of [`context`] also need `rt_sigreturn` and the calls that send a put-off signal again;
//!   [docs/embedding.md][embedding] lists them. Where the system grants longer time slices, a
//!   [`PsRwLock`] or a [`Masked`](context::Masked) with the class
//!   [`NonPreemptible`](context::NonPreemptible) needs `prctl` and `rseq_slice_yield`. There,
//!   registering a handler needs `prctl` as well. If `membarrier` is refused, readers by slot make
//!   an atomic swap instead of a plain store from then on, see [`platform::avoid_membarrier`].
//! * A child made by `fork` can use new locks, and locks that no other thread held, waited for or
//!   tried to take at that moment. That holds on Linux; elsewhere, see [`platform::Portable`].
//! * Each thread that uses an [`RwSem`] is given a record of a few hundred bytes. When the thread
//!   ends, another one may get it, unless the thread forgot the guard of a read, or used a lock in
//!   the last round of its destructors (`PTHREAD_DESTRUCTOR_ITERATIONS`).
//! * **A lock belongs to one copy of this crate.** A plugin is linked with a copy of its own, which
//!   knows only the threads that lock through it. So a plugin locks a lock of the host by calling
//!   functions of the host. Two copies on one lock overlook each other's readers by slot: exclusion
//!   is lost, and nothing reports it. Under [`policy::Counted`] exclusion holds, but a wake-up by
//!   one copy does not reach a waiter of the other copy, which sleeps for ever. Only calls that
//!   never wait are left there, in both copies: the `try_…` forms without a time. A [`PsRwLock`]
//!   does not allow even these, since a thread that one copy has raised ([`context`]) is not raised
//!   for handlers of the other.
//! * A shared library with this crate in it stays loaded when it is closed, with glibc on Linux:
//!   threads that have used a lock still call it when they end. To load a changed plugin, give its
//!   file another name. musl unloads nothing. On other systems, do not unload such a library.
//! * A guard that is forgotten while its lock is read by slot keeps that slot until the lock is
//!   dropped. Do not move such a lock: the slot would stay behind at the old address. `drop(lock)`
//!   of a local is such a move. Let its scope end instead.
//!
//! [embedding]: https://github.com/siftlock/siftlock/blob/HEAD/docs/embedding.md

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(doctest, target_os = "linux"))]
#[doc = include_str!("../README.md")]
mod readme {}

mod adapters;
pub mod context;
mod limit;
#[cfg(feature = "lock_api_04")]
pub mod lock_api_04;
pub mod platform;
pub mod policy;
pub mod psrw;
mod raw;
mod recursive;
mod rwsem;

pub use self::limit::Limit;
pub use self::policy::Policy;
pub use self::psrw::{MappedPsWriteGuard, PsReadGuard, PsRwLock, PsWriteGuard};
pub use self::raw::RawRwSem;
pub use self::recursive::ReadRecursive;
pub use self::rwsem::*;
pub use lock_api;
pub use siftlock_core::events;
pub use siftlock_core::rwsem::{ReadToken, Refused};
