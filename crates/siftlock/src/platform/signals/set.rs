//! Sets of signals, ours and the system's.

use siftlock_core::defer::{Signal, Signals};
use std::mem::MaybeUninit;
use std::ptr;

/// Signals that an instruction raises: they cannot wait, so they are never blocked.
pub(super) const FAULTS: Signals = {
    let numbers =
        [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP, libc::SIGSYS];
    let (mut bits, mut place) = (0, 0);
    while place < numbers.len() {
        bits |= 1 << (numbers[place] - 1);
        place += 1;
    }
    Signals::from_bits(bits)
};

/// The system's form of a set.
pub(super) fn of(signals: Signals) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` makes a set of any memory of that size.
    let mut set = unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        set.assume_init()
    };
    add(&mut set, signals);
    set
}

/// Adds these to a set of the system's.
pub(super) fn add(set: &mut libc::sigset_t, signals: Signals) {
    for signal in signals.each() {
        // SAFETY: `set` is a set. The C library's own signals are refused, which is right.
        unsafe { libc::sigaddset(set, signal.number()) };
    }
}

/// Our form of a set of the system's.
pub(super) fn from(set: &libc::sigset_t) -> Signals {
    let all = Signals::from_bits(u64::MAX).each();
    all.filter(|signal| has(set, *signal))
        .fold(Signals::NONE, |some, signal| some.and(Signals::of(signal)))
}

/// Whether a set of the system's has this one.
pub(super) fn has(set: &libc::sigset_t, signal: Signal) -> bool {
    // SAFETY: `set` is a set.
    unsafe { libc::sigismember(set, signal.number()) == 1 }
}

/// Everything that can be blocked.
pub(super) fn all() -> Signals {
    Signals::from_bits(u64::MAX).without(FAULTS)
}

/// Blocks these on the calling thread, and returns the mask before.
pub(super) fn block(signals: Signals) -> libc::sigset_t {
    change(libc::SIG_BLOCK, &of(signals))
}

/// Unblocks these on the calling thread.
pub(super) fn unblock(signals: Signals) {
    change(libc::SIG_UNBLOCK, &of(signals));
}

/// Makes this the calling thread's mask.
pub(super) fn put_back(mask: &libc::sigset_t) {
    change(libc::SIG_SETMASK, mask);
}

/// What has been sent to the calling thread or the process, and not delivered.
pub(super) fn pending() -> Signals {
    let mut set = of(Signals::NONE);
    // SAFETY: a set.
    unsafe { libc::sigpending(&mut set) };
    from(&set)
}

/// What the calling thread blocks.
pub(super) fn now() -> Signals {
    from(&block(Signals::NONE))
}

fn change(how: libc::c_int, set: &libc::sigset_t) -> libc::sigset_t {
    let mut old = MaybeUninit::uninit();
    // SAFETY: a set, and a place for the old one, which is filled: `how` is valid.
    unsafe {
        libc::pthread_sigmask(how, ptr::from_ref(set), old.as_mut_ptr());
        old.assume_init()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signal_sets_go_there_and_back() {
        let some = [libc::SIGHUP, libc::SIGSEGV, libc::SIGRTMAX()]
            .map(|n| Signals::of(Signal::new(n).unwrap()));
        let some = some[0].and(some[1]).and(some[2]);
        assert_eq!(from(&of(some)), some);
        assert_eq!(from(&of(Signals::NONE)), Signals::NONE);
        assert!(FAULTS.has(Signal::new(libc::SIGTRAP).unwrap()));
    }
}
