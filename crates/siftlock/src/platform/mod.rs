//! What the locks ask of the system: sleep, wake, clocks, processors, and a record for each thread.
//!
//! [`Native`] is the platform of the public lock types: `Linux` with its futexes where there are
//! any, [`Portable`], made of `std` alone, elsewhere. Both exist on Linux, so that the tests run the
//! locks on both. On Linux raising a thread above its signal handlers is lazy, see
//! [`context`](crate::context), and [`Strict`] is [`Linux`] with masking by the system.

mod current;
mod exit;
#[cfg(target_os = "linux")]
mod linux;
mod portable;
mod registry;
#[cfg(target_os = "linux")]
pub(crate) mod signals;

#[cfg(target_os = "linux")]
pub use self::linux::Linux;
pub use self::portable::Portable;
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

/// How many threads of this process can run at once: by the affinity mask and the cgroup's quota.
/// Asked once, or a few times where threads ask together: no `OnceLock`, on which a child forked
/// meanwhile would wait for ever.
fn processors() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    const UNKNOWN: u32 = 0;
    static ANSWER: AtomicU32 = AtomicU32::new(UNKNOWN);

    // Relaxed, both: the answer publishes nothing else.
    let mut answer = ANSWER.load(Ordering::Relaxed);
    if answer == UNKNOWN {
        let many = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        answer = u32::try_from(many).unwrap_or(u32::MAX);
        ANSWER.store(answer, Ordering::Relaxed);
    }
    answer
}
