//! Children of the process, which use locks that nobody held at the moment of the fork.

use super::actor::Actor;
use super::place::Subject;
use super::post::found;
use super::support::Lock;
use super::ward::Ward;
use siftlock::RwSem;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{mem, ptr};

pub(crate) static FORKS: AtomicU64 = AtomicU64::new(0);

/// Closes a place and forks; the child uses that lock and new ones, and ends well.
pub(crate) fn fork_at(place: &'static dyn Subject, actor: &mut Actor) -> bool {
    place.alone(actor, &mut |actor, act| {
        // Relaxed: a counter.
        FORKS.fetch_add(1, Ordering::Relaxed);
        actor.post.begin(&"fork");
        let patience = actor.world.options.patience.as_secs() / 2 + 1;
        // SAFETY: the child does what is tested here, and leaves without clean-up.
        let child = unsafe { libc::fork() };
        match child {
            0 => {
                // SAFETY: has the kernel end a child that hangs; and, below, ends the child.
                unsafe { libc::alarm(patience.try_into().unwrap_or(u32::MAX)) };
                be_a_child(actor, act);
                // SAFETY: as above.
                unsafe { libc::_exit(0) };
            }
            // The system has no process for us.
            -1 => {}
            child => {
                actor.post.begin(&"a child");
                wait_for(child);
            }
        }
        actor.post.idle();
    })
}

fn wait_for(child: libc::pid_t) {
    let mut status = 0;
    loop {
        // SAFETY: our own child; the status is a place for its status.
        if unsafe { libc::waitpid(child, &mut status, 0) } == child {
            break;
        }
    }
    if libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGALRM {
        found!("a forked child hangs");
    }
    if status != 0 {
        found!("a forked child ended with status {status:x}");
    }
}

/// The child has none of the other threads, but all their records.
fn be_a_child(actor: &mut Actor, act: &dyn Fn(&mut Actor)) {
    // All other places may be held, by threads that are not there.
    actor.floor = usize::MAX;
    for _ in 0..20 {
        act(actor);
    }
    let new = RwSem::new(0_u64);
    let noted = Lock::<_, siftlock::platform::Native, siftlock::policy::Noted>::new(Ward::new());
    in_threads(&|| {
        for _ in 0..50 {
            *new.write() += 1;
            let _both = (new.read(), noted.read(), noted.read());
        }
    });
    if *new.read() != 50 * THREADS as u64 {
        found!("writes were lost in a child");
    }
    for _ in 0..20 {
        act(actor);
    }
}

const THREADS: usize = 3;

/// Runs `act` in threads of the system's own. Threads of `std` begin and end with a lock of `std`,
/// which a thread of the parent may have had at the moment of the fork.
fn in_threads(act: &(dyn Fn() + Sync)) {
    extern "C" fn run(act: *mut c_void) -> *mut c_void {
        // SAFETY: `act` was passed below, and is there until all threads have been joined.
        let act = unsafe { *act.cast::<&(dyn Fn() + Sync)>() };
        act();
        ptr::null_mut()
    }
    let threads = [(); THREADS].map(|()| {
        // SAFETY: a number, or a pointer.
        let mut thread: libc::pthread_t = unsafe { mem::zeroed() };
        let argument = (&raw const act).cast_mut().cast();
        // SAFETY: `run` gets what it expects.
        let error = unsafe { libc::pthread_create(&mut thread, ptr::null(), run, argument) };
        (error == 0).then_some(thread)
    });
    for thread in threads {
        match thread {
            // SAFETY: just begun, and joined once.
            Some(thread) => unsafe { libc::pthread_join(thread, ptr::null_mut()) },
            None => found!("no thread for a child"),
        };
    }
}
