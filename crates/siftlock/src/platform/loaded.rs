//! A shared library with this crate in it stays loaded when it is closed.
//!
//! The system calls functions of this crate when a thread that has used a lock ends, when a
//! registered signal arrives, and when the process forks. None of these calls may lead into memory
//! that is gone. There is no moment at which all of them are over: the thread that closes the
//! library knows nothing of the other threads' locks.
//!
//! So a constructor (see `prepare`) keeps the library while it is being loaded. Its thread has the
//! loader's lock then, and no lock call ever has to take that. A C++ library is kept by a symbol
//! that is unique in the process. The linker's option `-z nodelete` does the same, but a crate
//! cannot ask for it.
//!
//! Only glibc needs it: musl unloads nothing.

use libc::{c_char, c_int, c_void};

/// The public part of glibc's record of a library.
#[repr(C)]
struct LinkMap {
    addr: usize,
    name: *const c_char,
}

/// Keeps the library that this crate is part of. A constructor calls it.
pub(super) extern "C" fn stay_loaded() {
    const RTLD_DL_LINKMAP: c_int = 2;
    let here = stay_loaded as *const c_void;
    let mut map: *mut c_void = std::ptr::null_mut();
    // SAFETY: plain numbers and pointers. The two places fit the answers. A map that was found is
    // valid while its library is loaded, and so is its name.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr1(here, &mut info, &mut map, RTLD_DL_LINKMAP) == 0 || map.is_null() {
            return;
        }
        let name = (*map.cast::<LinkMap>()).name;
        // The program itself has no name, and stays anyway. No file is opened: the name is found
        // among those that are loaded.
        if *name != 0 {
            libc::dlopen(name, libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE);
        }
    }
}
