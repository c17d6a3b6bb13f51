//! The siftlock protocols: reader-writer locks over an abstract platform.
//!
//! This crate holds the protocols alone, without allocation, operating system or dependency. The
//! target needs atomic operations on 64 bits (`target_has_atomic = "64"`).
//!
//! Users want the [`siftlock`](https://docs.rs/siftlock) crate. Embedders (a kernel, a runtime of
//! its own) implement [`platform::Platform`] and use the raw locks here.
//!
//! * [`rwsem`]: the sleeping reader-writer semaphore. Its module documentation is the theory.
//! * [`psrw`]: the priority-sifting lock, readable from interrupting contexts. Its module
//!   documentation is the theory.
//! * [`defer`]: signals that are noted instead of blocked, so that raising a thread costs no call.
//! * [`record`], `wait`, `spin`: the parts that the locks share. They are the data of each thread,
//!   the tokens and the list of waiters, and the spinners' queue.
//! * [`platform`]: the seam to threads, sleep and time. [`sync`]: the seam to the memory model.
//! * [`events`]: counters of what `RwSem` did.
//!
//! # A platform of your own
//! A platform gives each thread a record that is never freed, lets a thread wait on a word of a
//! record, and reads a clock. The platform below waits awake; a system that can sleep does so in
//! `wait`, and ends the sleep in `wake`.
//!
//! ```
//! use siftlock_core::platform::{Instant, Platform};
//! use siftlock_core::record::{Record, RecordId};
//! use siftlock_core::rwsem::RwSem;
//! use siftlock_core::sync::{AtomicU32, Ordering};
//!
//! /// For so many threads: `my_number`, below it, is another one for each.
//! const THREADS: usize = 64;
//! static RECORDS: [Record; THREADS] = {
//!     let mut records = [const { Record::new(RecordId::new(1).unwrap()) }; THREADS];
//!     let mut i = 1;
//!     while i < THREADS {
//!         records[i] = Record::new(RecordId::new(i as u32 + 1).unwrap());
//!         i += 1;
//!     }
//!     records
//! };
//!
//! struct Own;
//!
//! // SAFETY: the records are static, and each thread has one of its own. `wait` looks at its word
//! // again and again, so `wake` has nothing to do. There is no bias.
//! unsafe impl Platform for Own {
//!     fn current() -> &'static Record { &RECORDS[my_number()] }
//!     fn record(id: RecordId) -> &'static Record { &RECORDS[id.get() as usize - 1] }
//!     fn wait(_: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
//!         let goes_on = || until.is_none_or(|until| Self::now() < until);
//!         while word.load(Ordering::Relaxed) == seen && goes_on() {
//!             Self::yield_now();
//!         }
//!     }
//!     fn wake(_: &Record, _: &AtomicU32) {}
//!     fn yield_now() { std::thread::yield_now(); }
//!     fn now() -> Instant { Instant::from_nanos(my_clock()) }
//!     fn may_spin() -> bool { true }
//! }
//!
//! static LOCK: RwSem<Own> = RwSem::new();
//!
//! LOCK.write();
//! // SAFETY: just taken.
//! unsafe { LOCK.write_unlock() };
//! # fn my_number() -> usize {
//! #     static NEXT: AtomicU32 = AtomicU32::new(0);
//! #     thread_local!(static MINE: u32 = NEXT.fetch_add(1, Ordering::Relaxed));
//! #     MINE.with(|mine| *mine as usize)
//! # }
//! # fn my_clock() -> u64 {
//! #     static ORIGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
//! #     ORIGIN.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
//! # }
//! # static COUNT: AtomicU32 = AtomicU32::new(0);
//! # std::thread::scope(|scope| {
//! #     for _ in 0..4 {
//! #         scope.spawn(|| {
//! #             for _ in 0..100 {
//! #                 LOCK.write();
//! #                 COUNT.store(COUNT.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
//! #                 unsafe { LOCK.write_unlock() };
//! #                 let token = LOCK.read();
//! #                 unsafe { LOCK.read_unlock(token) };
//! #             }
//! #         });
//! #     }
//! # });
//! # assert_eq!(COUNT.load(Ordering::Relaxed), 400);
//! ```
//!
//! Where threads come and go, a [`record::Table`] gives each a record.
//!
//! All other methods may stay at their defaults:
//! * `prepare`, `current_or_nobody`, `current_number`: a platform whose `current` has work to do in
//!   a thread's first call does that work in `prepare`, and makes the other two one load each.
//! * `bias` and its kin: without a bias all readers are counted. A platform that has one also
//!   implements `wake_all`, `is_time_to_ask` and `ask_again_after`.
//! * `records`: for policies that note reads.
//! * `processors`, `may_spin_on`, `processor_time`, `give_way`, `handoff_after`, `nap`: facts of
//!   the system, by which threads choose how to wait.
//! * `raise`, `restore`, `shield`, `unshield`, `level`, `misused`: for platforms whose handlers use
//!   locks.
//!
//! # A policy of your own
//! A program that uses `siftlock` depends on `siftlock-core` of the same version as well, and gives
//! its policy to `siftlock::RawRwSem`. A policy changes some constants of [`rwsem::Policy`]. It
//! also says where guards may end: [`Local`](rwsem::policy::Local) in the thread that took them,
//! [`Sendable`](rwsem::policy::Sendable) in any thread, with `READ_BIAS` off and no `NOTE_READS`.
//!
//! ```
//! use siftlock_core::rwsem::{Policy, policy::Local};
//!
//! struct SmallBatches;
//!
//! impl Policy for SmallBatches {
//!     type Guards = Local;
//!     const MAX_READERS_WAKEUP: u32 = 16;
//! }
//! ```
//!
//! A constant out of its range does not compile. The compiler sees that where it makes the code of
//! the lock's calls: in `cargo build`, not in `cargo check`.

#![cfg_attr(not(siftlock_model), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(not(target_has_atomic = "64"))]
compile_error!(
    "siftlock needs atomic operations on words of 64 bits, which this target does not have: see \
     `rustc --print cfg --target <target>` for target_has_atomic=\"64\""
);

pub mod defer;
pub mod events;
pub mod platform;
#[cfg(siftlock_model)]
pub mod probe;
pub mod psrw;
pub mod record;
mod refused;
pub mod rwsem;
mod spin;
pub mod sync;
mod wait;

pub use self::refused::Refused;
