//! Signal handlers as contexts: each test in a process of its own, since handlers are the process's.

#![cfg(target_os = "linux")]

mod lock;
mod order;
mod support;
