//! Signal handlers as contexts: each test in a process of its own, since handlers are the
//! process's.

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
mod several;
mod small_stack;
mod support;
mod taken;
mod threads;
mod timers;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod where_it_came;
#[cfg(target_pointer_width = "64")]
mod whole;
