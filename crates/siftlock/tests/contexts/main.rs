//! Signal handlers as contexts: each test in a process of its own, since handlers are the process's.

#![cfg(target_os = "linux")]

mod faults;
mod leaving;
mod limits;
mod lock;
mod masks;
mod nesting;
mod order;
mod processes;
mod registration;
mod support;
mod taken;
mod threads;
mod timers;
mod whole;
