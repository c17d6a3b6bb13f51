//! A child of a process whose threads use locks: it has none of these threads, but all their
//! records.

#![cfg(target_os = "linux")]

mod support;

use siftlock::policy::Noted;
use siftlock::{RwSem, SendRwSem};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use support::{Eager, Lock, Native, finishes, until};

#[test]
fn rwsem_forked_child_uses_locks_and_new_threads() {
    finishes(|| {
        const CHILDREN: usize = 40;
        let (busy, quiet) = (RwSem::new(0_u64), RwSem::new(0_u64));
        let stop = AtomicBool::new(false);
        let stopped = || stop.load(Ordering::Relaxed);
        thread::scope(|s| {
            for _ in 0..3 {
                s.spawn(|| {
                    while !stopped() {
                        *busy.write() += 1;
                    }
                });
            }
            // Threads that come and go: one may be about to register, or to end.
            s.spawn(|| {
                while !stopped() {
                    thread::scope(|s| drop(s.spawn(|| *busy.write() += 1)));
                }
            });
            for _ in 0..CHILDREN {
                *quiet.write() += 1;
                assert_eq!(status_of_child(|| use_locks(&quiet)), Some(0));
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(*quiet.read(), CHILDREN as u64);
    });
}

/// Another thread reads by slot while this one forks: in the child, which does not have that
/// thread, the lock stays read. The thread that forked goes on with its own reads.
#[test]
fn rwsem_forked_child_does_not_write_what_another_thread_read() {
    finishes(|| {
        let lock = Lock::<_, Native, Eager>::new(0_u64);
        drop(lock.read());
        let mine = lock.read();
        thread::scope(|s| {
            let (tell, told) = std::sync::mpsc::channel();
            let (end, ended) = std::sync::mpsc::channel::<()>();
            let lock = &lock;
            s.spawn(move || {
                let theirs = lock.read();
                tell.send(()).unwrap();
                let _ = ended.recv();
                drop(theirs);
            });
            told.recv().unwrap();
            let child = || {
                assert_eq!((*mine, *lock.read()), (0, 0));
                drop(mine);
                assert!(lock.try_write().is_none());
                assert!(lock.try_write_for(Duration::from_millis(1)).is_none());
                assert_eq!(*lock.read(), 0, "and others may read");
            };
            assert_eq!(status_of_child(child), Some(0));
            drop(end);
        });
    });
}

/// The reading thread may have lent a reference to the forking thread, so its read must stay in the
/// child.
#[test]
fn rwsem_forked_child_does_not_write_beside_a_reference_that_was_lent() {
    finishes(|| {
        let lock = Lock::<_, Native, Eager>::new(0_u64);
        drop(lock.read());
        let guard = lock.read();
        let lent = &*guard;
        let child = || {
            assert!(lock.try_write().is_none(), "beside a reference");
            assert_eq!(*lent, 0);
        };
        let forks = || assert_eq!(status_of_child(child), Some(0));
        thread::scope(|s| s.spawn(forks).join().unwrap());
    });
}

/// The child also holds a guard that was sent to the forking thread, whichever thread took it.
#[test]
fn rwsem_forked_child_has_the_guards_that_were_sent_to_its_thread() {
    finishes(|| {
        let lock = SendRwSem::new(0_u64);
        drop(lock.read());
        let guard = thread::scope(|s| s.spawn(|| lock.read()).join().unwrap());
        let child = || {
            assert!(lock.try_write().is_none(), "beside a guard");
            assert_eq!(*guard, 0);
            drop(guard);
            assert!(lock.try_write().is_some());
        };
        assert_eq!(status_of_child(child), Some(0));
    });
}

/// In the child the thread that forked reads on, and is noted. Threads that the child does not have
/// are none of its concern: their reads stay, as with any lock that was held.
#[test]
fn rwsem_forked_child_is_noted_as_its_parent_was() {
    finishes(|| {
        let (mine, theirs) =
            (Lock::<_, Native, Noted>::new(0_u64), Lock::<_, Native, Noted>::new(0));
        // The read is by a share; a second read would be by slot.
        let outer = mine.read();
        thread::scope(|s| {
            let (tell, told) = std::sync::mpsc::channel();
            let (end, ended) = std::sync::mpsc::channel::<()>();
            let theirs = &theirs;
            s.spawn(move || {
                let guard = theirs.read();
                tell.send(()).unwrap();
                let _ = ended.recv();
                drop(guard);
            });
            told.recv().unwrap();
            let child = || {
                assert!(theirs.try_write().is_none());
                thread::scope(|s| {
                    s.spawn(|| *mine.write() += 1);
                    until(|| {
                        thread::scope(|s| s.spawn(|| mine.try_read().is_none()).join().unwrap())
                    });
                    let inner = mine.read();
                    drop(outer);
                    assert_eq!(*inner, 0);
                });
                assert_eq!(*mine.read(), 1);
            };
            assert_eq!(status_of_child(child), Some(0));
            drop(end);
        });
    });
}

/// The child's acts.
fn use_locks(quiet: &RwSem<u64>) {
    *quiet.write() += 1;
    let new = RwSem::new(0);
    in_three_threads(&|| {
        for _ in 0..100 {
            *new.write() += 1;
            let _both = (new.read(), quiet.read());
        }
    });
    assert_eq!(new.into_inner(), 300);
}

/// Runs `act` in threads of the system's own. Threads of `std` begin and end with a lock of `std`,
/// which a thread of the parent may have had at the moment of the fork.
fn in_three_threads(act: &(dyn Fn() + Sync)) {
    extern "C" fn run(act: *mut c_void) -> *mut c_void {
        // SAFETY: passed below, and there until all threads have been joined.
        let act = unsafe { *act.cast::<&(dyn Fn() + Sync)>() };
        act();
        ptr::null_mut()
    }
    let threads = [(); 3].map(|()| {
        let mut thread = MaybeUninit::uninit();
        let argument = (&raw const act).cast_mut().cast();
        // SAFETY: `run` gets what it expects. The thread is named on success.
        unsafe {
            let error = libc::pthread_create(thread.as_mut_ptr(), ptr::null(), run, argument);
            assert_eq!(error, 0);
            thread.assume_init()
        }
    });
    for thread in threads {
        // SAFETY: just begun, and joined once.
        assert_eq!(unsafe { libc::pthread_join(thread, ptr::null_mut()) }, 0);
    }
}

/// Runs `f` in a child process, and returns its exit status; `None` if it hangs.
fn status_of_child(f: impl FnOnce()) -> Option<i32> {
    // SAFETY: the child calls `f`, which is what is tested, and leaves without clean-up.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "{}", std::io::Error::last_os_error());
    if child == 0 {
        let status = i32::from(catch_unwind(AssertUnwindSafe(f)).is_err());
        // SAFETY: ends the process.
        unsafe { libc::_exit(status) };
    }
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        let mut status = 0;
        // SAFETY: asks about our own child.
        match unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } {
            0 => thread::sleep(Duration::from_millis(1)),
            _ => return Some(status),
        }
    }
    // SAFETY: our own child.
    unsafe { libc::kill(child, libc::SIGKILL) };
    None
}
