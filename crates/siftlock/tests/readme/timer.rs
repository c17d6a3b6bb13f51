//! Signals by the clock.

use std::time::Duration;
use std::{mem, ptr};

/// Has the system send `signal` to the calling thread, each `period`, for as long as it lives.
pub(crate) fn interrupt_this_thread(signal: i32, period: Duration) {
    // SAFETY: zero is a valid value of these plain structures, and all pointers are to them.
    unsafe {
        let mut event: libc::sigevent = mem::zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = signal;
        event.sigev_notify_thread_id = libc::gettid();
        let mut timer = mem::zeroed();
        let mut times: libc::itimerspec = mem::zeroed();
        times.it_interval.tv_nsec = period.subsec_nanos() as _;
        times.it_value = times.it_interval;
        assert_eq!(libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer), 0);
        assert_eq!(libc::timer_settime(timer, 0, &times, ptr::null_mut()), 0);
    }
}

/// Has the system end the process by SIGALRM after so long, since any of its threads might hang. 0:
/// never.
pub(crate) fn end_process_unless_ended_within(seconds: u32) {
    // SAFETY: touches no memory.
    unsafe { libc::alarm(seconds) };
}
