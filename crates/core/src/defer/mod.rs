//! Noting signals instead of blocking them: how a thread is raised above its own signal handlers
//! without a system call.
//!
//! # Promises
//! * A raise and its end are a few plain instructions, as long as no signal arrives between them.
//! * A signal that arrives at a thread that stands at its class or above is handled as soon as the
//!   thread is lowered, in the order of arrival, each with what it brought along. Standard signals
//!   merge, real-time ones do not: as in the system's own queue. A timer's signal counts what merged
//!   with it.
//! * A signal that the program blocks before the thread is lowered goes back to the system as it was
//!   sent: the program may take it by other means than a handler.
//! * The handler is called by the system: it sees the context in which the thread really is, runs on
//!   the stack and with the mask that were asked for, and may leave by `longjmp`.
//! * No signal is blocked while there is room to note it: nothing leaks into masks that are saved, or
//!   inherited, in a raised region. Signals of faults are never blocked, but for a few instructions of
//!   ours that raise none, and a fault is handled at once.
//!
//! Not promised: the region between a raise and its end must be left by that end alone, not by
//! `longjmp` or the end of the thread. Calls in it that block may return early (`EINTR`), and must
//! not wait for one of these signals. A signal to the process may come late though other threads
//! are free.
//!
//! # Words
//! | of each thread | content | changed by |
//! | --- | --- | --- |
//! | `raises` | how often each class was raised; so the level | the thread; a handler gives back what it took |
//! | `pend` | a bit a signal: the end of a raise has something to do for it | set by wrappers, unset by that end |
//! | `blocked` | a bit a signal: blocked in this frame, for want of room | likewise |
//! | `kicked` | a bit a signal: a kick was sent while it was blocked, and may be pending | set with the kick, unset by the wrapper that takes it back, or runs |
//! | `around` | a bit a signal: blocked by the handler that runs, or where that interrupted | the wrapper, which puts back what it found |
//! | `back` | a bit a signal: some of it were put back | set by a lower, until the thread ends |
//! | `notes` | what arrived and was not handled: 1 place for a standard signal, 16 for a real-time one, and 15 more for what comes though they are full | wrappers append; wrappers, or the end of a raise, take |
//!
//! # Steps
//! * **Raise**: `raises + 1`.
//! * **Lower**: `raises − 1`; *then* look at `pend`. For each signal that is in it and no longer
//!   masked: if something is noted, *kick*; `pend` off; if `blocked`, take it off and unblock. But where
//!   another has blocked the signal:
//!   * a handler that runs (`around`): nothing. It has a kick on its way, or the lower that the handler
//!     interrupted sees to it;
//!   * the program: *put back*. With all signals blocked, a kick that is pending is taken out of the
//!     system's queue, and what is noted is sent once more, in order: to the thread itself, or to the
//!     process, if it came there and the system allows it. If more of the signal is
//!     in that queue, what is noted would come behind it: then it stays, and so does `pend`. The wrapper
//!     runs for what is in the queue.
//! * **Arrival** (the wrapper, which the system calls for every signal):
//!   * a fault: call the handler;
//!   * masked: note it. If a real-time signal's places are full now, it goes into `blocked`: more come
//!     only if the program unblocks it. A standard signal that is noted already *merges*: the one that
//!     was noted is taken, changed and appended anew, so that nobody who is interrupted in taking it
//!     uses what it was. `pend` on;
//!   * not masked: call the handler with the oldest of what is noted and what arrived. Before that,
//!     *kick* if something is left; and likewise for other signals that are noted and not masked, unless
//!     they are pending: the handler may not return to the lower, or the wrapper, that it interrupted.
//!
//!   On return `blocked` goes into the mask of the interrupted context.
//! * **Kick**: the thread sends itself the same signal, marked. It brings the system to call the
//!   handler; what with is in the notes. If the system has no room for it, which it always has for
//!   standard signals, the handlers are called one after the other with their class blocked. Likewise if
//!   another handler is installed over the wrapper and calls it: that one would see the signal twice.
//!   A standard signal merges with one that is pending, and is lost if that is a kick with nothing
//!   noted. So the last look at the note and the kick are made with all signals blocked; and a kick
//!   that is pending when the note is taken (`kicked` says that one may be) is taken out of the
//!   system's queue by that wrapper.
//! * **Around a handler**: `blocked` is put aside, and put back after.
//!
//! # Invariants
//! * **D1** Something is noted ⇒ `pend` is on, or the signal is pending, or the thread is in a wrapper
//!   for it.
//! * **D2** A signal is in `blocked` ⇒ `pend` is on, or the thread is in a lower, at this signal; or a
//!   handler runs that has put it aside.
//! * **D3** Each that arrives is handled once, or merged; of one signal in the order of arrival. (But for
//!   the one whose wrapper is interrupted, before it calls the handler, by a handler that does not
//!   return: as of any handler. And but for a real-time signal that another thread sends in the very
//!   moment in which those that were noted are put back: it may come between them.)
//! * **D4** While a thread stands at a class, no handler of that class or below begins on it, but for
//!   faults.
//!
//! # Orderings
//! Everything is of one thread and its handlers, so every order is Relaxed: a processor shows a thread
//! its own accesses in their order. What the compiler may not move across is fenced: after a raise,
//! and on both sides of the step that lowers. `pend` and `blocked` are changed by single read-modify-
//! writes, since a handler may come between a load and a store.
//!
//! # Rejected
//! Blocking in the interrupted context and sending the signal once more: the order of real-time
//! signals is lost, the later of two standard signals may survive, the block gets lost or stays for
//! ever with nested wrappers, it leaks into masks that are saved meanwhile, and a fault while its
//! signal is blocked kills the process.

mod kernel;
mod level;
mod lower;
mod notes;
mod signals;
mod wrapper;

pub use self::kernel::{Arrival, Kernel, Refused, When};
pub use self::level::Raises;
pub use self::notes::{Notes, PLACES};
pub use self::signals::{Signal, Signals};

use crate::platform::{Class, Raised};
use crate::sync::{Ordering, OwnU64, const_fn, handler_fence, mutated};

/// Where the signals of one thread are dealt with: what it has raised, and what it has to see to.
///
/// Belongs in thread-local storage, and to that thread and its handlers alone.
#[derive(Debug)]
pub struct Desk {
    raises: OwnU64,
    pend: OwnU64,
    blocked: OwnU64,
    kicked: OwnU64,
    around: OwnU64,
    back: OwnU64,
}

impl Desk {
    const_fn! {
        /// The desk of a thread that has raised nothing.
        #[must_use]
        pub const fn new() -> Self {
            Self {
                raises: OwnU64::new(0),
                pend: OwnU64::new(0),
                blocked: OwnU64::new(0),
                kicked: OwnU64::new(0),
                around: OwnU64::new(0),
                back: OwnU64::new(0),
            }
        }
    }

    /// Raises the thread to `to`, on behalf of an owner that has raised `held`. The answer stands for
    /// both.
    #[inline]
    #[must_use]
    pub fn raise(&self, to: Class, held: Raised) -> Raised {
        let once = Raises::once(to);
        self.set_raises(self.raises().and(once));
        // What follows is done raised.
        handler_fence();
        Raised::new(held.state() + once.bits())
    }

    /// Takes back what `held` stands for, and has all delivered that has arrived meanwhile.
    #[inline]
    pub fn lower<K: Kernel>(&self, held: Raised) {
        // What came before was done raised.
        handler_fence();
        let early = mutated!(DeferLooksBeforeLowering) && self.pend.load(Ordering::Relaxed) == 0;
        self.set_raises(self.raises().without(Raises::from_bits(held.state())));
        // A signal that arrives before this step is noted, and seen now; one that arrives after it is
        // handled.
        handler_fence();
        if self.pend.load(Ordering::Relaxed) != 0 && !early {
            self.settle::<K>();
        }
    }

    /// Where the thread stands.
    #[inline]
    #[must_use]
    pub fn level(&self) -> Class {
        self.raises().level()
    }

    /// In the only thread of a child that was forked, with all registered signals blocked: what has
    /// arrived is the parent's. Returns what is blocked for want of room, which is to be unblocked.
    #[must_use]
    pub fn forked<K: Kernel>(&self) -> Signals {
        self.forget::<K>();
        Signals::from_bits(self.blocked.swap(0, Ordering::Relaxed))
    }

    /// The thread ends and has all registered signals blocked: hands out what is noted, which nobody
    /// else will handle.
    pub fn end<K: Kernel>(&self, mut left: impl FnMut(Signal, &K::Info)) {
        if let Some(notes) = K::notes() {
            let back = Signals::from_bits(self.back.load(Ordering::Relaxed));
            for signal in Signals::from_bits(u64::MAX).each() {
                let note = notes.of(signal);
                while back.has(signal)
                    && note.has_room()
                    && let Some(Arrival::Sent(info)) = K::absorb(signal)
                {
                    note.append(info);
                }
                while let Some(info) = note.take() {
                    left(signal, &info);
                }
            }
        }
        self.forget::<K>();
    }

    fn forget<K: Kernel>(&self) {
        self.pend.swap(0, Ordering::Relaxed);
        self.kicked.swap(0, Ordering::Relaxed);
        self.back.swap(0, Ordering::Relaxed);
        if let Some(notes) = K::notes() {
            notes.clear();
        }
    }

    /// What the thread has raised.
    #[inline]
    #[must_use]
    pub fn raises(&self) -> Raises {
        Raises::from_bits(self.raises.load(Ordering::Relaxed))
    }

    /// Not in one step with the load before: a handler that comes between gives back what it takes.
    #[inline]
    fn set_raises(&self, raises: Raises) {
        self.raises.store(raises.bits(), Ordering::Relaxed);
    }

    fn is_noted<K: Kernel>(signal: Signal) -> bool {
        K::notes().is_some_and(|notes| !notes.of(signal).is_empty())
    }

    /// Kicks `signal`, unless a handler that has come since the caller looked has taken what was noted.
    /// A standard signal merges with a kick that is on its way: there must be a note for both. So none
    /// comes between this look and the kick.
    ///
    /// # Errors
    /// As [`Kernel::kick`].
    fn kick_noted<K: Kernel>(&self, signal: Signal) -> Result<(), Refused> {
        if signal.is_real_time() || mutated!(DeferKicksUnheld) {
            // First: its wrapper, which runs before the kick returns if it is not blocked, unsets it.
            self.set(&self.kicked, Signals::of(signal).bits());
            let kicked = K::kick(signal);
            if kicked.is_err() {
                self.unset(&self.kicked, Signals::of(signal).bits());
            }
            return kicked;
        }
        let mask = K::hold();
        let mut kicked = Ok(());
        if Self::is_noted::<K>(signal) {
            // It is this signal's wrapper that was interrupted, perhaps, and takes the note next.
            if K::has(&mask, signal) {
                self.set(&self.kicked, Signals::of(signal).bits());
            }
            kicked = K::kick(signal);
        }
        K::leave(mask, Signals::NONE);
        kicked
    }

    fn blocked(&self) -> Signals {
        Signals::from_bits(self.blocked.load(Ordering::Relaxed))
    }

    fn around(&self) -> Signals {
        Signals::from_bits(self.around.load(Ordering::Relaxed))
    }

    /// Not in one step with the load before: a handler that comes between puts back what it found.
    fn set_around(&self, signals: Signals) {
        self.around.store(signals.bits(), Ordering::Relaxed);
    }

    /// What is marked and not masked.
    fn due<K: Kernel>(&self) -> Signals {
        let pend = Signals::from_bits(self.pend.load(Ordering::Relaxed));
        pend.within(K::above(self.level()))
    }

    fn unset_pend(&self, signal: Signal) {
        self.unset(&self.pend, Signals::of(signal).bits());
    }

    fn set_pend(&self, signal: Signal) {
        self.set(&self.pend, Signals::of(signal).bits());
    }

    /// In one step: a handler that comes between a load and a store would lose its own bits.
    fn set(&self, word: &OwnU64, bits: u64) {
        if mutated!(DeferPendInTwoSteps) {
            return word.store(word.load(Ordering::Relaxed) | bits, Ordering::Relaxed);
        }
        word.fetch_or(bits, Ordering::Relaxed);
    }

    fn unset(&self, word: &OwnU64, bits: u64) {
        if mutated!(DeferPendInTwoSteps) {
            return word.store(word.load(Ordering::Relaxed) & !bits, Ordering::Relaxed);
        }
        word.fetch_and(!bits, Ordering::Relaxed);
    }
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests;
