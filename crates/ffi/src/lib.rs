//! The C and C++ interface of siftlock: the library `libsiftlock`, for Linux.
//!
//! Programs include `siftlock.h` or, in C++, `siftlock.hpp`. The script `install` installs both,
//! the libraries and a file for pkg-config. `docs/c.md` is the page to begin with.
//!
//! `include/siftlock.h` is generated from these sources. So their documentation is written for C,
//! and a test fails where the two differ.
//!
//! No function here changes `errno`: each answers 0 or a value of `errno.h`. None lets a panic out,
//! which would end the process instead.

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

// After `rwsem` in the header, too.
pub mod psrw;
