//! Linux: private futexes, the monotonic clock, and what the kernel tells a thread of its
//! processor.

mod bias;
mod futex;
mod processor_time;
mod rseq;
pub(super) mod slice;

use super::current::LINUX;
use super::signals::errno::kept;
use super::{processors, signals};
pub(super) use processor_time::thread_number;
use siftlock_core::platform::{Bias, Class, Instant, Platform, Raised};
use siftlock_core::record::{Record, RecordId};
use siftlock_core::sync::AtomicU32;
use std::fmt;

/// The platform of Linux.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linux;

// SAFETY: the table never frees a record and gives each live thread one of its own. A futex
// sleeps only while the word holds the value, and a wake that comes later finds the sleeper.
unsafe impl Platform for Linux {
    #[inline]
    fn prepare() {
        LINUX.prepare();
    }

    #[inline]
    fn current() -> &'static Record {
        LINUX.current()
    }

    #[inline]
    fn current_or_nobody() -> &'static Record {
        LINUX.current_or_nobody()
    }

    #[inline]
    fn current_number() -> u32 {
        LINUX.current_number()
    }

    #[inline]
    fn record(id: RecordId) -> &'static Record {
        LINUX.entry(id)
    }

    fn records() -> u32 {
        LINUX.complete()
    }

    fn wait(_record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        futex::wait(word, seen, until);
    }

    fn wake(_record: &Record, word: &AtomicU32) {
        futex::wake(word, 1);
    }

    fn wake_all(word: &AtomicU32) {
        futex::wake(word, libc::c_int::MAX);
    }

    fn bias() -> Option<&'static Bias> {
        Some(bias::bias())
    }

    #[inline]
    fn is_time_to_ask(weight: u32) -> bool {
        LINUX.is_time_to_ask(weight)
    }

    fn ask_again_after(reads: u32) {
        LINUX.ask_again_after(reads);
    }

    fn heavy_fence() {
        bias::heavy_fence();
    }

    /// A real-time thread never yields to lower priorities, and the thread that it waits for may
    /// have one. So it sleeps a little.
    fn yield_now() {
        if is_real_time() {
            Self::nap();
        } else {
            kept(std::thread::yield_now);
        }
    }

    const GIVES_WAY: bool = true;

    /// A real-time thread does not give way. It would yield only to its equals, and under
    /// `SCHED_DEADLINE` until its next period.
    fn give_way() {
        if !is_real_time() {
            kept(std::thread::yield_now);
        }
    }

    fn now() -> Instant {
        let now = clock(libc::CLOCK_MONOTONIC);
        Instant::from_nanos(now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64)
    }

    fn may_spin() -> bool {
        processors() > 1
    }

    fn processors() -> u32 {
        processors()
    }

    fn processor_time(owner: &Record) -> Option<u64> {
        processor_time::of(owner.thread())
    }

    /// A real-time thread does not wait for thieves.
    fn handoff_after(usual: u64) -> u64 {
        if is_real_time() { 0 } else { usual }
    }

    /// Sleeps, so that threads of lower priority run, too.
    ///
    /// It sleeps on a word that is never woken, since `clock_nanosleep` is a cancellation point.
    fn nap() {
        futex::wait(&AtomicU32::new(0), 0, Some(Self::now().after(NAP)));
    }

    #[inline]
    fn raise(to: Class, held: Raised) -> Raised {
        signals::raise(to, held)
    }

    #[inline]
    fn restore(held: Raised) {
        signals::restore(held);
    }

    #[inline]
    #[track_caller]
    fn level() -> Class {
        signals::level_of_waiter()
    }

    #[cold]
    #[track_caller]
    fn misused(why: fmt::Arguments<'_>) -> ! {
        signals::misused(why)
    }
}

/// Nanoseconds: long enough for another thread to get through a few instructions, short for the
/// thread that waits for it.
const NAP: u64 = 50_000;

/// The time of a clock that every Linux has. Not by a literal: on some systems a `timespec` has
/// padding.
fn clock(clock: libc::clockid_t) -> libc::timespec {
    // SAFETY: plain numbers, and a place for the time.
    unsafe {
        let mut now = std::mem::zeroed();
        libc::clock_gettime(clock, &mut now);
        now
    }
}

/// See [`prepare`](super::prepare).
pub(super) fn prepare() {
    rseq::prepare();
    bias::prepare();
    processor_time::prepare();
}

/// See [`avoid_membarrier`](super::avoid_membarrier).
pub(super) fn avoid_membarrier() {
    bias::bias().end_heavy_fence();
}

/// Whether the calling thread's scheduling class is a real-time one. A system call.
fn is_real_time() -> bool {
    if cfg!(miri) {
        // Miri has no such classes.
        return false;
    }
    // Not the C library's call, which musl refuses to make.
    // SAFETY: asks about the calling thread and touches no memory.
    let scheduler =
        kept(|| unsafe { libc::syscall(libc::SYS_sched_getscheduler, 0) }) as libc::c_int;
    let class = scheduler & !libc::SCHED_RESET_ON_FORK;
    matches!(class, libc::SCHED_FIFO | libc::SCHED_RR | libc::SCHED_DEADLINE)
}
