//! Tests of the interface by programs in C and C++. The system's compilers compile them: `CC` and
//! `CXX`, or `cc` and `c++`.

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
