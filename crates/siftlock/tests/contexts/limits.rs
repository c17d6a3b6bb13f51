//! The system's queue of signals is full: `RLIMIT_SIGPENDING` is 0.

use crate::support::{
    VALUES, alone, change_mask, is_blocked, pretend, queue, real_time, register, send, value_of,
};
use siftlock::context::{Interrupt, Irq, Masked, SoftIrq};
use siftlock::platform::Strict;
use siftlock_core::platform::{Class, Platform, Raised};
use std::sync::atomic::{AtomicUsize, Ordering};

static CALLED_AS_FUNCTION: AtomicUsize = AtomicUsize::new(0);

fn note(interrupt: &Interrupt<'_, Irq>) {
    assert!(is_blocked(libc::SIGUSR1) && is_blocked(real_time(0)), "as in a handler");
    if interrupt.ucontext().is_null() {
        CALLED_AS_FUNCTION.fetch_add(1, Ordering::SeqCst);
    }
    VALUES.push(value_of(interrupt.info()));
}

fn allow_no_more_signals() {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: a valid limit.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_SIGPENDING, &none) }, 0);
    assert!(queue(real_time(1), 0).is_err(), "the limit is in force");
}

fn registered() {
    register(libc::SIGUSR1, note).unwrap();
    register(real_time(0), note).unwrap();
}

alone! {
    fn context_standard_signal_needs_no_room_in_the_systems_queue() {
        registered();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 1).unwrap();
        allow_no_more_signals();
        drop(masked);
        assert_eq!(VALUES.take(), [1]);
        assert_eq!(CALLED_AS_FUNCTION.load(Ordering::SeqCst), 0);
    }

    fn context_real_time_signals_are_handled_in_order_without_the_systems_queue() {
        registered();
        let masked = Masked::<Irq>::new();
        (1..4).for_each(|value| queue(real_time(0), value).unwrap());
        allow_no_more_signals();
        drop(masked);
        assert_eq!(VALUES.take(), [1, 2, 3]);
        assert_eq!(CALLED_AS_FUNCTION.load(Ordering::SeqCst), 3);
        assert!(!is_blocked(libc::SIGUSR1) && !is_blocked(real_time(0)));
    }

    fn context_killed_real_time_signals_that_are_put_back_are_handled_without_the_systems_queue() {
        registered();
        for blocks in [false, true] {
            let masked = Masked::<Irq>::new();
            (1..4).for_each(|_| pretend(real_time(0), libc::SI_USER, [0; 4]));
            let raised = (!blocks).then(|| Strict::raise(Class::Irq, Raised::NOTHING));
            if blocks {
                change_mask(libc::SIG_BLOCK, &[real_time(0)]);
            }
            allow_no_more_signals();
            drop(masked);
            assert_eq!(VALUES.take(), []);
            match raised {
                Some(raised) => Strict::restore(raised),
                None => {
                    change_mask(libc::SIG_UNBLOCK, &[real_time(0)]);
                    drop(Masked::<Irq>::new());
                }
            }
            assert_eq!(VALUES.take().len(), 3);
        }
    }

    fn context_full_notes_are_handled_in_order_without_the_systems_queue() {
        registered();
        let masked = Masked::<Irq>::new();
        (0..20).for_each(|value| queue(real_time(0), value).unwrap());
        allow_no_more_signals();
        drop(masked);
        assert_eq!(VALUES.take(), (0..20).collect::<Vec<_>>());
        assert!(!is_blocked(real_time(0)));
    }

    /// The notes are handled where the last raise ends, whichever way it masks.
    fn context_notes_are_handled_after_strict_masking_without_the_systems_queue() {
        registered();
        let masked = Masked::<Irq>::new();
        (0..20).for_each(|value| queue(real_time(0), value).unwrap());
        let raised = Strict::raise(Class::Irq, Raised::NOTHING);
        allow_no_more_signals();
        drop(masked);
        assert_eq!(VALUES.take(), []);
        Strict::restore(raised);
        assert_eq!(VALUES.take(), (0..20).collect::<Vec<_>>());
        assert!(!is_blocked(libc::SIGUSR1) && !is_blocked(real_time(0)));
    }

    /// One kick got through, but its successors do not.
    fn context_chain_of_kicks_goes_on_without_the_systems_queue() {
        registered();
        let masked = Masked::<Irq>::new();
        (1..4).for_each(|value| queue(real_time(0), value).unwrap());
        change_mask(libc::SIG_BLOCK, &[real_time(0)]);
        drop(masked);
        assert_eq!(VALUES.take(), []);
        allow_no_more_signals();
        change_mask(libc::SIG_UNBLOCK, &[real_time(0)]);
        assert_eq!(VALUES.take(), [1, 2, 3]);
        assert!(!is_blocked(real_time(0)));
    }

    /// A handler of a higher class comes in between, and lowers the thread.
    fn context_handlers_called_as_functions_are_not_called_inside_themselves() {
        fn low(interrupt: &Interrupt<'_, SoftIrq>) {
            VALUES.push(value_of(interrupt.info()));
            send(libc::SIGUSR2);
            VALUES.push(-value_of(interrupt.info()));
        }
        register(real_time(0), low).unwrap();
        register(libc::SIGUSR2, |_: &Interrupt<'_, Irq>| {
            drop(Masked::<Irq>::new());
            VALUES.push(0);
        })
        .unwrap();
        let masked = Masked::<SoftIrq>::new();
        (1..4).for_each(|value| queue(real_time(0), value).unwrap());
        allow_no_more_signals();
        drop(masked);
        assert_eq!(VALUES.take(), [1, 0, -1, 2, 0, -2, 3, 0, -3]);
    }
}
