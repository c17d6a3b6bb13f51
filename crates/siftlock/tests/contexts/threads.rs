//! Several threads, and their ends.

use crate::support::{Log, VALUES, alone, change_mask, in_child, is_blocked, note_value, register};
use crate::support::{queue, queue_to, real_time, send_to_process, thread_id};
use siftlock::context::{Interrupt, Irq, Masked};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc;
use std::thread;

static HANDLED_BY: AtomicI32 = AtomicI32::new(0);

fn who(interrupt: &Interrupt<'_, Irq>) {
    HANDLED_BY.store(thread_id(), Ordering::SeqCst);
    VALUES.push(interrupt.signal());
}

/// A thread notes a signal, and ends before it can handle it: the program has blocked the signal.
fn end_with_noted(signal: i32, send: impl FnOnce() + Send) {
    thread::scope(|s| {
        let thread = s.spawn(|| {
            change_mask(libc::SIG_UNBLOCK, &[signal]);
            let masked = Masked::<Irq>::new();
            send();
            // The signal has come to this thread: no other thread takes it.
            change_mask(libc::SIG_BLOCK, &[signal]);
            drop(masked);
            assert_eq!(VALUES.take(), []);
        });
        // Not the scope's own end, which does not wait for the whole end of the thread.
        thread.join().unwrap();
    });
}

alone! {
    fn context_signal_to_the_process_outlives_the_thread_that_got_it() {
        register(libc::SIGUSR1, who).unwrap();
        register(real_time(0), who).unwrap();
        // In a process that has no other thread.
        let status = in_child(|| {
            for signal in [libc::SIGUSR1, real_time(0)] {
                change_mask(libc::SIG_BLOCK, &[signal]);
                end_with_noted(signal, || send_to_process(signal));
                assert_eq!(VALUES.take(), []);
                change_mask(libc::SIG_UNBLOCK, &[signal]);
                assert_eq!(VALUES.take(), [signal]);
                assert_eq!(HANDLED_BY.load(Ordering::SeqCst), thread_id());
            }
        });
        assert_eq!(status, 0);
    }

    /// The thread ends in a raised region. No other thread takes the signal, and the ending one
    /// would note it once more.
    fn context_signal_to_the_process_outlives_a_raised_thread() {
        register(libc::SIGUSR1, who).unwrap();
        // In a process that has no other thread.
        let status = in_child(|| {
            change_mask(libc::SIG_BLOCK, &[libc::SIGUSR1]);
            let thread = thread::spawn(|| {
                change_mask(libc::SIG_UNBLOCK, &[libc::SIGUSR1]);
                std::mem::forget(Masked::<Irq>::new());
                send_to_process(libc::SIGUSR1);
            });
            thread.join().unwrap();
            assert_eq!(VALUES.take(), []);
            change_mask(libc::SIG_UNBLOCK, &[libc::SIGUSR1]);
            assert_eq!(VALUES.take(), [libc::SIGUSR1]);
        });
        assert_eq!(status, 0);
    }

    fn context_signal_to_a_thread_ends_with_it() {
        register(libc::SIGUSR1, who).unwrap();
        change_mask(libc::SIG_BLOCK, &[libc::SIGUSR1]);
        end_with_noted(libc::SIGUSR1, || crate::support::send(libc::SIGUSR1));
        change_mask(libc::SIG_UNBLOCK, &[libc::SIGUSR1]);
        assert_eq!(VALUES.take(), []);
    }

    fn context_threads_that_come_and_go_share_memory_for_notes() {
        register(libc::SIGUSR1, note_value).unwrap();
        let maps = || std::fs::read_to_string("/proc/self/maps").unwrap().lines().count();
        let once = || {
            thread::spawn(|| {
                let masked = Masked::<Irq>::new();
                queue(libc::SIGUSR1, 1).unwrap();
                drop(masked);
            })
            .join()
            .unwrap();
            assert_eq!(VALUES.take(), [1]);
        };
        (0..10).for_each(|_| once());
        let before = maps();
        (0..200).for_each(|_| once());
        assert!(maps() <= before + 20, "{} and {before}", maps());
    }

    /// Each thread is raised on its own, and has its own notes.
    fn context_signal_to_another_thread_waits_for_that_thread() {
        register(real_time(0), note_value).unwrap();
        let (to_main, from_thread) = mpsc::channel();
        let (to_thread, from_main) = mpsc::channel::<()>();
        let other = thread::spawn(move || {
            let masked = Masked::<Irq>::new();
            to_main.send(thread_id()).unwrap();
            from_main.recv().unwrap();
            let before = VALUES.take();
            drop(masked);
            assert!(!is_blocked(real_time(0)));
            before
        });
        let id = from_thread.recv().unwrap();
        (0..40).for_each(|value| queue_to(id, real_time(0), value).unwrap());
        queue(real_time(0), -1).unwrap();
        to_thread.send(()).unwrap();
        assert_eq!(other.join().unwrap(), [-1]);
        assert_eq!(VALUES.take(), (0..40).collect::<Vec<_>>());
    }

    /// No signal is lost, doubled or out of order while a thread is raised and lowered all the
    /// time.
    fn context_stream_of_real_time_signals_stays_whole() {
        const COUNT: i32 = 20_000;
        static NEXT: AtomicI32 = AtomicI32::new(0);
        static WRONG: Log = Log::new();
        fn in_order(interrupt: &Interrupt<'_, Irq>) {
            let value = crate::support::value_of(interrupt.info());
            if NEXT.swap(value + 1, Ordering::SeqCst) != value {
                WRONG.push(value);
            }
            drop(Masked::<Irq>::new());
        }
        register(real_time(0), in_order).unwrap();
        let me = thread_id();
        let sender = thread::spawn(move || {
            for value in 0..COUNT {
                // The system's queue may be full for a moment.
                while queue_to(me, real_time(0), value).is_err() {
                    thread::yield_now();
                }
            }
        });
        while NEXT.load(Ordering::SeqCst) < COUNT {
            let outer = Masked::<Irq>::new();
            let inner = Masked::<Irq>::new();
            drop(outer);
            drop(inner);
        }
        sender.join().unwrap();
        assert_eq!(WRONG.take(), []);
    }
}
