//! Signals that the program takes itself, without a handler, after it has blocked them. A signal
//! that was noted before comes to the program as it was sent.

use crate::support::{
    VALUES, alone, change_mask, in_child, note_value, pretend_fault, queue, real_time, register,
    send, send_to_process, value_of,
};
use siftlock::context::{Interrupt, Irq, Masked, SoftIrq};
use std::os::fd::AsRawFd as _;
use std::{mem, ptr, thread};

/// A signal that a handler saw, or that was taken: its code and its value.
type Taken = (i32, i32);

/// Takes one, like `sigtimedwait`, if there is one.
fn take(signal: i32) -> Option<Taken> {
    // SAFETY: a set, a place for what came along, and a time.
    unsafe {
        let (mut set, mut info) = (mem::zeroed(), mem::zeroed());
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, signal);
        let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let taken = libc::sigtimedwait(&set, &mut info, &at_once);
        (taken == signal).then(|| (info.si_code, value_of(&info)))
    }
}

/// Takes one in another thread, which waits for it a moment. Returns its code, and the process that
/// sent it.
fn take_elsewhere(signal: i32) -> Option<Taken> {
    let take = move || {
        // SAFETY: as in `take`.
        unsafe {
            let (mut set, mut info) = (mem::zeroed(), mem::zeroed());
            libc::sigemptyset(&mut set);
            libc::sigaddset(&mut set, signal);
            let soon = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
            let taken = libc::sigtimedwait(&set, &mut info, &soon);
            (taken == signal).then(|| (info.si_code, info.si_pid()))
        }
    };
    thread::spawn(take).join().unwrap()
}

/// Takes one from a file, if there is one.
fn read(signal: i32) -> Option<Taken> {
    // SAFETY: a set, and a place for what came along.
    unsafe {
        let mut set = mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, signal);
        let file = libc::signalfd(-1, &set, libc::SFD_NONBLOCK | libc::SFD_CLOEXEC);
        assert!(file >= 0);
        let mut info: libc::signalfd_siginfo = mem::zeroed();
        let size = size_of::<libc::signalfd_siginfo>();
        let read = libc::read(file, (&raw mut info).cast(), size);
        libc::close(file);
        (read == size as isize).then_some((info.ssi_code, info.ssi_int))
    }
}

/// Unblocks one for a moment. Returns whether it was handled then.
fn poll(signal: i32) -> bool {
    // SAFETY: a set, and a time.
    unsafe {
        let mut open = change_mask(libc::SIG_BLOCK, &[]);
        libc::sigdelset(&mut open, signal);
        let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let result = libc::ppoll(ptr::null_mut(), 0, &at_once, &open);
        result == -1 && *libc::__errno_location() == libc::EINTR
    }
}

const SENT: i32 = libc::SI_QUEUE;

/// Signals are noted. Then the program blocks them.
fn noted_and_blocked(signal: i32, values: std::ops::Range<i32>) {
    let masked = Masked::<Irq>::new();
    values.for_each(|value| queue(signal, value).unwrap());
    change_mask(libc::SIG_BLOCK, &[signal]);
    drop(masked);
}

alone! {
    fn context_signal_that_is_waited_for_is_what_was_sent() {
        register(libc::SIGUSR1, note_value).unwrap();
        register(real_time(0), note_value).unwrap();
        for how in [take, read] {
            noted_and_blocked(libc::SIGUSR1, 5..6);
            assert_eq!([how(libc::SIGUSR1), how(libc::SIGUSR1)], [Some((SENT, 5)), None]);
            noted_and_blocked(real_time(0), 1..4);
            let all = [(); 4].map(|()| how(real_time(0)));
            assert_eq!(all, [Some((SENT, 1)), Some((SENT, 2)), Some((SENT, 3)), None]);
            // Nothing is left behind, for a handler or for a lower.
            change_mask(libc::SIG_UNBLOCK, &[libc::SIGUSR1, real_time(0)]);
            drop(Masked::<Irq>::new());
            assert_eq!(VALUES.take(), []);
        }
    }

    fn context_signal_that_is_let_in_for_a_moment_is_handled_once() {
        register(libc::SIGUSR1, note_value).unwrap();
        noted_and_blocked(libc::SIGUSR1, 5..6);
        assert!(poll(libc::SIGUSR1));
        assert_eq!(VALUES.take(), [5]);
        assert!(!poll(libc::SIGUSR1));
        assert_eq!(take(libc::SIGUSR1), None);
    }

    /// More of the signal has come since, and is taken. Nobody sees a mark of ours, even if another
    /// handler has come in between, and nothing is lost.
    fn context_signal_that_came_before_others_that_are_waited_for_is_not_lost() {
        register(real_time(0), note_value).unwrap();
        register(libc::SIGUSR2, note_value).unwrap();
        let masked = Masked::<Irq>::new();
        queue(real_time(0), 1).unwrap();
        queue(real_time(0), 2).unwrap();
        change_mask(libc::SIG_BLOCK, &[real_time(0)]);
        queue(real_time(0), 3).unwrap();
        drop(masked);
        assert_eq!([take(real_time(0)), take(real_time(0))], [Some((SENT, 3)), None]);
        queue(libc::SIGUSR2, 7).unwrap();
        assert_eq!((take(real_time(0)), VALUES.take()), (None, vec![7]));
        // The next lower finds the way free.
        drop(Masked::<Irq>::new());
        let both = [(); 3].map(|()| take(real_time(0)));
        assert_eq!(both, [Some((SENT, 1)), Some((SENT, 2)), None]);
        change_mask(libc::SIG_UNBLOCK, &[real_time(0)]);
        assert_eq!(VALUES.take(), []);
    }

    /// The earlier signal comes before the others where they are handled.
    fn context_signal_that_came_before_others_is_handled_before_them() {
        register(real_time(0), note_value).unwrap();
        let masked = Masked::<Irq>::new();
        queue(real_time(0), 1).unwrap();
        queue(real_time(0), 2).unwrap();
        change_mask(libc::SIG_BLOCK, &[real_time(0)]);
        queue(real_time(0), 3).unwrap();
        drop(masked);
        drop(Masked::<Irq>::new());
        change_mask(libc::SIG_UNBLOCK, &[real_time(0)]);
        assert_eq!(VALUES.take(), [1, 2, 3]);
    }

    /// A handler comes at the end of the region, before or after, and is lowered itself.
    fn context_signal_that_is_waited_for_is_what_was_sent_though_another_was_handled() {
        fn soft(interrupt: &Interrupt<'_, SoftIrq>) {
            VALUES.push(value_of(interrupt.info()));
        }
        fn lowered(_: &Interrupt<'_, Irq>) {
            drop(Masked::<Irq>::new());
        }
        const SOFT: [i32; 2] = [libc::SIGUSR1, libc::SIGTERM];
        for signal in [libc::SIGUSR2, libc::SIGSEGV] {
            register(signal, lowered).unwrap();
        }
        for signal in SOFT.into_iter().chain([real_time(0)]) {
            register(signal, soft).unwrap();
            let masked = Masked::<Irq>::new();
            queue(signal, 5).unwrap();
            queue(libc::SIGUSR2, 0).unwrap();
            change_mask(libc::SIG_BLOCK, &[signal]);
            drop(masked);
            pretend_fault(libc::SIGSEGV);
            assert_eq!([take(signal), take(signal)], [Some((SENT, 5)), None]);
            change_mask(libc::SIG_UNBLOCK, &[signal]);
            assert_eq!(VALUES.take(), []);
        }
    }

    /// The program may have a thread that waits for the signal. The first thread of a process gives
    /// it back as it was sent; most signals to the process come to that thread.
    fn context_signal_to_the_process_is_taken_by_another_thread() {
        register(libc::SIGUSR1, note_value).unwrap();
        register(libc::SIGCHLD, note_value).unwrap();
        let status = in_child(|| {
            let masked = Masked::<Irq>::new();
            // SAFETY: touches no memory.
            let this = unsafe { libc::getpid() };
            send_to_process(libc::SIGUSR1);
            // SAFETY: the child does nothing but end.
            let child = unsafe {
                let child = libc::fork();
                if child == 0 {
                    libc::_exit(0);
                }
                libc::waitpid(child, ptr::null_mut(), 0);
                child
            };
            change_mask(libc::SIG_BLOCK, &[libc::SIGUSR1, libc::SIGCHLD]);
            drop(masked);
            let all = [libc::SIGUSR1, libc::SIGCHLD].map(take_elsewhere);
            assert_eq!(all, [Some((libc::SI_USER, this)), Some((libc::CLD_EXITED, child))]);
            assert_eq!(VALUES.take(), []);
        });
        assert_eq!(status, 0);
    }

    /// The signal is, or may be, for the thread: `pthread_sigqueue` and `sigqueue` send alike.
    fn context_signal_to_a_thread_is_taken_by_no_other() {
        register(libc::SIGUSR1, note_value).unwrap();
        register(libc::SIGPIPE, note_value).unwrap();
        let status = in_child(|| {
            let broken = || {
                let (_, writer) = std::io::pipe().unwrap();
                // SAFETY: a byte, and an open file.
                unsafe { libc::write(writer.as_raw_fd(), c"".as_ptr().cast(), 1) };
            };
            let sends: [(i32, &dyn Fn()); 3] = [
                (libc::SIGUSR1, &|| send(libc::SIGUSR1)),
                (libc::SIGUSR1, &|| queue(libc::SIGUSR1, 5).unwrap()),
                (libc::SIGPIPE, &broken),
            ];
            for (signal, send) in sends {
                change_mask(libc::SIG_UNBLOCK, &[signal]);
                let masked = Masked::<Irq>::new();
                send();
                change_mask(libc::SIG_BLOCK, &[signal]);
                drop(masked);
                assert_eq!(take_elsewhere(signal), None);
                assert!(take(signal).is_some());
            }
            assert_eq!(VALUES.take(), []);
        });
        assert_eq!(status, 0);
    }
}
