//! Timers whose signals merge while a thread is raised: no expiry is lost.

use crate::support::{alone, pretend, real_time, register, thread_id};
use siftlock::context::{Interrupt, Irq, Masked};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{hint, mem, ptr};

static EXPIRED: AtomicI64 = AtomicI64::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// The number of times that the timer has run out beyond the first, where `SI_TIMER` has it.
fn overrun(info: &libc::siginfo_t) -> i64 {
    assert_eq!(info.si_code, libc::SI_TIMER);
    // Three numbers, aligned as an address, and the timer's.
    const PLACE: usize = 12_usize.next_multiple_of(align_of::<*const ()>()) + 4;
    // SAFETY: inside a `siginfo_t`.
    i64::from(unsafe { ptr::from_ref(info).byte_add(PLACE).cast::<i32>().read_unaligned() })
}

fn count(interrupt: &Interrupt<'_, Irq>) {
    EXPIRED.fetch_add(1 + overrun(interrupt.info()), Ordering::SeqCst);
    CALLS.fetch_add(1, Ordering::SeqCst);
}

/// The number of calls, and of the expiries for which they stood.
fn taken() -> (usize, i64) {
    (CALLS.swap(0, Ordering::SeqCst), EXPIRED.swap(0, Ordering::SeqCst))
}

/// Sends the signal of the timer with this number, which has run out `more` times besides.
fn expire(signal: i32, timer: u32, more: u32) {
    pretend(signal, libc::SI_TIMER, [u64::from(timer) | u64::from(more) << 32, 0, 0, 0]);
}

/// Runs the timer at 1 kHz while a thread is raised again and again. Returns how often it must have
/// run out.
fn run_timer(signal: i32) -> i64 {
    const PERIOD: Duration = Duration::from_millis(1);
    // SAFETY: plain numbers, and places for them.
    unsafe {
        let mut event: libc::sigevent = mem::zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = signal;
        event.sigev_notify_thread_id = thread_id();
        let mut timer = ptr::null_mut();
        assert_eq!(libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer), 0);
        let period = libc::timespec { tv_sec: 0, tv_nsec: PERIOD.as_nanos() as _ };
        let times = libc::itimerspec { it_interval: period, it_value: period };
        let start = Instant::now();
        assert_eq!(libc::timer_settime(timer, 0, &times, ptr::null_mut()), 0);
        for _ in 0..10 {
            let _masked = Masked::<Irq>::new();
            let region = Instant::now();
            while region.elapsed() < 50 * PERIOD {
                hint::spin_loop();
            }
        }
        let least = start.elapsed().as_millis() as i64;
        assert_eq!(libc::timer_delete(timer), 0);
        least
    }
}

alone! {
    fn context_timer_that_ran_out_several_times_while_noted_counts_them_all() {
        register(libc::SIGUSR1, count).unwrap();
        let masked = Masked::<Irq>::new();
        for more in [0, 3, 0, 5] {
            expire(libc::SIGUSR1, 7, more);
        }
        assert_eq!(taken(), (0, 0));
        drop(masked);
        assert_eq!(taken(), (1, 4 + 3 + 5));
        // And the count begins anew.
        expire(libc::SIGUSR1, 7, 2);
        assert_eq!(taken(), (1, 3));
    }

    fn context_timers_count_does_not_go_around() {
        register(libc::SIGUSR1, count).unwrap();
        let masked = Masked::<Irq>::new();
        (0..3).for_each(|_| expire(libc::SIGUSR1, 7, i32::MAX as u32 - 1));
        drop(masked);
        assert_eq!(taken(), (1, 1 + i64::from(i32::MAX)));
    }

    /// The signal of another timer, or one that was sent, merges without counting, as in the
    /// system.
    fn context_timers_count_is_its_own() {
        register(libc::SIGUSR1, |interrupt: &Interrupt<'_, Irq>| {
            CALLS.fetch_add(1, Ordering::SeqCst);
            let timer = interrupt.info().si_code == libc::SI_TIMER;
            EXPIRED.fetch_add(if timer { overrun(interrupt.info()) } else { -1 }, Ordering::SeqCst);
        })
        .unwrap();
        let masked = Masked::<Irq>::new();
        expire(libc::SIGUSR1, 7, 3);
        expire(libc::SIGUSR1, 8, 100);
        crate::support::queue(libc::SIGUSR1, 1000).unwrap();
        drop(masked);
        assert_eq!(taken(), (1, 3));
        let masked = Masked::<Irq>::new();
        crate::support::queue(libc::SIGUSR1, 1000).unwrap();
        expire(libc::SIGUSR1, 7, 3);
        drop(masked);
        assert_eq!(taken(), (1, -1));
    }

    fn context_timer_of_the_system_counts_what_it_ran_out() {
        register(libc::SIGUSR1, count).unwrap();
        register(real_time(0), count).unwrap();
        for signal in [libc::SIGUSR1, real_time(0)] {
            let least = run_timer(signal);
            let (calls, expired) = taken();
            // The last expiries may not have come yet.
            assert!(expired >= least - 2, "{expired} of {least} in {calls} calls of {signal}");
        }
    }
}
