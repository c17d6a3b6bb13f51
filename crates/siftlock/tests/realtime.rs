//! A thread of a real-time class has the lock reserved for itself as soon as it comes first.

#![cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]

mod support;

use siftlock::Policy;
use std::thread;
use support::{A_WHILE, Linux, Lock, assert_at_rest, finishes, say, until, words};

/// Nobody but a real-time thread ever has the lock reserved.
struct Never;

impl Policy for Never {
    const HANDOFF_AFTER: u64 = u64::MAX;
}

const WAITERS: u64 = 1 << 1;
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

/// Has a writer of this class wait for a reader, and returns whether it reserves the lock.
fn reserved_for_writer_of_class(class: i32, priority: i32) -> std::io::Result<bool> {
    let lock = Lock::<_, Linux, Never>::new(());
    thread::scope(|s| {
        let reader = lock.read();
        let writer = s.spawn(|| {
            let parameter = libc::sched_param { sched_priority: priority };
            // SAFETY: about the calling thread.
            if unsafe { libc::sched_setscheduler(0, class, &parameter) } != 0 {
                return Err(std::io::Error::last_os_error());
            }
            drop(lock.write());
            Ok(())
        });
        let count = || words(&lock)[0];
        until(|| count() & WAITERS != 0 || writer.is_finished());
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
