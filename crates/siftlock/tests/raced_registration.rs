//! Another thread calls `sigaction` while a handler is registered. Here `sigaction` itself makes
//! that call, between any look of the registration at the installed action and the registration's
//! own change.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod support;

use siftlock::context::{Handler, Interrupt, Irq};
use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::sync::{Mutex, mpsc};
use std::{mem, ptr, thread};
use support::{A_WHILE, finishes};

unsafe extern "C" {
    fn __sigaction(signal: c_int, new: *const libc::sigaction, old: *mut libc::sigaction) -> c_int;
}

/// The signal whose next change comes just after a change by another thread, or 0.
static RACED: AtomicI32 = AtomicI32::new(0);
/// A thread that gets the signal as soon as it is changed, or 0.
static INTERRUPTED: AtomicI32 = AtomicI32::new(0);

/// How often the handlers of these tests were called: the one that is installed first, and the one
/// that another thread installs later.
static STALE: AtomicU32 = AtomicU32::new(0);
static LATE: AtomicU32 = AtomicU32::new(0);

extern "C" fn stale(_: c_int) {
    STALE.fetch_add(1, Ordering::Relaxed);
}

extern "C" fn late(_: c_int) {
    LATE.fetch_add(1, Ordering::Relaxed);
}

fn calls() -> (u32, u32) {
    (STALE.swap(0, Ordering::Relaxed), LATE.swap(0, Ordering::Relaxed))
}

fn nothing(_: &Interrupt<'_, Irq>) {}

fn register(signal: c_int, then_earlier: bool) {
    // SAFETY: does nothing.
    let handler = unsafe { Handler::new(nothing) };
    let handler = if then_earlier { handler.then_earlier() } else { handler };
    handler.register(signal).unwrap();
}

fn install(signal: c_int, handler: extern "C" fn(c_int)) {
    // SAFETY: plain numbers, and handlers that count.
    unsafe {
        let mut action: libc::sigaction = mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        assert_eq!(__sigaction(signal, &action, ptr::null_mut()), 0);
    }
}

fn installed(signal: c_int) -> usize {
    // SAFETY: a place for the action.
    unsafe {
        let mut action: libc::sigaction = mem::zeroed();
        assert_eq!(__sigaction(signal, ptr::null(), &mut action), 0);
        action.sa_sigaction
    }
}

fn send(thread: c_int, signal: c_int) {
    // SAFETY: a thread of this process, and a signal with a handler.
    unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), thread, signal) };
}

fn this_thread() -> c_int {
    // SAFETY: touches no memory.
    unsafe { libc::gettid() }
}

/// Stands in front of the C library's `sigaction`.
#[unsafe(no_mangle)]
unsafe extern "C" fn sigaction(
    signal: c_int,
    new: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    let order = Ordering::Relaxed;
    let raced = !new.is_null() && RACED.compare_exchange(signal, 0, order, order).is_ok();
    if raced {
        install(signal, late);
    }
    // SAFETY: the caller's promises are this function's.
    let result = unsafe { __sigaction(signal, new, old) };
    let interrupted = if raced { INTERRUPTED.swap(0, order) } else { 0 };
    if interrupted != 0 {
        send(interrupted, signal);
        // Leaves time for its handler.
        thread::sleep(A_WHILE);
    }
    result
}

/// The tests of one program share its signals' handlers.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

#[test]
fn context_earlier_handler_is_the_one_that_was_replaced() {
    let _alone = ONE_AT_A_TIME.lock();
    install(libc::SIGUSR1, stale);
    RACED.store(libc::SIGUSR1, Ordering::Relaxed);
    register(libc::SIGUSR1, true);
    assert_eq!(RACED.load(Ordering::Relaxed), 0, "it was raced");
    send(this_thread(), libc::SIGUSR1);
    assert_eq!(calls(), (0, 1));
}

#[test]
fn context_earlier_handler_is_the_one_that_was_replaced_in_the_first_signal_too() {
    let _alone = ONE_AT_A_TIME.lock();
    install(libc::SIGUSR2, stale);
    finishes(|| {
        let ((tell, told), (end, ended)) = (mpsc::channel(), mpsc::channel());
        let interrupted = thread::spawn(move || {
            tell.send(this_thread()).unwrap();
            ended.recv().unwrap();
        });
        INTERRUPTED.store(told.recv().unwrap(), Ordering::Relaxed);
        RACED.store(libc::SIGUSR2, Ordering::Relaxed);
        register(libc::SIGUSR2, true);
        end.send(()).unwrap();
        interrupted.join().unwrap();
    });
    assert_eq!(INTERRUPTED.load(Ordering::Relaxed), 0, "the thread was interrupted");
    assert_eq!(calls(), (0, 1));
}

/// The registering thread itself gets the signal. It is the signal of a fault, which handlers may
/// always interrupt.
#[test]
fn context_registering_thread_does_not_wait_for_itself() {
    let _alone = ONE_AT_A_TIME.lock();
    install(libc::SIGBUS, stale);
    finishes(|| {
        INTERRUPTED.store(this_thread(), Ordering::Relaxed);
        RACED.store(libc::SIGBUS, Ordering::Relaxed);
        register(libc::SIGBUS, true);
    });
    assert_eq!(INTERRUPTED.load(Ordering::Relaxed), 0, "the thread was interrupted");
    assert_eq!(calls(), (0, 1));
}

/// A handler that was registered before would be installed once more, with another mask.
#[test]
fn context_registration_leaves_what_another_thread_has_installed() {
    let _alone = ONE_AT_A_TIME.lock();
    register(libc::SIGURG, false);
    RACED.store(libc::SIGURG, Ordering::Relaxed);
    register(libc::SIGWINCH, false);
    assert_eq!(RACED.load(Ordering::Relaxed), 0, "it was raced");
    assert_eq!(installed(libc::SIGURG), late as *const () as usize);
}
