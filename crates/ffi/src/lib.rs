//! The C and C++ interface of siftlock: the library `libsiftlock`, for Linux.
//!
//! Programs include `siftlock.h` or, in C++, `siftlock.hpp`. The script `install` installs the
//! headers, the libraries, and files for pkg-config and CMake. `docs/c.md` is the page to begin
//! with.
//!
//! `include/siftlock.h` is generated from these sources, so their documentation is written for C.
//! A test fails if the header differs from them.
//!
//! No function here changes `errno`: each answers 0 or a value of `errno.h`. No panic leaves a
//! function: it ends the process.

#![cfg(target_os = "linux")]
#![expect(
    clippy::missing_safety_doc,
    reason = "for C every function is unsafe: the header says what holds"
)]

mod answer;
mod deadline;
mod errno;
mod layout;
pub mod prepare;
pub mod rwsem;

// Apart from the modules above, which rustfmt sorts: the header keeps the order of the modules.
pub mod psrw;
