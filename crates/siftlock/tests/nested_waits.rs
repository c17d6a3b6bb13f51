//! A handler waits for a lock on top of a wait of the same thread. No call of an `RwSem` is for
//! handlers, since a handler may interrupt its thread while others wait for the thread. But
//! programs do it. As long as no other thread waits for the interrupted thread, neither wait may be
//! lost. A wake-up call for the lower wait that comes meanwhile ends a sleep of the upper wait, and
//! still counts for the lower wait.

#![cfg(target_os = "linux")]

mod support;

use siftlock::PsRwLock;
use siftlock::context::Thread;
use siftlock_core::forward_platform;
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::rwsem::{RwSem, policy};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use support::{A_WHILE, Linux, finishes, until};

/// A thread is interrupted where it is known as a waiter and has not begun to sleep. There it asks
/// how long to wait before it reserves the lock.
struct Interrupted;

thread_local! {
    static HANDLER: Cell<Option<fn()>> = const { Cell::new(None) };
}

/// A thread that spins is interrupted where it asks for the time, which stands still: it spins on.
struct InterruptedAwake;

fn interrupt() {
    if let Some(handler) = HANDLER.take() {
        handler();
    }
}

// SAFETY: as `Linux`.
unsafe impl Platform for Interrupted {
    forward_platform!(Linux: records, sleep, wake, bias, processors, masking, level);

    fn now() -> Instant {
        Linux::now()
    }

    /// No waiter looks by itself, so a lost call shows.
    fn handoff_after(_usual: u64) -> u64 {
        interrupt();
        u64::MAX
    }
}

// SAFETY: as `Linux`.
unsafe impl Platform for InterruptedAwake {
    forward_platform!(Linux: records, sleep, wake, bias, masking, level);

    fn yield_now() {
        Linux::yield_now();
    }

    fn may_spin() -> bool {
        true
    }

    fn now() -> Instant {
        interrupt();
        Instant::from_nanos(1)
    }

    /// A thread that sleeps does not ask for the time again.
    fn handoff_after(_usual: u64) -> u64 {
        u64::MAX
    }
}

type Sem = RwSem<Interrupted, policy::Standard>;

static ABOVE: Sem = Sem::new();
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Takes the lock, and gives it back.
fn write<P: Platform>(lock: &RwSem<P, policy::Standard>) {
    lock.write();
    // SAFETY: just taken.
    unsafe { lock.write_unlock() };
}

fn waits_above() {
    IS_INTERRUPTED.store(true, Ordering::Relaxed);
    write(&ABOVE);
}

/// Runs `wait` in a thread that is interrupted while it waits. Meanwhile `release` ends the hold in
/// its way.
fn is_called(wait: fn(), release: impl FnOnce()) {
    IS_INTERRUPTED.store(false, Ordering::Relaxed);
    ABOVE.write();
    let waiter = thread::spawn(move || {
        HANDLER.set(Some(waits_above));
        wait();
    });
    until(|| IS_INTERRUPTED.load(Ordering::Relaxed));
    release();
    thread::sleep(A_WHILE);
    // SAFETY: taken above.
    unsafe { ABOVE.write_unlock() };
    waiter.join().unwrap();
}

#[test]
fn rwsem_and_psrw_wait_of_a_handler_leaves_the_wait_below_its_call() {
    static SEM: Sem = Sem::new();
    static PS: PsRwLock<(), Thread, Thread, siftlock::psrw::policy::Standard, Interrupted> =
        PsRwLock::with_classes(());
    finishes(|| {
        let sem_writes = || write(&SEM);
        // SAFETY: what is released was just taken.
        let sem_reads = || unsafe { SEM.read_unlock(SEM.read()) };
        for wait in [sem_writes as fn(), sem_reads] {
            SEM.write();
            // SAFETY: just taken.
            is_called(wait, || unsafe { SEM.write_unlock() });
        }
        for wait in [(|| drop(PS.write())) as fn(), || drop(PS.read())] {
            let held = PS.write();
            is_called(wait, || drop(held));
        }
    });
}

/// The update has its turn, and waits for nobody. So a write that it makes meanwhile, of another
/// lock, may spin like any other. Time stands still for the spinner, which asks for it again and
/// again.
#[test]
fn psrw_update_that_prepares_does_not_count_as_a_wait() {
    static SEM: RwSem<InterruptedAwake, policy::Standard> = RwSem::new();
    static PS: PsRwLock<(), Thread, Thread, siftlock::psrw::policy::Standard, InterruptedAwake> =
        PsRwLock::with_classes(());
    static LOOKS: AtomicU32 = AtomicU32::new(0);

    fn looks() {
        LOOKS.fetch_add(1, Ordering::Relaxed);
        HANDLER.set(Some(looks));
    }

    finishes(|| {
        SEM.write();
        let preparer = thread::spawn(|| {
            PS.update(|()| {
                HANDLER.set(Some(looks));
                write(&SEM);
            });
        });
        until(|| LOOKS.load(Ordering::Relaxed) > 1_000);
        // SAFETY: taken above.
        unsafe { SEM.write_unlock() };
        preparer.join().unwrap();
    });
}

/// The thread that is interrupted is the first of two spinners. The second knows it by its place in
/// their queue.
#[test]
fn rwsem_handler_of_a_spinner_leaves_its_place_alone() {
    static BELOW: RwSem<InterruptedAwake, policy::Standard> = RwSem::new();
    static ABOVE: RwSem<InterruptedAwake, policy::Standard> = RwSem::new();
    static SPINS: AtomicBool = AtomicBool::new(false);
    static HAS_FOLLOWER: AtomicBool = AtomicBool::new(false);

    fn waits_above() {
        SPINS.store(true, Ordering::Relaxed);
        until(|| HAS_FOLLOWER.load(Ordering::Relaxed));
        write(&ABOVE);
    }

    finishes(|| {
        BELOW.write();
        ABOVE.write();
        // The thread asks for the time once before it has a place in the queue.
        let first = thread::spawn(|| {
            HANDLER.set(Some(|| HANDLER.set(Some(waits_above))));
            write(&BELOW);
        });
        until(|| SPINS.load(Ordering::Relaxed));
        let second = thread::spawn(|| write(&BELOW));
        thread::sleep(A_WHILE);
        HAS_FOLLOWER.store(true, Ordering::Relaxed);
        thread::sleep(A_WHILE);
        // SAFETY: taken above.
        unsafe {
            ABOVE.write_unlock();
            BELOW.write_unlock();
        }
        first.join().unwrap();
        second.join().unwrap();
    });
}
