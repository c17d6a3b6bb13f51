//! Probes where a call begins and ends to wait, for perf, bpftrace, SystemTap and gdb (USDT).
//!
//! A probe is a `nop`, and a note in the file that says where it is. A tool that watches it puts a
//! breakpoint there. The fast paths have none. `docs/trace.md` lists the probes and has commands.

use crate::lock::Lock;
use libc::c_int;
use probe::probe;

/// Does `wait` between the two probes of readers: `rdlock_wait_begin`, with the lock's address, and
/// `rdlock_wait_end`, with the address and the call's answer.
#[inline(always)]
pub(crate) fn while_reader_waits(lock: &Lock, wait: impl FnOnce() -> c_int) -> c_int {
    let address = &raw const *lock;
    probe!(siftlock, rdlock_wait_begin, address);
    let answer = wait();
    probe!(siftlock, rdlock_wait_end, address, answer);
    answer
}

/// The same of writers: `wrlock_wait_begin` and `wrlock_wait_end`.
#[inline(always)]
pub(crate) fn while_writer_waits(lock: &Lock, wait: impl FnOnce() -> c_int) -> c_int {
    let address = &raw const *lock;
    probe!(siftlock, wrlock_wait_begin, address);
    let answer = wait();
    probe!(siftlock, wrlock_wait_end, address, answer);
    answer
}
