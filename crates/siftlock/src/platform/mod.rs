//! The system as the locks see it: sleep, wake, clocks, processors, and a record for each thread.
//!
//! [`Native`] is the platform of the public lock types. On Linux that is `Linux`, with futexes.
//! Elsewhere it is [`Portable`], made of `std` alone. Both exist on Linux, so that tests run the
//! locks on both. On Linux raising a thread above its signal handlers is lazy, see
//! [`context`](crate::context). [`Strict`] is [`Linux`] with masking by the system.

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_pointer_width = "32"))]
compile_error!(
    "siftlock does not support x32, whose system calls take times of 64 bits where `long` has 32: a sleep \
     would end at a wrong time. Build for x86_64-unknown-linux-gnu or i686-unknown-linux-gnu"
);

mod current;
mod exit;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static"), not(miri)))]
mod loaded;
mod mine;
mod pages;
mod portable;
mod prepare;
mod processors;
#[cfg(target_os = "linux")]
pub(crate) mod signals;

#[cfg(target_os = "linux")]
pub use self::linux::Linux;
pub use self::portable::Portable;
pub use self::prepare::prepare;
use self::processors::PROCESSORS;
#[cfg(target_os = "linux")]
pub use self::signals::Strict;

/// The platform of the public lock types.
#[cfg(target_os = "linux")]
pub type Native = Linux;

/// The platform of the public lock types.
#[cfg(not(target_os = "linux"))]
pub type Native = Portable;

/// How many records have ever been in use at once: threads that come and go share a few.
///
/// For tests.
#[doc(hidden)]
#[must_use]
pub fn records_made() -> u32 {
    #[cfg(target_os = "linux")]
    let native = current::LINUX.made();
    #[cfg(not(target_os = "linux"))]
    let native = 0;
    native + current::PORTABLE.made()
}

/// Whether the system lets the calling thread ask for a longer time slice, as a thread does that is
/// raised to [`NonPreemptible`](crate::context::NonPreemptible).
///
/// Linux does from 7.0 on, if it was built with that, and if the C library registers an rseq area
/// that has room for it. Does not block. A thread's first call makes a system call.
///
/// ```
/// if !siftlock::platform::extends_slices() {
///     println!("such threads are preempted as ever");
/// }
/// ```
#[must_use]
pub fn extends_slices() -> bool {
    #[cfg(target_os = "linux")]
    let offered = linux::slice::is_offered();
    #[cfg(not(target_os = "linux"))]
    let offered = false;
    offered
}

/// From now on no lock comes to need `membarrier`. Readers by slot note their lock by an atomic
/// swap instead of a plain store.
///
/// It is for a process that goes into a sandbox which kills for `membarrier`. Call it before the
/// first lock is read: a lock that is read by plain stores already needs `membarrier` once more, at
/// its next write. Does not block.
///
/// ```
/// siftlock::platform::avoid_membarrier();
/// ```
pub fn avoid_membarrier() {
    #[cfg(target_os = "linux")]
    linux::avoid_membarrier();
}

/// How many threads of this process can run at once.
fn processors() -> u32 {
    PROCESSORS.count()
}
