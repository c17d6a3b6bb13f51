//! Work that is done once for the process, before its locks need it: all that may block, take a
//! foreign lock, allocate, or open a file. A lock call does none of that while it holds anything,
//! since a foreign lock's holder may wait for this very lock.
//!
//! A constructor does this work when the program starts or the library is loaded. The process has
//! one thread then as a rule, and is in no sandbox yet. A lock call that comes before, say from
//! another constructor, works all the same. No lock is read by plain stores yet, and its knowledge
//! of processors is less exact.

use super::processors::PROCESSORS;
use super::{Native, Portable};
use siftlock_core::platform::Platform as _;

/// Prepares the process for locks, and the calling thread. One call is enough, and more do no harm.
///
/// On Linux a constructor calls it before `main`, or when a library with this crate in it is
/// loaded. Call it by hand where the linker has dropped the constructor, as some do with a static
/// library. Until then readers by slot make an atomic swap instead of a plain store. In that case,
/// also call it before the process goes into a sandbox.
///
/// May block: for some milliseconds where the process has threads already. Allocates, and opens
/// files.
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
