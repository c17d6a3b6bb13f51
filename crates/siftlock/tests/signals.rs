//! Signals that interrupt a waiting thread.

#![cfg(unix)]

mod support;

use siftlock::ReadRecursive as _;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Once, mpsc};
use std::time::{Duration, Instant};
use std::{mem, ptr, thread};
use support::{Lock, Platform, SHORT, assert_at_rest, on_each_platform};

on_each_platform!(
    rwsem_interrupted_waiters_wait_on,
    rwsem_interrupted_waiter_with_a_time_limit_keeps_it,
);

static INTERRUPTED: AtomicU32 = AtomicU32::new(0);

/// SIGUSR1 interrupts system calls, which are not restarted after it.
fn handle_signals() {
    extern "C" fn on_signal(_: c_int) {
        INTERRUPTED.fetch_add(1, Ordering::SeqCst);
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: an all-zero action is a valid one without SA_RESTART, and the handler fits it.
        let done = unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            action.sa_sigaction = on_signal as *const () as usize;
            libc::sigaction(libc::SIGUSR1, &action, ptr::null_mut())
        };
        assert_eq!(done, 0);
    });
}

/// Runs `waits` in a thread that gets signals until `enough` returns true and `then` was called.
fn interrupt<T: Send>(
    waits: impl FnOnce() -> T + Send,
    mut enough: impl FnMut() -> bool,
    then: impl FnOnce(),
) -> T {
    handle_signals();
    thread::scope(|s| {
        let (tell, told) = mpsc::channel();
        let waiting = s.spawn(move || {
            // As a number: with musl the system's name for a thread is a pointer.
            // SAFETY: has no conditions.
            tell.send(unsafe { libc::pthread_self() } as usize).unwrap();
            waits()
        });
        let thread = told.recv().unwrap();
        while !enough() {
            // SAFETY: the thread has not been joined.
            assert_eq!(unsafe { libc::pthread_kill(thread as libc::pthread_t, libc::SIGUSR1) }, 0);
            thread::sleep(Duration::from_micros(100));
        }
        then();
        waiting.join().unwrap()
    })
}

fn rwsem_interrupted_waiters_wait_on<P: Platform>() {
    let lock = Lock::<_, P>::new(1);
    let calls: [&(dyn Fn() -> i32 + Sync); 5] = [
        &|| *lock.read(),
        &|| *lock.read_recursive(),
        &|| *lock.upgradable_read(),
        &|| *lock.write(),
        &|| *lock.try_read_for(support::LONG).expect("an hour is long enough"),
    ];
    for call in calls {
        let mut guard = lock.write();
        *guard = 1;
        let before = INTERRUPTED.load(Ordering::SeqCst);
        let enough = || INTERRUPTED.load(Ordering::SeqCst) > before + 100;
        let seen = interrupt(call, enough, || {
            *guard = 2;
            drop(guard);
        });
        assert_eq!(seen, 2, "a signal has let a thread into the lock");
    }
    assert_at_rest(&lock);
}

fn rwsem_interrupted_waiter_with_a_time_limit_keeps_it<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    let guard = lock.write();
    let end = Instant::now() + 3 * SHORT;
    let wait = || (lock.try_write_until(end).is_none(), Instant::now());
    let (refused, at) = interrupt(wait, || Instant::now() >= end, || {});
    assert!(refused && at >= end);
    drop(guard);
    assert_at_rest(&lock);
}
