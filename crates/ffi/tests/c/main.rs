//! The interface as programs in C and C++ find it. They are compiled by the system's compilers:
//! `CC` and `CXX`, or `cc` and `c++`.

#![cfg(target_os = "linux")]

mod cmake;
mod compiler;
mod exports;
mod header;
mod installed;
mod library;
mod pages;
mod prefix;
mod programs;
mod shared;
mod strict;
