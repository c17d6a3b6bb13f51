//! A thread of a real-time class has the lock reserved for itself as soon as it comes first.

#![cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]

mod support;

use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::PassLimit;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use support::{A_WHILE, Linux, Lock, assert_at_rest, finishes, say, until, words};

/// A policy under which only a real-time thread ever has the lock reserved.
struct Never;

impl Policy for Never {
    type Guards = siftlock_core::rwsem::policy::Local;
    const HANDOFF_AFTER: u64 = u64::MAX;
    const PASS_LIMIT: PassLimit = PassLimit::Never;
}

const HEAD: u64 = 0xff_ffff << 32;
const HANDOFF: u64 = 1 << 2;

#[test]
fn rwsem_realtime_writer_reserves_the_lock_at_once() {
    finishes(|| {
        for flag in [0, libc::SCHED_RESET_ON_FORK] {
            match reserved_for_writer_of_class(libc::SCHED_FIFO | flag, 1) {
                Ok(reserved) => assert!(reserved),
                Err(why) => say(&format!("not tested: SCHED_FIFO is not permitted here ({why})")),
            }
        }
        assert!(!reserved_for_writer_of_class(libc::SCHED_OTHER, 0).unwrap());
    });
}

/// A thread that comes while the real-time thread waits comes after it, however many there are and
/// however often.
#[test]
fn rwsem_realtime_waiter_is_passed_by_nobody() {
    finishes(|| {
        for writes in [true, false] {
            match passed_while_a_realtime_thread_waits(writes) {
                Ok(passed) => assert_eq!(passed, 0, "writes: {writes}"),
                Err(why) => say(&format!("not tested: SCHED_FIFO is not permitted here ({why})")),
            }
        }
    });
}

/// Has a real-time thread wait for a writer. Then others try to take the lock again and again.
/// Returns how often they were inside while the lock was still reserved: it is only ever reserved
/// for that thread.
fn passed_while_a_realtime_thread_waits(writes: bool) -> std::io::Result<u64> {
    const OTHERS: usize = 16;
    let lock = Lock::<_, Linux, Never>::new(());
    let (passed, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let is_reserved = || words(&lock)[0] & HANDOFF != 0;
    thread::scope(|s| {
        let first = lock.write();
        let waiter = s.spawn(|| {
            become_of_class(libc::SCHED_FIFO, 1)?;
            let _guards = (writes.then(|| lock.write()), (!writes).then(|| lock.read()));
            Ok::<_, std::io::Error>(())
        });
        until(|| is_reserved() || waiter.is_finished());
        for number in 0..OTHERS {
            let (lock, passed, stop) = (&lock, &passed, &stop);
            s.spawn(move || {
                while !stop.load(Ordering::SeqCst) {
                    let write = number % 2 == 0;
                    let writer = write.then(|| lock.try_write()).flatten();
                    let reader = (!write).then(|| lock.try_read()).flatten();
                    let passes = (writer.is_some() || reader.is_some()) && is_reserved();
                    passed.fetch_add(u64::from(passes), Ordering::SeqCst);
                }
            });
        }
        thread::sleep(A_WHILE); // for them to come
        drop(first);
        let waited = waiter.join().unwrap();
        stop.store(true, Ordering::SeqCst);
        waited
    })?;
    Ok(passed.into_inner())
}

/// Puts the calling thread into a scheduling class.
fn become_of_class(class: i32, priority: i32) -> std::io::Result<()> {
    // Not the C library's call, which musl refuses to make; of its type only the number is passed
    // on. SAFETY: about the calling thread.
    match unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, class, &raw const priority) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// Has a writer of this class wait for a reader, and returns whether it reserves the lock.
fn reserved_for_writer_of_class(class: i32, priority: i32) -> std::io::Result<bool> {
    let lock = Lock::<_, Linux, Never>::new(());
    thread::scope(|s| {
        let reader = lock.read();
        let writer = s.spawn(|| {
            become_of_class(class, priority)?;
            drop(lock.write());
            Ok::<_, std::io::Error>(())
        });
        let count = || words(&lock)[0];
        until(|| count() & HEAD != 0 || writer.is_finished());
        if class == libc::SCHED_OTHER {
            thread::sleep(A_WHILE); // for what should not come
        } else {
            until(|| count() & HANDOFF != 0 || writer.is_finished());
        }
        let reserved = count() & HANDOFF != 0;
        drop(reader);
        writer.join().unwrap()?;
        assert_at_rest(&lock);
        Ok(reserved)
    })
}
