//! No handler begins in a handler of its class or above. The system must not call it there, nor
//! must the end of a raise in that handler.

use crate::support::{VALUES, alone, handler, queue, real_time, register, value_of};
use siftlock::context::{Interrupt, Irq, Masked};
use std::sync::atomic::{AtomicBool, Ordering};

static INSIDE: AtomicBool = AtomicBool::new(false);

/// Raises and lowers, like a lock that the handler reads.
fn handle(interrupt: &Interrupt<'_, Irq>) {
    assert!(!INSIDE.swap(true, Ordering::SeqCst), "begins in another one");
    drop(Masked::<Irq>::new());
    VALUES.push(value_of(interrupt.info()));
    drop(Masked::<Irq>::new());
    INSIDE.store(false, Ordering::SeqCst);
}

/// Two signals were put off: the first handler lowers with the second signal noted.
fn two_are_put_off(second: i32, is_full: bool) {
    for n in 1..=3 {
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, n).unwrap();
        queue(second, 10 * n).unwrap();
        queue(second, 10 * n + 1).unwrap();
        limit_queue(is_full);
        drop(masked);
        limit_queue(false);
        assert_eq!(VALUES.take(), [n, 10 * n, 10 * n + 1]);
    }
}

/// Limits the system's queue, so that it has room for real-time signals or none.
fn limit_queue(is_full: bool) {
    // SAFETY: a place for the limits.
    unsafe {
        let mut limit = std::mem::zeroed();
        assert_eq!(libc::getrlimit(libc::RLIMIT_SIGPENDING, &mut limit), 0);
        limit.rlim_cur = if is_full { 0 } else { limit.rlim_max };
        assert_eq!(libc::setrlimit(libc::RLIMIT_SIGPENDING, &limit), 0);
    }
}

alone! {
    fn context_direct_handler_does_not_begin_in_a_handler_of_its_class() {
        register(libc::SIGUSR1, handle).unwrap();
        handler(handle).direct().register(real_time(0)).unwrap();
        two_are_put_off(real_time(0), false);
    }

    fn context_handler_without_room_for_a_kick_does_not_begin_in_another_one() {
        register(libc::SIGUSR1, handle).unwrap();
        register(real_time(0), handle).unwrap();
        two_are_put_off(real_time(0), true);
    }
}
