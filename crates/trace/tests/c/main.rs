//! The library as programs in C meet it. The programs are compiled by the system's compiler: `CC`,
//! or `cc`.

#![cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]

mod children;
#[path = "../../../preload/tests/c/compiler.rs"]
mod compiler;
mod counts;
mod forms;
mod library;
mod processes;
mod tables;
mod traced;
mod writing;
