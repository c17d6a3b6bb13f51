//! A timer that interrupts one thread.

use std::io;
use std::mem::MaybeUninit;
use std::time::Duration;

/// Sends a signal to the thread that started it, again and again, until it is dropped.
pub(crate) struct Timer(libc::timer_t);

impl Timer {
    /// Interrupts the calling thread by `signal`, each time `every` has passed. The first time
    /// comes after the share `first` of `every`.
    pub(crate) fn start(signal: libc::c_int, every: Duration, first: f64) -> io::Result<Self> {
        // SAFETY: plain data, for which all-zero is a value.
        let mut event: libc::sigevent = unsafe { MaybeUninit::zeroed().assume_init() };
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = signal;
        // SAFETY: asks for the calling thread's number.
        event.sigev_notify_thread_id = unsafe { libc::gettid() };
        let mut timer = MaybeUninit::uninit();
        // SAFETY: `event` is filled in, `timer` a place for the result.
        let made =
            unsafe { libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, timer.as_mut_ptr()) };
        if made != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: filled in by the call above.
        let timer = Self(unsafe { timer.assume_init() });
        let times = libc::itimerspec {
            it_interval: time(every),
            it_value: time(every.mul_f64(first).max(Duration::from_nanos(1))),
        };
        // SAFETY: a timer of ours, and times to read.
        let set = unsafe { libc::timer_settime(timer.0, 0, &times, std::ptr::null_mut()) };
        if set == 0 { Ok(timer) } else { Err(io::Error::last_os_error()) }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: a timer of ours, not used again.
        unsafe { libc::timer_delete(self.0) };
    }
}

fn time(time: Duration) -> libc::timespec {
    libc::timespec {
        tv_sec: libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: libc::c_long::from(time.subsec_nanos() as i32),
    }
}
