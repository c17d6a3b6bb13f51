//! Threads that are to be cancelled, as a C program may do, while they wait for a lock. A cancelled
//! thread vanishes where it next asks the system for something that may last. It takes its stack
//! along, on which other threads may know its place in the queue. So no lock call is such a place.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod support;

use siftlock::context::{NonPreemptible, Thread};
use siftlock::policy::{Counted, Noted, Standard};
use siftlock::{Policy, PsRwLock};
use siftlock_core::rwsem::RwSem;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use support::{A_WHILE, LONG, Linux, Platform, Portable, finishes, until};

unsafe extern "C-unwind" {
    fn pthread_testcancel();
}

/// Makes `call` in a thread that is cancelled from the beginning. `release` gives back what the
/// call waits for, once the call may be asleep. The thread must come through, and be cancelled only
/// after that.
fn cancelled(call: &(dyn Fn() + Sync), release: impl FnOnce()) {
    let cancelled = Cancelled { call, begun: AtomicBool::new(false), done: AtomicBool::new(false) };
    let mut thread = 0;
    let argument = ptr::from_ref(&cancelled).cast_mut().cast();
    // SAFETY: `run` gets what it expects, which lives until the thread has been joined.
    let error = unsafe { pthread_create(&mut thread, ptr::null(), run, argument) };
    assert_eq!(error, 0);
    until(|| cancelled.begun.load(Ordering::Relaxed));
    thread::sleep(A_WHILE);
    release();
    let mut result = ptr::null_mut();
    // SAFETY: just begun, and joined once.
    assert_eq!(unsafe { libc::pthread_join(thread, &mut result) }, 0);
    assert!(cancelled.done.load(Ordering::Relaxed), "cancelled inside the call");
    assert_eq!(result.addr(), usize::MAX, "PTHREAD_CANCELED, behind it");
}

struct Cancelled<'a> {
    call: &'a (dyn Fn() + Sync),
    begun: AtomicBool,
    done: AtomicBool,
}

unsafe extern "C" {
    /// `libc`'s declaration, but for a function that is unwound.
    fn pthread_create(
        thread: *mut libc::pthread_t,
        attributes: *const libc::pthread_attr_t,
        run: extern "C-unwind" fn(*mut c_void) -> *mut c_void,
        argument: *mut c_void,
    ) -> libc::c_int;
}

extern "C-unwind" fn run(argument: *mut c_void) -> *mut c_void {
    // SAFETY: from `cancelled`.
    let Cancelled { call, begun, done } = unsafe { &*argument.cast::<Cancelled<'_>>() };
    // SAFETY: asks for the cancellation only.
    assert_eq!(unsafe { libc::pthread_cancel(libc::pthread_self()) }, 0);
    begun.store(true, Ordering::Relaxed);
    call();
    done.store(true, Ordering::Relaxed);
    // SAFETY: nothing on this stack has to be dropped.
    unsafe { pthread_testcancel() };
    ptr::null_mut()
}

/// Every call that may wait, behind a writer, an upgradable reader and a reader.
fn rwsem_calls_are_no_place_to_be_cancelled<P: Platform, L: Policy>() {
    let lock = RwSem::<P, L>::new();
    let limit = || P::now().checked_add(LONG);
    let reads = || {
        let token = lock.read();
        // SAFETY: just taken.
        unsafe { lock.read_unlock(token) };
    };
    let reads_for = || {
        let token = lock.read_until(limit()).expect("no time-out");
        // SAFETY: just taken.
        unsafe { lock.read_unlock(token) };
    };
    let reads_recursively = || {
        let token = lock.read_recursive();
        // SAFETY: just taken.
        unsafe { lock.read_unlock(token) };
    };
    let writes = || {
        lock.write();
        // SAFETY: just taken.
        unsafe { lock.write_unlock() };
    };
    let writes_for = || {
        lock.write_until(limit()).expect("no time-out");
        // SAFETY: just taken.
        unsafe { lock.write_unlock() };
    };
    let upgrades = || {
        lock.upgradable_until(limit()).expect("no time-out");
        // SAFETY: just taken.
        unsafe {
            lock.upgrade_until(limit()).expect("no time-out");
            lock.write_unlock();
        }
    };
    let calls: [&(dyn Fn() + Sync); 6] =
        [&reads, &reads_for, &reads_recursively, &writes, &writes_for, &upgrades];
    for call in calls {
        lock.write();
        // SAFETY: just taken.
        cancelled(call, || unsafe { lock.write_unlock() });
    }
    // Calls that a reader holds up, by a share at first, later perhaps by slot.
    for call in [&writes as &(dyn Fn() + Sync), &writes_for, &upgrades] {
        let token = lock.read();
        // SAFETY: just taken.
        cancelled(call, || unsafe { lock.read_unlock(token) });
    }
    assert!(!lock.is_locked());
    writes();
    reads();
}

fn psrw_calls_are_no_place_to_be_cancelled<P: Platform>() {
    let lock =
        PsRwLock::<(), (Thread, NonPreemptible), Thread, siftlock::psrw::policy::Standard, P>::with_classes(
            (),
        );
    let lock = &lock;
    let reads: &(dyn Fn() + Sync) = &|| drop(lock.read());
    let reads_awake: &(dyn Fn() + Sync) = &|| drop(lock.read_at(NonPreemptible));
    let writes: &(dyn Fn() + Sync) = &|| drop(lock.write());
    for call in [reads, reads_awake, writes] {
        let held = lock.write();
        cancelled(call, || drop(held));
    }
    let held = lock.read();
    cancelled(writes, || drop(held));
    // That writer waits awake, and naps.
    let held = lock.read_at(NonPreemptible);
    cancelled(writes, || drop(held));
    assert!(!lock.raw().is_locked());
}

#[test]
fn rwsem_and_psrw_calls_survive_a_cancelled_thread() {
    finishes(|| {
        for round in 0..2 {
            rwsem_calls_are_no_place_to_be_cancelled::<Linux, Standard>();
            rwsem_calls_are_no_place_to_be_cancelled::<Linux, Counted>();
            rwsem_calls_are_no_place_to_be_cancelled::<Linux, Noted>();
            rwsem_calls_are_no_place_to_be_cancelled::<Linux, support::Eager>();
            rwsem_calls_are_no_place_to_be_cancelled::<Portable, Standard>();
            psrw_calls_are_no_place_to_be_cancelled::<Linux>();
            psrw_calls_are_no_place_to_be_cancelled::<Portable>();
            // The requests that are made once in a second come in the second round.
            if round == 0 {
                thread::sleep(Duration::from_millis(1100));
            }
        }
    });
}

/// The pauses of a waiter, of a real-time thread as well, which naps instead of yielding.
#[test]
fn platform_pauses_are_no_place_to_be_cancelled() {
    fn pauses<P: Platform>() {
        P::yield_now();
        P::nap();
        let fifo = libc::sched_param { sched_priority: 1 };
        // SAFETY: about the calling thread. If the call is refused, the thread pauses as it is.
        unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &fifo) };
        P::yield_now();
        P::nap();
        assert_eq!(P::handoff_after(0), 0);
    }
    cancelled(&pauses::<Linux>, || {});
    cancelled(&pauses::<Portable>, || {});
}
