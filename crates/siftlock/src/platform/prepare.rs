//! What is done once for the process, before its locks need it: all that may block, take a lock of
//! somebody else's, allocate, or open a file. A lock call does none of that while it holds anything: what is
//! behind it may wait for this very lock.
//!
//! A constructor does it, when the program starts or the library is loaded: the process has one thread
//! then as a rule, and is in no sandbox yet. A lock call that comes before, from another constructor
//! say, works all the same: its readers are counted, and what it is told of processors is less exact.

use super::processors::PROCESSORS;
use super::{Native, Portable};
use siftlock_core::platform::Platform as _;

/// Prepares the process for locks, and the calling thread. Once is enough, and more do no harm.
///
/// On Linux a constructor calls it before `main`, or when a library with this crate in it is loaded. Call it
/// where the constructor was lost, as some linkers do with a static library: until then all readers
/// are counted ([`policy::Counted`](crate::policy::Counted)). Also before the process goes into a sandbox.
///
/// May block: for some milliseconds where the process has threads already. Allocates, opens files.
///
/// ```
/// siftlock::platform::prepare();
/// ```
pub fn prepare() {
    PROCESSORS.prepare();
    #[cfg(target_os = "linux")]
    super::linux::prepare();
    Portable::now();
    Native::current();
}

/// Not under Miri, which has no `membarrier`.
#[cfg(all(target_os = "linux", not(miri)))]
#[used]
#[unsafe(link_section = ".init_array")]
static WHEN_LOADED: extern "C" fn() = {
    extern "C" fn when_loaded() {
        #[cfg(all(target_env = "gnu", not(target_feature = "crt-static")))]
        super::loaded::stay_loaded();
        prepare();
    }
    when_loaded
};
