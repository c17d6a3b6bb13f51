//! The library as programs in C and C++ meet it: each test is one behaviour of a program that runs
//! under it. The programs are compiled by the system's compilers: `CC` and `CXX`, or `cc` and
//! `c++`.

#![cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]

mod compiler;
mod exports;
mod library;
mod programs;
