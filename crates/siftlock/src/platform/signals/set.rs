//! Sets of signals, ours and the system's.

use super::errno::kept;
use siftlock_core::defer::{Signal, Signals};
use std::{mem, ptr};

/// Signals that an instruction raises. They cannot wait, so no raise blocks them.
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

/// Signals that no raise blocks, and no handler of another signal: those of faults, and `SIGABRT`.
/// (`abort` ends the process if its signal is not handled at once.)
pub(super) const NEVER_BLOCKED: Signals =
    Signals::from_bits(FAULTS.bits() | 1 << (libc::SIGABRT - 1));

/// The empty set, in the system's form.
// SAFETY: plain numbers.
const EMPTY: libc::sigset_t = unsafe { mem::zeroed() };

/// The system's form of a set.
pub(super) fn of(signals: Signals) -> libc::sigset_t {
    let mut set = EMPTY;
    add(&mut set, signals);
    set
}

// A set of the system's begins with a bit for each signal, the lowest first, in words of C's
// `long`. A raise under `Strict` makes and reads several sets, and the C library's functions take a
// call for each signal.

type Word = libc::c_ulong;
const WORDS: usize = Signal::MAX as usize / Word::BITS as usize;
const _: () = assert!(size_of::<libc::sigset_t>() >= WORDS * size_of::<Word>());
const _: () = assert!(align_of::<libc::sigset_t>() >= align_of::<Word>());

/// Adds these to a set of the system's.
pub(super) fn add(set: &mut libc::sigset_t, signals: Signals) {
    // SAFETY: so many words are there, and any bits are a set.
    let words = unsafe { &mut *ptr::from_mut(set).cast::<[Word; WORDS]>() };
    let mut place = 0;
    while place < WORDS {
        words[place] |= (signals.bits() >> (place as u32 * Word::BITS)) as Word;
        place += 1;
    }
}

/// Our form of a set of the system's.
#[allow(clippy::unnecessary_cast, reason = "a word of 32-bit machines has half the bits")]
pub(super) fn from(set: &libc::sigset_t) -> Signals {
    // SAFETY: so many words are there, and all was written.
    let words = unsafe { &*ptr::from_ref(set).cast::<[Word; WORDS]>() };
    let (mut bits, mut place) = (0, 0);
    while place < WORDS {
        bits |= (words[place] as u64) << (place as u32 * Word::BITS);
        place += 1;
    }
    Signals::from_bits(bits)
}

/// Whether a set of the system's has this one.
pub(super) fn has(set: &libc::sigset_t, signal: Signal) -> bool {
    from(set).has(signal)
}

/// All signals but those of faults, and those that the C library keeps for itself.
pub(super) fn all() -> Signals {
    let reserved = i32::from(Signal::FIRST_REAL_TIME)..libc::SIGRTMIN();
    let reserved =
        reserved.filter_map(Signal::new).fold(FAULTS, |some, one| some.and(Signals::of(one)));
    Signals::from_bits(u64::MAX).without(reserved)
}

/// Blocks these on the calling thread, and returns the mask before.
pub(super) fn block(signals: Signals) -> libc::sigset_t {
    let signals = of(signals);
    change(libc::SIG_BLOCK, &signals)
}

/// Unblocks these on the calling thread.
pub(super) fn unblock(signals: Signals) {
    change(libc::SIG_UNBLOCK, &of(signals));
}

/// Makes this the calling thread's mask.
pub(super) fn put_back(mask: &libc::sigset_t) {
    change(libc::SIG_SETMASK, mask);
}

/// The signals that were sent to the calling thread or the process, and not delivered.
pub(super) fn pending() -> Signals {
    let mut set = EMPTY;
    // SAFETY: a set.
    kept(|| unsafe { libc::sigpending(&mut set) });
    from(&set)
}

/// The signals that the calling thread blocks.
pub(super) fn now() -> Signals {
    from(&change(libc::SIG_BLOCK, ptr::null()))
}

/// Changes the calling thread's mask, and returns the one before. A sandbox may refuse that: then
/// nothing changes, and the set returned is empty.
///
/// `set` may be null: then nothing changes.
fn change(how: libc::c_int, set: *const libc::sigset_t) -> libc::sigset_t {
    let mut old = EMPTY;
    // SAFETY: a set or null, and a set. The latter is one also where the call is refused, and does
    // not fill it.
    unsafe { libc::pthread_sigmask(how, set, &mut old) };
    old
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
        for signal in Signals::from_bits(u64::MAX).each() {
            let set = of(some);
            // SAFETY: `set` is a set.
            let theirs = unsafe { libc::sigismember(&set, signal.number()) };
            assert_eq!(theirs == 1, has(&set, signal) && some.has(signal), "{signal:?}");
        }
        assert!(!all().has(Signal::new(libc::SIGRTMIN() - 1).unwrap()));
        assert_eq!(from(&of(Signals::NONE)), Signals::NONE);
        assert!(FAULTS.has(Signal::new(libc::SIGTRAP).unwrap()));
    }
}
