//! Timers of one thread.

use crate::kinds::{self, From, Kind};
use std::{io, mem, ptr};

pub(crate) struct Timers(Vec<(libc::timer_t, i64)>);

impl Timers {
    /// One timer for each of their signals, which it sends to the calling thread. The timers stand
    /// still.
    pub(crate) fn new() -> Self {
        const EVERY: [i64; 4] = [211_000, 307_000, 401_000, 503_000];
        Self(kinds::of(From::Timer).zip(EVERY).map(|(kind, every)| (create(kind), every)).collect())
    }

    pub(crate) fn start(&self) {
        self.0.iter().for_each(|(timer, every)| set(*timer, *every));
    }

    pub(crate) fn stop(&self) {
        self.0.iter().for_each(|(timer, _)| set(*timer, 0));
    }
}

fn create(kind: Kind) -> libc::timer_t {
    // SAFETY: plain numbers, and a place for the timer.
    unsafe {
        let mut event: libc::sigevent = mem::zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = kind.signal();
        event.sigev_value.sival_ptr = kind.place as *mut _;
        event.sigev_notify_thread_id = crate::support::thread_id();
        let mut timer = ptr::null_mut();
        let made = libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer);
        assert_eq!(made, 0, "{}", io::Error::last_os_error());
        timer
    }
}

/// Has the timer run out every so many nanoseconds; 0: never.
fn set(timer: libc::timer_t, every: i64) {
    let every = libc::timespec { tv_sec: 0, tv_nsec: every as _ };
    let times = libc::itimerspec { it_interval: every, it_value: every };
    // SAFETY: our own timer.
    let done = unsafe { libc::timer_settime(timer, 0, &times, ptr::null_mut()) };
    assert_eq!(done, 0, "{}", io::Error::last_os_error());
}
