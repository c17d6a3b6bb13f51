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
    /// The handler may leave by `longjmp`. Then all values on this stack are lost.
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
                // Kicks the fault's own signal as well: this arm takes none of its notes.
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

    /// Sets `around` for the handler: a signal that is not in it and is blocked later is blocked by
    /// the program. Returns the former `around`, as far as the interrupted context still blocks it.
    /// (A `longjmp` may have left the context of that value.)
    fn begin<K: SignalSystem>(&self, signal: Signal, frame: &K::Frame) -> Signals {
        let there = K::blocked_in(frame);
        let around = self.around().within(there);
        self.set_around(there.and(Self::masked_by::<K>(signal)));
        around
    }

    /// The signals that the system blocks during the handler of `signal`. Signals of faults may be
    /// among them, though the system does not block those.
    pub(super) fn masked_by<K: SignalSystem>(signal: Signal) -> Signals {
        let up_to = K::above(Class::Thread).without(K::above(K::class(signal)));
        up_to.and(Signals::of(signal))
    }

    /// Notes a masked signal, for the next lower.
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
            // The program has unblocked the full signal more than once. The system keeps this
            // arrival, behind others of its number, if it can.
            self.block(signal);
            let _ = K::send(signal, &info);
        } else if !mutated!(DeferDropsWhatMerges) {
            note.merge(info, K::merge);
        }
        self.set_pend(signal);
    }

    /// Handles the oldest arrival of a signal that is not masked. If none is noted, that is the
    /// signal that arrived now.
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

    /// Takes a kick that would find no note out of the system's queue. A handler sent it when it
    /// came in between, before the note was taken. The next standard signal of this number would
    /// merge with that kick, and be lost.
    ///
    /// Signals that came before the kick go to the notes.
    pub(super) fn absorb<K: SignalSystem>(&self, signal: Signal, note: &Note<'_, K::Info>) {
        let kicked = Signals::from_bits(self.kicked.load(Ordering::Relaxed)).has(signal);
        if !kicked || mutated!(DeferLeavesKickBehind) {
            return;
        }
        // Before the look at the queue: a kick from here on sets the bit again.
        self.unset(&self.kicked, Signals::of(signal).bits());
        while let Some(Arrival::Sent(later) | Arrival::Fault(later)) = K::absorb(signal) {
            if !signal.is_real_time() {
                // The kick has merged with this signal.
                return note.merge(later, K::merge);
            }
            note.append(later);
            if !note.has_room() {
                return;
            }
        }
    }

    /// Kicks `signal` if it is noted, so that the next note is delivered after this one. Returns
    /// false if the system has no room for a kick.
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

    /// Kicks all noted signals that are not masked, except `but`. The signal that arrived may have
    /// interrupted the lower that handles them, or their own wrapper. Its handler may not return
    /// there.
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

    /// The marked signals that the interrupted context blocks and that a lower has tried to put
    /// back. Most likely the program blocks them. It may take them by other means than a handler,
    /// and must not find a kick. They stay marked, for a later lower.
    fn kept(&self, there: Signals) -> Signals {
        if mutated!(DeferKicksWhatIsKept) {
            return Signals::NONE;
        }
        let marked = self.pend.load(Ordering::Relaxed) & self.back.load(Ordering::Relaxed);
        Signals::from_bits(marked).within(there)
    }

    /// Calls the handler. Its lowers must not unblock signals that were blocked before. The handler
    /// runs in a frame of its own, and only the frame that blocked a signal can unblock it.
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
        // The handler may have delivered the notes of these signals and unset the marks. The next
        // lower of this frame unblocks them.
        if !mutated!(DeferForgetsOuterBlocked) {
            self.set(&self.pend, outer);
        }
    }

    /// Has the signal blocked from the wrapper's return on, until the thread is lowered.
    fn block(&self, signal: Signal) {
        self.set(&self.blocked, Signals::of(signal).bits());
    }
}
