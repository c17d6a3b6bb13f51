//! What the locks ask of the system: sleep, wake, clocks, processors, and a record for each thread.
//!
//! [`Native`] is the platform of the public lock types: `Linux` with its futexes where there are
//! any, [`Portable`], made of `std` alone, elsewhere. Both exist on Linux, so that the tests run the
//! locks on both.

mod current;
mod exit;
#[cfg(target_os = "linux")]
mod linux;
mod portable;
mod registry;

#[cfg(target_os = "linux")]
pub use self::linux::Linux;
pub use self::portable::Portable;

/// The platform of the public lock types.
#[cfg(target_os = "linux")]
pub type Native = Linux;

/// The platform of the public lock types.
#[cfg(not(target_os = "linux"))]
pub type Native = Portable;

/// Whether two threads of this process can run at once: more than one processor in the affinity
/// mask and in the cgroup's quota. Asked once.
fn has_two_processors() -> bool {
    use std::sync::OnceLock;
    static MANY: OnceLock<bool> = OnceLock::new();
    *MANY.get_or_init(|| std::thread::available_parallelism().is_ok_and(|n| n.get() > 1))
}
