//! Signals that arrive while the thread is raised are handled when it is lowered: all, in order,
//! whole.

use crate::support::{VALUES, alone, note_value, queue, real_time, register, send};
use siftlock::context::{Interrupt, Irq, Masked, SoftIrq};
use std::sync::atomic::{AtomicI32, Ordering};

/// How often a handler has sent its own signal.
static RAISED: AtomicI32 = AtomicI32::new(0);

alone! {
    fn context_signals_of_a_raised_thread_come_at_its_end() {
        register(libc::SIGUSR1, note_value).unwrap();
        queue(libc::SIGUSR1, 1).unwrap();
        assert_eq!(VALUES.take(), [1]);
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 2).unwrap();
        // Merges into the one before, as in the system.
        queue(libc::SIGUSR1, 3).unwrap();
        assert_eq!(VALUES.take(), []);
        drop(masked);
        assert_eq!(VALUES.take(), [2]);
    }

    fn context_real_time_signals_keep_their_order_and_values() {
        register(real_time(0), note_value).unwrap();
        for count in [1, 2, 15, 16, 17, 40] {
            let masked = Masked::<Irq>::new();
            for value in 0..count {
                queue(real_time(0), value).unwrap();
            }
            assert_eq!(VALUES.take(), []);
            drop(masked);
            assert_eq!(VALUES.take(), (0..count).collect::<Vec<_>>());
            assert!(!crate::support::is_blocked(real_time(0)));
        }
    }

    fn context_raises_of_several_owners_end_in_any_order() {
        register(libc::SIGUSR1, note_value).unwrap();
        register(libc::SIGUSR2, |interrupt: &Interrupt<'_, SoftIrq>| {
            VALUES.push(-crate::support::value_of(interrupt.info()));
        })
        .unwrap();
        let low = Masked::<SoftIrq>::new();
        let high = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 1).unwrap();
        queue(libc::SIGUSR2, 2).unwrap();
        drop(low);
        assert_eq!(VALUES.take(), []);
        let low = Masked::<SoftIrq>::new();
        drop(high);
        assert_eq!(VALUES.take(), [1]);
        drop(low);
        assert_eq!(VALUES.take(), [-2]);
    }

    fn context_signal_that_its_own_handler_raises_comes_again_after_a_higher_one() {
        register(libc::SIGUSR1, |_: &Interrupt<'_, SoftIrq>| {
            VALUES.push(1);
            if RAISED.swap(1, Ordering::Relaxed) == 0 {
                send(libc::SIGUSR1);
            }
        })
        .unwrap();
        register(libc::SIGUSR2, |_: &Interrupt<'_, Irq>| VALUES.push(2)).unwrap();
        let masked = Masked::<Irq>::new();
        send(libc::SIGUSR1);
        send(libc::SIGUSR2);
        drop(masked);
        assert_eq!(VALUES.take(), [2, 1, 1]);
    }
}
