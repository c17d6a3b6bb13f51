//! Handlers with data of their own, several handlers of one signal, and handlers that come ready
//! made.

use crate::support::{
    VALUES, alone, handler, note_value, pretend, queue, send, without_allocating,
};
use siftlock::context::{Handler, Interrupt, Irq, Masked, RegisterError, SoftIrq};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

alone! {
    fn context_handler_has_data_of_its_own() {
        let sums = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        for (signal, sum) in [libc::SIGUSR1, libc::SIGUSR2].into_iter().zip(&sums) {
            let sum = sum.clone();
            let add = move |interrupt: &Interrupt<'_, Irq>| {
                sum.fetch_add(crate::support::value_of(interrupt.info()) as usize, Ordering::Relaxed);
            };
            // SAFETY: it adds to a number.
            unsafe { Handler::new(add) }.register(signal).unwrap();
        }
        without_allocating(|| {
            queue(libc::SIGUSR1, 1).unwrap();
            let masked = Masked::<Irq>::new();
            queue(libc::SIGUSR1, 2).unwrap();
            queue(libc::SIGUSR2, 40).unwrap();
            drop(masked);
        });
        assert_eq!(sums.map(|sum| sum.load(Ordering::Relaxed)), [3, 40]);
    }

    /// A handler that is refused is not kept.
    fn context_handler_that_is_refused_is_dropped() {
        let data = Arc::new(());
        let of = data.clone();
        let looks = move |_: &Interrupt<'_, Irq>| {
            let _ = &of;
        };
        // SAFETY: it does nothing.
        let handler = unsafe { Handler::new(looks) };
        assert!(handler.register(libc::SIGKILL).is_err());
        assert_eq!(Arc::strong_count(&data), 1);
    }

    fn context_handlers_of_one_signal_are_called_in_turn() {
        for n in 1..4 {
            // SAFETY: it notes a number.
            unsafe { Handler::new(move |_: &Interrupt<'_, Irq>| VALUES.push(n)) }
                .beside_others()
                .register(libc::SIGUSR1)
                .unwrap();
        }
        send(libc::SIGUSR1);
        assert_eq!(VALUES.take(), [1, 2, 3]);
        let masked = Masked::<Irq>::new();
        send(libc::SIGUSR1);
        assert_eq!(VALUES.take(), []);
        drop(masked);
        assert_eq!(VALUES.take(), [1, 2, 3]);
    }

    fn context_handlers_of_one_signal_are_alike() {
        handler(note_value).register(libc::SIGUSR1).unwrap();
        let plain = handler(note_value).register(libc::SIGUSR1).unwrap_err();
        assert!(matches!(plain, RegisterError::Registered(libc::SIGUSR1)));
        let beside = handler(note_value).beside_others();
        for other in [beside.direct(), beside.then_earlier(), beside.flags(0)] {
            let error = other.register(libc::SIGUSR1).unwrap_err();
            assert!(matches!(error, RegisterError::Differs(libc::SIGUSR1)));
        }
        let low = handler(|_: &Interrupt<'_, SoftIrq>| ()).beside_others();
        assert!(low.register(libc::SIGUSR1).unwrap_err().to_string().contains("both alike"));
        queue(libc::SIGUSR1, 5).unwrap();
        assert_eq!(VALUES.take(), [5]);
    }

    fn context_ready_made_handlers_count_and_set() {
        let (count, flag) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        Handler::<Irq>::counting(count.clone()).register(libc::SIGUSR1).unwrap();
        Handler::<SoftIrq>::setting(flag.clone()).register(libc::SIGUSR2).unwrap();
        let masked = Masked::<Irq>::new();
        send(libc::SIGUSR2);
        // A timer's signal, twice, with one overrun in each.
        (0..2).for_each(|_| pretend(libc::SIGUSR1, libc::SI_TIMER, [1 << 32 | 7, 0, 0, 0]));
        assert!(count.load(Ordering::Acquire) == 0 && !flag.load(Ordering::Acquire));
        drop(masked);
        assert!(count.load(Ordering::Acquire) == 4 && flag.load(Ordering::Acquire));
        send(libc::SIGUSR1);
        assert_eq!(count.load(Ordering::Acquire), 5);
        let error = Handler::<Irq>::setting(flag).register(libc::SIGSEGV).unwrap_err();
        assert!(matches!(error, RegisterError::Fault(libc::SIGSEGV)));
    }
}
