//! What an unmodified program waits for: `SIFTLOCK_REPORT=1 LD_PRELOAD=libsiftlock_trace.so
//! program`.
//!
//! The library stands between a program and its `pthread_rwlock_*`, measures, and reports when the
//! program ends. The locks themselves stay those of the next library: glibc's, or
//! `libsiftlock_preload.so`'s. `docs/trace.md` is the page for users.
//!
//! # How a call is measured
//! Each thread counts in a table of its own (`thread`, `cell`), so that counting is one plain
//! addition. A call first tries the lock. If the try fails, the thread waits, and the wait is timed
//! (`calls`). Some lock calls are *due*: the call, its section and its unlock are timed as well. A
//! thread's first calls on a lock are all due, later calls ever more rarely (`cell`). Calls that
//! are due or that waited give their stacks, within a `budget` of time.
//!
//! # What a lock call must not do
//! The program's allocator may itself use a lock, and so may an unwinder. So the library allocates
//! from memory of its own. A thread that is inside the library's slow path calls the next library
//! directly (`inside`). No call changes `errno`. Names of functions are looked up only when a
//! report is made.

#![cfg(all(
    target_os = "linux",
    target_env = "gnu",
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]

mod begin;
mod budget;
mod calls;
mod cell;
mod clock;
mod end_of_thread;
mod exports;
mod forks;
mod histogram;
mod inside;
mod local;
mod next;
mod record;
mod registry;
mod report;
mod settings;
mod stacks;
mod thread;

/// Memory of the library's own: the program's allocator may use the lock that is being measured.
#[global_allocator]
static MEMORY: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;
