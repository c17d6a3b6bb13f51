//! `pthread_rwlock_*` of unmodified programs, by siftlock's RwSem:
//! `LD_PRELOAD=libsiftlock_preload.so program`.
//!
//! The lock lies in place, in the 56 bytes of glibc's type (see `lock`), so that both of glibc's
//! static initialisers are an unlocked lock. Locks that processes share stay glibc's.
//! `docs/preload.md` is the page for users.
//!
//! # What a lock call must not do
//! A program does not know that its lock was replaced. So no call here allocates, opens a file,
//! changes `errno`, is a cancellation point, takes a lock of glibc's, or needs a large stack. The
//! constructor in `begin` does the work that may do so. Calls before the constructor work as well.
//!
//! # How it is built
//! With the profile `preload` a panic ends the process, and there is no `std`. Other profiles
//! unwind, and link `std` for that. The functions are the same.

#![cfg(all(
    target_os = "linux",
    target_env = "gnu",
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
#![no_std]

#[cfg(panic = "unwind")]
extern crate std;

// The libc crate links the C library only without its `std` feature, which another crate of the
// same build may turn on.
#[link(name = "c")]
unsafe extern "C" {}

#[macro_use]
mod line;

mod begin;
mod calls;
mod deadline;
mod end_of_thread;
mod exports;
mod fence;
mod futex;
mod glibc;
mod lock;
mod memory;
mod nested;
mod overdue;
#[cfg(panic = "abort")]
mod panic;
mod platform;
mod probes;
mod processors;
mod registry;
mod system;
mod thread;
