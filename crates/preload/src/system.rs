//! Bare system calls: they leave `errno` alone, are no cancellation points, and take no stack.

use core::arch::asm;
use core::sync::atomic::{AtomicBool, Ordering};
use libc::{c_int, c_long, timespec};
use siftlock_core::platform::Instant;

/// Makes a system call, and returns the kernel's answer. An error is a number from -4095 to -1.
///
/// # Safety
/// The arguments are what this system call requires.
#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn call(number: c_long, args: [usize; 6]) -> isize {
    let answer: isize;
    let [a, b, c, d, e, f] = args;
    // SAFETY: the kernel changes rax, rcx, r11 and the memory that the caller says.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => answer,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    answer
}

/// Makes a system call, and returns the kernel's answer. An error is a number from -4095 to -1.
///
/// # Safety
/// The arguments are what this system call requires.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe fn call(number: c_long, args: [usize; 6]) -> isize {
    let answer: isize;
    let [a, b, c, d, e, f] = args;
    // SAFETY: the kernel changes x0 and the memory that the caller says.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") a => answer,
            in("x1") b, in("x2") c, in("x3") d, in("x4") e, in("x5") f,
            options(nostack),
        );
    }
    answer
}

/// The time of a clock that every Linux has. The C library reads it from the kernel's page, and
/// sets no `errno`.
pub(crate) fn clock(clock: c_int) -> timespec {
    let mut now = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a place for the time.
    unsafe { libc::clock_gettime(clock, &mut now) };
    now
}

/// The lock's own clock.
pub(crate) fn now() -> Instant {
    let now = clock(libc::CLOCK_MONOTONIC);
    Instant::from_nanos(now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64)
}

/// The calling thread's number in the system.
pub(crate) fn thread_number() -> u32 {
    // SAFETY: touches no memory.
    let number = unsafe { call(libc::SYS_gettid, [0; 6]) };
    u32::try_from(number).unwrap_or(0)
}

/// Nanoseconds of processor time that the thread with this number has used. `None`: not known, as
/// for a thread of the parent process after a fork.
pub(crate) fn processor_time(number: u32) -> Option<u64> {
    // By the kernel's interface the id of a thread's clock is the complement of the thread's
    // number, and three bits: one thread's time (4), as the scheduler has counted it (2). Relaxed,
    // here and below: a hint.
    let is_known = number != 0 && !IS_COARSE.load(Ordering::Relaxed);
    let clock = !c_int::try_from(number).ok().filter(|_| is_known)? << 3 | 6;
    let mut used = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a place for the time.
    let answer = unsafe {
        call(libc::SYS_clock_gettime, [clock as usize, (&raw mut used).addr(), 0, 0, 0, 0])
    };
    (answer == 0).then_some(used.tv_sec as u64 * 1_000_000_000 + used.tv_nsec as u64)
}

/// Whether the clocks of threads stand still while they run, since they advance by ticks only, as
/// on some emulated kernels.
static IS_COARSE: AtomicBool = AtomicBool::new(false);

/// Finds out, in two microseconds, whether the calling thread's clock advances while it runs.
pub(crate) fn look_at_clocks() {
    let (me, end) = (thread_number(), now().after(2_000));
    let before = processor_time(me);
    while now() < end {}
    IS_COARSE.store(before.is_some() && processor_time(me) == before, Ordering::Relaxed);
}

/// Lets another thread run.
pub(crate) fn yield_now() {
    // SAFETY: touches no memory.
    unsafe { call(libc::SYS_sched_yield, [0; 6]) };
}

/// Whether the calling thread's scheduling class is a real-time one.
pub(crate) fn is_real_time() -> bool {
    // SAFETY: asks about the calling thread and touches no memory.
    let scheduler = unsafe { call(libc::SYS_sched_getscheduler, [0; 6]) } as c_int;
    let class = scheduler & !libc::SCHED_RESET_ON_FORK;
    matches!(class, libc::SCHED_FIFO | libc::SCHED_RR | libc::SCHED_DEADLINE)
}

/// The bytes of the kernel's set of signals.
const SIGNALS: usize = size_of::<u64>();

/// Blocks all signals. Returns those that were blocked before.
pub(crate) fn block_signals() -> u64 {
    let (all, mut before) = (u64::MAX, 0_u64);
    set_mask(libc::SIG_BLOCK, &all, &mut before);
    before
}

/// Blocks these signals and no other.
pub(crate) fn put_signals_back(before: u64) {
    set_mask(libc::SIG_SETMASK, &before, core::ptr::null_mut());
}

fn set_mask(how: c_int, set: *const u64, before: *mut u64) {
    let args = [how as usize, set.addr(), before.addr(), SIGNALS, 0, 0];
    set.expose_provenance();
    before.expose_provenance();
    // SAFETY: two places of that size, or none.
    unsafe { call(libc::SYS_rt_sigprocmask, args) };
}
