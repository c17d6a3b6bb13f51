//! Forks: the child has one thread, and none of the signals that have arrived.

use super::system::System;
use super::{memory, pending, set};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// One registration at a time: the number of the process whose thread registers, or 0. It is held
/// across forks, so that the child finds no registration half done. A lock of `std` could not be
/// let go in the child. A fork in the middle of the first registration goes unnoticed. It leaves
/// the parent's number in the child, where no thread registers.
static REGISTERING: AtomicI32 = AtomicI32::new(0);

thread_local! {
    /// The signals that the forking thread had blocked.
    static MASK: Cell<Option<libc::sigset_t>> = const { Cell::new(None) };
}

/// Until dropped no other thread registers, or forks, and no signal interrupts this one.
pub(super) struct Registering(());

pub(super) fn registering() -> Registering {
    prepare();
    Registering(())
}

impl Drop for Registering {
    fn drop(&mut self) {
        resume();
    }
}

/// Blocks all signals, so that none arrives in the child and mixes with the parent's notes.
///
/// The system may call this function and those below more than once for a fork. That happens in a
/// child that was forked, by another thread, between the two steps of [`watch`], and that has
/// registered once more.
extern "C" fn prepare() {
    if MASK.get().is_some() {
        return;
    }
    let mask = set::block(set::all());
    // SAFETY: touches no memory.
    let process = unsafe { libc::getpid() };
    loop {
        let owner = REGISTERING.load(Ordering::Relaxed);
        let free = owner != process;
        // Acquire: pairs with the release in `let_go`.
        let (taken, not) = (Ordering::Acquire, Ordering::Relaxed);
        if free && REGISTERING.compare_exchange(owner, process, taken, not).is_ok() {
            break;
        }
        std::thread::yield_now();
    }
    MASK.set(Some(mask));
}

/// Lets other threads register. Returns the mask before, if this thread holds them off.
fn let_go() -> Option<libc::sigset_t> {
    let mask = MASK.take()?;
    // Release: pairs with the acquire in `prepare`.
    REGISTERING.store(0, Ordering::Release);
    Some(mask)
}

extern "C" fn resume() {
    if let Some(mask) = let_go() {
        set::put_back(&mask);
    }
}

extern "C" fn in_child() {
    if let Some(mask) = let_go() {
        let blocked = pending(|pending| pending.forked::<System>());
        memory::close_others();
        set::put_back(&set::of(set::from(&mask).without(blocked)));
    }
}

/// Has the system call these functions at forks. It asks once, and only a registering caller may
/// call it.
pub(super) fn watch(_alone: &Registering) -> Result<(), libc::c_int> {
    static WATCHES: AtomicBool = AtomicBool::new(false);
    // Relaxed: under the lock.
    if WATCHES.load(Ordering::Relaxed) {
        return Ok(());
    }
    // SAFETY: functions that live as long as the process.
    match unsafe { libc::pthread_atfork(Some(prepare), Some(resume), Some(in_child)) } {
        0 => {
            WATCHES.store(true, Ordering::Relaxed);
            Ok(())
        }
        error => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fork_that_is_watched_twice_comes_to_an_end() {
        // SAFETY: functions that live as long as the process. The child does nothing but end.
        let status = unsafe {
            for _ in 0..2 {
                assert_eq!(libc::pthread_atfork(Some(prepare), Some(resume), Some(in_child)), 0);
            }
            let child = libc::fork();
            if child == 0 {
                libc::_exit(i32::from(MASK.get().is_some()));
            }
            let mut status = -1;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            status
        };
        assert_eq!(status, 0);
        assert!(MASK.get().is_none());
        drop(registering());
    }
}
