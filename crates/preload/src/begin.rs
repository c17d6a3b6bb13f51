//! The constructor. It runs before `main` and before other libraries' constructors, and does all
//! work that may block, allocate, take a lock of glibc's, or be forbidden by a later sandbox.
//!
//! A lock call before the constructor works as well: until then no lock is read by slot.

use crate::{end_of_thread, fence, glibc, memory, processors, system};
use core::ffi::{CStr, c_char, c_int};

/// With this variable in its environment, the process never calls `membarrier`. Some sandboxes
/// kill a program for that call from its first instruction on.
const AVOID_MEMBARRIER: &CStr = c"SIFTLOCK_AVOID_MEMBARRIER";

#[used]
#[unsafe(link_section = ".init_array")]
static WHEN_LOADED: unsafe extern "C" fn(c_int, *const *const c_char, *const *const c_char) =
    when_loaded;

/// glibc gives constructors the arguments of `main`. Its own copy of the environment may not exist
/// yet.
unsafe extern "C" fn when_loaded(
    _: c_int,
    _: *const *const c_char,
    environment: *const *const c_char,
) {
    end_of_thread::prepare();
    glibc::prepare();
    processors::ask();
    system::look_at_clocks();
    memory::prepare();
    // SAFETY: glibc passes the environment, an array that ends with null.
    if !unsafe { is_set(environment, AVOID_MEMBARRIER) } {
        fence::prepare();
    }
}

/// Whether the environment has a variable of this name.
///
/// # Safety
/// `environment` is null or an array of C strings that ends with null.
unsafe fn is_set(environment: *const *const c_char, name: &CStr) -> bool {
    let mut at = environment;
    // SAFETY: the caller's promise. The walk ends with the array.
    unsafe {
        while !at.is_null() && !(*at).is_null() {
            let entry = CStr::from_ptr(*at).to_bytes();
            if entry.strip_prefix(name.to_bytes()).is_some_and(|rest| rest.first() == Some(&b'=')) {
                return true;
            }
            at = at.add(1);
        }
    }
    false
}
