//! The arrival of a signal: it is noted, or the oldest noted one is handled.

use super::PendingSignals;
use super::notes::Note;
use super::signals::{Signal, Signals};
use super::system::{Arrival, SignalSystem, When};
use crate::platform::Class;
use crate::sync::{Ordering, mutated};

impl PendingSignals {
    /// A signal has arrived, and interrupted this thread at `frame`. The signal's wrapper calls
    /// this, and does nothing else.
    ///
    /// The handler may leave by `longjmp`. Then all that is kept on this stack is lost.
    pub fn arrive<K: SignalSystem>(
        &self,
        signal: Signal,
        arrival: Arrival<K::Info>,
        frame: &mut K::Frame,
    ) {
        let around = self.begin::<K>(signal, frame);
        // Relaxed, here and below: see the module on orderings.
        let masked = self.raises().reach(K::class(signal));
        if matches!(arrival, Arrival::Kick) && signal.is_real_time() {
            self.unset(&self.kicked, Signals::of(signal).bits());
        }
        match arrival {
            Arrival::Fault(info) => {
                // Notes of its own signal, too: none of them is taken here.
                if !mutated!(DeferFaultLeavesOthersBehind) {
                    self.kick_others::<K>(Signals::NONE, frame);
                }
                self.run::<K>(signal, &info, When::AtOnce, Some(frame));
            }
            Arrival::Kick if masked => self.set_pend(signal),
            Arrival::Sent(info) if masked => self.defer::<K>(signal, info),
            Arrival::Kick => self.deliver::<K>(signal, None, frame),
            Arrival::Sent(info) => self.deliver::<K>(signal, Some(info), frame),
        }
        // On every return: the saved mask, which comes back now, lacks the signals that were
        // blocked since.
        if !mutated!(DeferLeavesFrameUnblocked) {
            K::block_in(frame, self.blocked());
        }
        self.set_around(around);
    }

    /// Signals that are blocked from here on were not blocked by the handler. Returns those of the
    /// interrupted context. (That context may have been left by `longjmp`: then it blocks less.)
    fn begin<K: SignalSystem>(&self, signal: Signal, frame: &K::Frame) -> Signals {
        let there = K::blocked_in(frame);
        let around = self.around().within(there);
        self.set_around(there.and(Self::masked_by::<K>(signal)));
        around
    }

    /// The signals that the system blocks during the handler of `signal`, and some faults' signals.
    pub(super) fn masked_by<K: SignalSystem>(signal: Signal) -> Signals {
        let up_to = K::above(Class::Thread).without(K::above(K::class(signal)));
        up_to.and(Signals::of(signal))
    }

    /// The signal is masked: notes it, for the next lower.
    fn defer<K: SignalSystem>(&self, signal: Signal, info: K::Info) {
        if mutated!(DeferBlocksAndRequeues) {
            self.block(signal);
            let _ = K::send(signal, &info);
            return self.set_pend(signal);
        }
        let note = K::make_notes().of(signal);
        if note.has_room() {
            note.append(info);
            if signal.is_real_time() && note.is_full() {
                self.block(signal);
            }
        } else if signal.is_real_time() {
            // The program has unblocked the full signal, more than once. The system keeps this one,
            // behind others of its number, if it can.
            self.block(signal);
            let _ = K::send(signal, &info);
        } else if !mutated!(DeferDropsWhatMerges) {
            note.merge(info, K::merge);
        }
        self.set_pend(signal);
    }

    /// The signal is not masked: handles the oldest. If none is noted, that is the one that
    /// arrived.
    fn deliver<K: SignalSystem>(
        &self,
        signal: Signal,
        arrived: Option<K::Info>,
        frame: &mut K::Frame,
    ) {
        // Before the handler, so that a handler that does not return loses nothing.
        self.kick_others::<K>(Signals::of(signal), frame);
        let note = K::notes().map(|notes| notes.of(signal)).filter(|note| !note.is_empty());
        let (Some(note), false) = (note, mutated!(DeferArrivalOvertakes) && arrived.is_some())
        else {
            if let Some(info) = arrived {
                self.run::<K>(signal, &info, When::AtOnce, Some(frame));
            }
            return;
        };
        if let Some(arrived) = arrived {
            note.append(arrived);
        }
        let first = note.take();
        if !signal.is_real_time() {
            self.absorb::<K>(signal, &note);
        }
        let after = mutated!(DeferKicksAfterHandler);
        let chained = after || self.chain::<K>(signal);
        if let Some(info) = first {
            self.run::<K>(signal, &info, When::PutOff, Some(frame));
        }
        if after {
            self.chain::<K>(signal);
        }
        while !chained && let Some(info) = note.take() {
            self.run::<K>(signal, &info, When::PutOff, Some(frame));
        }
    }

    /// A handler that came in between, before a note was taken, has kicked once more. That kick
    /// would find no note. In the system's queue the next standard signal of this number would
    /// merge with it, and be lost. So it is taken out.
    ///
    /// Signals that came before the kick go to the notes.
    pub(super) fn absorb<K: SignalSystem>(&self, signal: Signal, note: &Note<'_, K::Info>) {
        let kicked = Signals::from_bits(self.kicked.load(Ordering::Relaxed)).has(signal);
        if !kicked || mutated!(DeferLeavesKickBehind) {
            return;
        }
        // First: a kick from here on sets it again.
        self.unset(&self.kicked, Signals::of(signal).bits());
        while let Some(Arrival::Sent(later) | Arrival::Fault(later)) = K::absorb(signal) {
            if !signal.is_real_time() {
                // The kick has merged with it.
                return note.merge(later, K::merge);
            }
            note.append(later);
            if !note.has_room() {
                return;
            }
        }
    }

    /// Has the next noted one delivered after this one. Returns false if the system has no room for
    /// a kick.
    fn chain<K: SignalSystem>(&self, signal: Signal) -> bool {
        if !Self::is_noted::<K>(signal) || mutated!(DeferNoChain) {
            return true;
        }
        let unheld = mutated!(DeferChainsUnheld);
        let kicked = if unheld { K::kick(signal) } else { self.kick_noted::<K>(signal) };
        if kicked.is_ok() {
            return true;
        }
        // If the handler does not return, the next lower handles the rest.
        if !mutated!(DeferForgetsRefusedKick) {
            self.set_pend(signal);
        }
        false
    }

    /// Has all other noted signals that are not masked delivered, `but` not this one. The signal
    /// that came may have interrupted the lower that handles them, or their own wrapper. Its
    /// handler may not return there.
    fn kick_others<K: SignalSystem>(&self, but: Signals, frame: &K::Frame) {
        if K::notes().is_none() || mutated!(DeferLeavesOthersBehind) {
            return;
        }
        let but = but.and(self.kept(K::blocked_in(frame)));
        for signal in K::above(self.level()).without(but).each() {
            // A kick of a standard signal merges with the kick before. The system is asked last.
            let kicked = || signal.is_real_time() && K::is_pending(signal);
            if Self::is_noted::<K>(signal) && !kicked() {
                self.chain::<K>(signal);
            }
        }
    }

    /// The signals that are noted, that the interrupted context blocks, and that a lower has tried
    /// to put back. Most likely the program blocks them, and may take them by other means than a
    /// handler: it must not find a kick. They stay marked, for a later lower.
    fn kept(&self, there: Signals) -> Signals {
        if mutated!(DeferKicksWhatIsKept) {
            return Signals::NONE;
        }
        let marked = self.pend.load(Ordering::Relaxed) & self.back.load(Ordering::Relaxed);
        Signals::from_bits(marked).within(there)
    }

    /// Calls the handler. It must not unblock signals that were blocked before. It runs in a frame
    /// of its own, and only the frame in which a signal was blocked can unblock it.
    pub(super) fn run<K: SignalSystem>(
        &self,
        signal: Signal,
        info: &K::Info,
        when: When,
        frame: Option<&mut K::Frame>,
    ) {
        if mutated!(DeferOneBlockedSet) {
            return K::call(signal, info, when, frame);
        }
        let outer = self.blocked.swap(0, Ordering::Relaxed);
        K::call(signal, info, when, frame);
        self.set(&self.blocked, outer);
        // The handler may have delivered their notes and unset the marks. The lower here unblocks
        // them.
        if !mutated!(DeferForgetsOuterBlocked) {
            self.set(&self.pend, outer);
        }
    }

    /// The signal is to be blocked from the return on, until the thread is lowered.
    fn block(&self, signal: Signal) {
        self.set(&self.blocked, Signals::of(signal).bits());
    }
}
