//! USDT probes where a call begins and ends its wait, for perf, bpftrace, SystemTap and gdb.
//!
//! A probe is a `nop`, and a note in the file that says where the `nop` is. A tool that watches the
//! probe puts a breakpoint there. The fast paths have no probes. `docs/trace.md` lists the probes
//! and has commands.

use crate::lock::Lock;
use libc::c_int;
use probe::probe;

/// Calls `wait` between the probes of readers: `rdlock_wait_begin`, with the lock's address, and
/// `rdlock_wait_end`, with the address and the call's answer.
#[inline(always)]
pub(crate) fn while_reader_waits(lock: &Lock, wait: impl FnOnce() -> c_int) -> c_int {
    let address = &raw const *lock;
    probe!(siftlock, rdlock_wait_begin, address);
    let answer = wait();
    probe!(siftlock, rdlock_wait_end, address, answer);
    answer
}

/// Calls `wait` between the probes of writers: `wrlock_wait_begin`, with the lock's address, and
/// `wrlock_wait_end`, with the address and the call's answer.
#[inline(always)]
pub(crate) fn while_writer_waits(lock: &Lock, wait: impl FnOnce() -> c_int) -> c_int {
    let address = &raw const *lock;
    probe!(siftlock, wrlock_wait_begin, address);
    let answer = wait();
    probe!(siftlock, wrlock_wait_end, address, answer);
    answer
}
