//! Noting signals instead of blocking them: how a thread is raised above its own signal handlers
//! without a system call.
//!
//! # Promises
//! * A raise and its end are a few plain instructions, as long as no signal arrives between them.
//! * A signal may arrive at a thread that stands at its class or above. It is handled as soon as
//!   the thread is lowered, in the order of arrival, with its own information. Standard signals
//!   merge and real-time ones do not, as in the system's own queue. A timer's signal counts those
//!   that merged with it.
//! * A signal that the program blocks before the thread is lowered goes back to the system as it
//!   was sent. So the program may take it by other means than a handler. If the system does not
//!   take it back, the signal stays noted. The first lower after the program unblocks it handles
//!   it.
//! * The system calls the handler. So the handler sees the context in which the thread is now, runs
//!   on the stack and under the mask that were asked for, and may leave by `longjmp`.
//! * No signal is blocked while there is room to note it. So in a raised region nothing leaks into
//!   masks that are saved or inherited. Signals of faults are never blocked, except during a few
//!   instructions of ours that raise none. A fault is handled at once.
//!
//! Not promised: the region between a raise and its end must be left by that end alone, not by
//! `longjmp` or the end of the thread. A handler that interrupts it must not jump to a point
//! inside, either: a signal whose places were full may stay blocked. Calls in it that block may
//! return early (`EINTR`), and must not wait for one of these signals. A signal to the process may
//! come late, although other threads are free. If the program itself blocks a real-time signal in
//! the region after its places were full, the end of the region unblocks it. If the program blocks
//! a signal in the region, and takes it by other means in the handler of another one, it may find a
//! kick, the first time. If a handler interrupts the wrapper of a signal of which some were put
//! back earlier, and leaves by `longjmp`, the notes of that signal wait for the next lower.
//!
//! # Words
//! | of each thread | content | changed by |
//! | --- | --- | --- |
//! | `raises` | how often each class was raised, and so the level | the thread; a handler gives back its own |
//! | `pend` | a bit a signal: the end of a raise has to handle it | set by wrappers, unset by that end |
//! | `blocked` | a bit a signal: blocked in this frame, for want of room | likewise |
//! | `kicked` | a bit a signal: a kick was sent while it was blocked, and may be pending | set with the kick, unset by the wrapper that takes it back, or runs |
//! | `around` | a bit a signal: blocked by the running handler, or in the context that it interrupted | the wrapper and a lower that calls handlers; both restore the former value |
//! | `back` | a bit a signal: some of it were put back, or were to be | set by a lower, until the thread ends |
//! | `notes` | signals that arrived and were not handled: 1 place for a standard signal, 16 for a real-time one, and 15 more for signals that come although these are full | wrappers append; wrappers, or the end of a raise, take |
//!
//! # Steps
//! * **Raise**: `raises + 1`.
//! * **Lower**: `raises − 1`; *then* look at `pend`. For each signal that is in it and no longer
//!   masked: if a note is there, *kick*; `pend` off; if `blocked`, unset that and unblock the
//!   signal. There are two exceptions, for a signal that is noted and blocked, but not in
//!   `blocked`:
//!   * A running handler blocks it (`around`): do nothing. A kick is on its way, or the lower that
//!     the handler interrupted goes on with the signal.
//!   * The program blocks it: *put back*. Block all signals. Take a pending kick out of the
//!     system's queue, and send the notes once more, in order. They go to the thread itself, or to
//!     the process if they came there and the system allows it. If the queue has more of the signal
//!     already, the notes would come behind it. Then they stay, and `pend` stays on, for a later
//!     lower; the wrapper runs for the signals in the queue. If the system has no room for all
//!     notes, those that were sent are taken back, and all of them stay.
//! * **Arrival** (the wrapper, which the system calls for every signal):
//!   * a fault: call the handler;
//!   * masked: note it, and set `pend`. If a real-time signal's places are full now, it goes into
//!     `blocked`, and more of it come only if the program unblocks it. A standard signal that is
//!     noted already *merges*: its note is taken, changed and appended anew. So a thread that is
//!     interrupted while it takes the note does not use the former content;
//!   * not masked: call the handler with the oldest of the notes and the signal that arrived.
//!     Before that, *kick* if a note is left. Also kick other signals that are noted, not masked,
//!     not pending, and not kept. (A signal is kept if the interrupted context blocks it, after a
//!     lower has tried to put some of it back.) The handler may not return to the lower, or the
//!     wrapper, that it interrupted.
//!
//!   On return `blocked` goes into the mask of the interrupted context, and into `pend`. A handler
//!   has a `blocked` of its own. It may have delivered those notes and unset the marks.
//! * **Kick**: the thread sends itself the same signal, marked, so that the system calls the
//!   handler. The notes have the handler's arguments. The system always has room for a standard
//!   signal. If it has none for a real-time one, the lower or the wrapper calls the handler for one
//!   note after the other, with its class blocked. The same is done if another handler is installed
//!   over the wrapper and calls it: that handler would see the signal twice.
//!
//!   A standard signal merges with a pending one, and is lost if that is a kick without a note. So
//!   the last look at the note, and the kick, are made with all signals blocked. A kick may be
//!   pending when the note is taken, as `kicked` says. Then the wrapper that takes the note takes
//!   the kick out of the system's queue.
//! * **Around a handler**: `blocked` is put aside before the handler, and put back after it.
//!
//! # Invariants
//! * **D1** A note is there ⇒ `pend` is on, or the signal is pending, or the thread is in a wrapper
//!   for it.
//! * **D2** A signal is in `blocked` ⇒ `pend` is on; or the thread is in a lower, at this signal;
//!   or the signal is put aside around a running handler.
//! * **D3** Each signal that arrives is handled once, or merged, and those of one number in the
//!   order of arrival. There are two exceptions. A wrapper may be interrupted before it calls the
//!   handler, by a handler that does not return, as any handler may be. And another thread may send
//!   a real-time signal at the very moment in which notes are put back: it may come between them.
//! * **D4** While a thread stands at a class, no handler of that class or below begins on it,
//!   except for faults.
//!
//! # Orderings
//! One thread and its handlers make all accesses, so every order is Relaxed: a processor shows a
//! thread its own accesses in their order. Fences keep the compiler from moving accesses: after a
//! raise, and on both sides of the step that lowers. `pend` and `blocked` are changed by single
//! read-modify-writes, since a handler may come between a load and a store.
//!
//! # Rejected
//! Blocking in the interrupted context, and sending the signal once more. It loses the order of
//! real-time signals. The later of two standard signals may survive. With nested wrappers the block
//! gets lost, or stays for ever. It leaks into masks that are saved meanwhile. And a fault kills
//! the process while its signal is blocked.

mod level;
mod lower;
mod notes;
mod signals;
mod system;
mod wrapper;

pub use self::level::Raises;
pub use self::notes::{Notes, PLACES};
pub use self::signals::{Signal, Signals};
pub use self::system::{Arrival, Refused, SignalSystem, When};

use self::notes::Note;
use crate::platform::{Class, Raised};
use crate::sync::{Ordering, OwnU64, const_fn, handler_fence, mutated};

/// One thread's raises, and the signals that it still has to handle.
///
/// It belongs in thread-local storage, and to that thread and its handlers alone.
#[derive(Debug)]
pub struct PendingSignals {
    raises: OwnU64,
    pend: OwnU64,
    blocked: OwnU64,
    kicked: OwnU64,
    around: OwnU64,
    back: OwnU64,
}

impl PendingSignals {
    const_fn! {
        /// The state of a thread that has raised nothing.
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

    /// Raises the thread to `to`, for an owner that has raised `held`. The result stands for both.
    #[inline]
    #[must_use]
    pub fn raise(&self, to: Class, held: Raised) -> Raised {
        let once = Raises::once(to);
        self.set_raises(self.raises().and(once));
        // The thread is raised for all that follows.
        handler_fence();
        Raised::new(held.state() + once.bits())
    }

    /// Takes back the raises of `held`, and delivers all signals that have arrived meanwhile.
    #[inline]
    pub fn lower<K: SignalSystem>(&self, held: Raised) {
        // The thread was raised for all that came before.
        handler_fence();
        let early = mutated!(DeferLooksBeforeLowering) && self.pend.load(Ordering::Relaxed) == 0;
        self.set_raises(self.raises().without(Raises::from_bits(held.state())));
        // A signal that arrives before this step is noted, and seen now. A signal that arrives
        // after it is handled at once.
        handler_fence();
        if self.pend.load(Ordering::Relaxed) != 0 && !early {
            self.settle::<K>();
        }
    }

    /// The thread's level.
    #[inline]
    #[must_use]
    pub fn level(&self) -> Class {
        self.raises().level()
    }

    /// Forgets all arrivals, which are the parent's. For the only thread of a forked child, with
    /// all registered signals blocked. Returns the signals that are blocked for want of room. The
    /// caller unblocks them.
    #[must_use]
    pub fn forked<K: SignalSystem>(&self) -> Signals {
        self.forget::<K>();
        Signals::from_bits(self.blocked.swap(0, Ordering::Relaxed))
    }

    /// Hands out all notes, which no other thread will handle. For a thread that ends, with all
    /// registered signals blocked.
    pub fn end<K: SignalSystem>(&self, mut left: impl FnMut(Signal, &K::Info)) {
        if let Some(notes) = K::notes() {
            let back = Signals::from_bits(self.back.load(Ordering::Relaxed));
            for signal in Signals::from_bits(u64::MAX).each() {
                let note = notes.of(signal);
                if back.has(signal) {
                    Self::note_queued::<K>(signal, &note);
                }
                while let Some(info) = note.take() {
                    left(signal, &info);
                }
            }
        }
        self.forget::<K>();
    }

    /// Notes what the system's queue has of this signal, which is blocked, as far as there is room.
    fn note_queued<K: SignalSystem>(signal: Signal, note: &Note<'_, K::Info>) {
        while note.has_room()
            && let Some(Arrival::Sent(info)) = K::absorb(signal)
        {
            note.append(info);
        }
    }

    fn forget<K: SignalSystem>(&self) {
        self.pend.swap(0, Ordering::Relaxed);
        self.kicked.swap(0, Ordering::Relaxed);
        self.back.swap(0, Ordering::Relaxed);
        if let Some(notes) = K::notes() {
            notes.clear();
        }
    }

    /// The thread's raises.
    #[inline]
    #[must_use]
    pub fn raises(&self) -> Raises {
        Raises::from_bits(self.raises.load(Ordering::Relaxed))
    }

    /// Not in one step with the load before it: a handler that comes between takes back its own
    /// raises.
    #[inline]
    fn set_raises(&self, raises: Raises) {
        self.raises.store(raises.bits(), Ordering::Relaxed);
    }

    fn is_noted<K: SignalSystem>(signal: Signal) -> bool {
        K::notes().is_some_and(|notes| !notes.of(signal).is_empty())
    }

    /// Kicks `signal`, unless a handler that has come since the caller looked has taken the notes.
    /// A standard signal merges with a kick that is on its way, so there must be a note for both.
    /// Therefore no signal may come between this look and the kick.
    ///
    /// # Errors
    /// As [`SignalSystem::kick`].
    fn kick_noted<K: SignalSystem>(&self, signal: Signal) -> Result<(), Refused> {
        if signal.is_real_time() || mutated!(DeferKicksUnheld) {
            // Before the kick: if the signal is not blocked, its wrapper runs and unsets the bit
            // before the kick returns.
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
            // If the signal is blocked, its wrapper may have been interrupted, and takes the note
            // next.
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

    /// Not in one step with the load before it: a handler that comes between restores the former
    /// value.
    fn set_around(&self, signals: Signals) {
        self.around.store(signals.bits(), Ordering::Relaxed);
    }

    /// The signals that are marked and not masked.
    fn due<K: SignalSystem>(&self) -> Signals {
        let pend = Signals::from_bits(self.pend.load(Ordering::Relaxed));
        pend.within(K::above(self.level()))
    }

    fn unset_pend(&self, signal: Signal) {
        self.unset(&self.pend, Signals::of(signal).bits());
    }

    fn set_pend(&self, signal: Signal) {
        self.set(&self.pend, Signals::of(signal).bits());
    }

    /// In one step: the bits of a handler that comes between a load and a store would be lost.
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

impl Default for PendingSignals {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests;
