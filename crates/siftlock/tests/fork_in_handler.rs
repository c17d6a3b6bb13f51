//! A signal handler forks while a lock's call deals with reads by slot. The child has the thread
//! that the handler interrupted, wherever that was, and no other.

#![cfg(target_os = "linux")]

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;
use std::time::Duration;
use support::{Eager, Linux, Lock, SHORT, finishes, until};

type Biased = Lock<u64, Linux, Eager>;

const ROUNDS: u64 = 30;

/// What the handler's `fork` returned: 0 in the child.
static FORKED: AtomicI32 = AtomicI32::new(NOT_YET);
const NOT_YET: i32 = -2;

/// There is one handler, and one [`FORKED`].
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

extern "C" fn forks(_signal: libc::c_int) {
    // SAFETY: the child goes on where the handler came in, and leaves by `_exit`. If it hangs, the
    // alarm ends it.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::alarm(60);
        }
        FORKED.store(child, Ordering::SeqCst);
    }
}

fn handle() {
    // SAFETY: a handler that does nothing but fork.
    unsafe { libc::signal(libc::SIGUSR1, forks as *const () as libc::sighandler_t) };
}

/// The calling thread, for [`interrupt`], as a number: with musl the system's name for it is a
/// pointer, which stays in its thread.
fn me() -> usize {
    // SAFETY: names the calling thread.
    unsafe { libc::pthread_self() as usize }
}

/// Has the handler called in that thread, and returns the child that the handler made.
fn interrupt(thread: usize) -> libc::pid_t {
    FORKED.store(NOT_YET, Ordering::SeqCst);
    // SAFETY: the thread is there until it is let go.
    assert_eq!(unsafe { libc::pthread_kill(thread as libc::pthread_t, libc::SIGUSR1) }, 0);
    until(|| FORKED.load(Ordering::SeqCst) != NOT_YET);
    let child = FORKED.load(Ordering::SeqCst);
    assert!(child > 0, "fork failed");
    child
}

/// Makes these checks in the child, and ends it. Does nothing in the parent.
fn if_child(checks: impl FnOnce()) {
    if FORKED.load(Ordering::SeqCst) == 0 {
        let failed = catch_unwind(AssertUnwindSafe(checks)).is_err();
        // SAFETY: ends the process.
        unsafe { libc::_exit(i32::from(failed)) };
    }
}

fn assert_succeeds(child: libc::pid_t) {
    let mut status = 0;
    // SAFETY: waits for our own child, which has an alarm.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0, "the child failed, or hung");
}

fn biased() -> Biased {
    let lock = Lock::new(0);
    drop(lock.read());
    lock
}

/// Checks that a lock that nobody else uses works: by slot, and with its bias taken back.
fn use_another(lock: &Biased) {
    let read = (lock.read(), lock.read());
    assert!(lock.try_write().is_none());
    drop(read);
    *lock.write() += 1;
    drop(lock.read());
}

/// The writer itself is interrupted, awake or asleep, while it waits for a reader that the child
/// does not have. In the child its time runs out, since that read stays. All other locks work.
#[test]
fn rwsem_writer_forks_in_a_handler_while_it_drains() {
    finishes(|| {
        let _alone = ONE_AT_A_TIME.lock();
        handle();
        let (lock, other) = (biased(), biased());
        for round in 0..ROUNDS {
            let reader = lock.read();
            thread::scope(|s| {
                let (tell, told) = std::sync::mpsc::channel();
                let (lock, other) = (&lock, &other);
                s.spawn(move || {
                    tell.send(me()).unwrap();
                    let write = loop {
                        let write = lock.try_write_for(SHORT);
                        if_child(|| {
                            assert!(write.is_none() && lock.try_write().is_none());
                            assert_eq!(*lock.read(), 0);
                            use_another(other);
                            use_another(&biased());
                        });
                        if write.is_some() {
                            break write;
                        }
                    };
                    drop(write);
                });
                let writer = told.recv().unwrap();
                until(|| lock.is_locked_exclusive());
                // From the first look at the slots to deep sleep, or on the way to the next
                // attempt.
                thread::sleep(Duration::from_micros(20 * round));
                let child = interrupt(writer);
                assert_succeeds(child);
                drop(reader);
            });
            FORKED.store(NOT_YET, Ordering::SeqCst);
            drop(lock.read());
        }
    });
}

/// The reader is interrupted while another thread's writer waits for it. In the child that lock has
/// a writer for ever. No call hangs that need not wait, and the reader gets out, with as many holds
/// as it likes. All other locks work, by the same slots.
#[test]
fn rwsem_reader_forks_in_a_handler_while_another_drains() {
    finishes(|| {
        let _alone = ONE_AT_A_TIME.lock();
        handle();
        let (lock, other) = (biased(), biased());
        for round in 0..ROUNDS {
            thread::scope(|s| {
                let (tell, told) = std::sync::mpsc::channel();
                let (end, ended) = std::sync::mpsc::channel::<()>();
                let (lock, other) = (&lock, &other);
                s.spawn(move || {
                    let read = lock.read();
                    tell.send(me()).unwrap();
                    until(|| FORKED.load(Ordering::SeqCst) != NOT_YET);
                    if_child(|| {
                        drop((lock.read(), read));
                        assert!(lock.try_read().is_none() && lock.try_write_for(SHORT).is_none());
                        assert!(lock.is_locked_exclusive(), "whoever forks loses such a lock");
                        use_another(other);
                        use_another(&biased());
                    });
                    let _ = ended.recv();
                });
                let reader = told.recv().unwrap();
                s.spawn(|| *lock.write() += 1);
                until(|| lock.is_locked_exclusive());
                thread::sleep(Duration::from_micros(20 * round));
                let child = interrupt(reader);
                assert_succeeds(child);
                drop(end);
            });
            FORKED.store(NOT_YET, Ordering::SeqCst);
            drop(lock.read());
        }
        assert_eq!(*lock.read(), ROUNDS);
    });
}
