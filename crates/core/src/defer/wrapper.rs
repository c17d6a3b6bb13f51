//! What runs when a signal arrives: note it, or handle the oldest that was noted.

use super::Desk;
use super::kernel::{Arrival, Kernel};
use super::signals::{Signal, Signals};
use crate::sync::{Ordering, mutated};

impl Desk {
    /// A signal has arrived, and interrupted this thread at `frame`. Called by the signal's wrapper,
    /// as the whole of what it does; returns when the wrapper should.
    ///
    /// The handler may leave by `longjmp`: nothing is kept on this stack that would be lost.
    pub fn arrive<K: Kernel>(
        &self,
        signal: Signal,
        arrival: Arrival<K::Info>,
        frame: &mut K::Frame,
    ) {
        // Relaxed, here and below: see the module on orderings.
        let raises = self.raises();
        match arrival {
            Arrival::Fault(info) => self.run::<K>(signal, &info, Some(frame)),
            Arrival::Kick if raises.reach(K::class(signal)) => self.set_pend(signal),
            Arrival::Sent(info) if raises.reach(K::class(signal)) => {
                self.defer::<K>(signal, info);
            }
            Arrival::Kick => self.deliver::<K>(signal, None, frame),
            Arrival::Sent(info) => self.deliver::<K>(signal, Some(info), frame),
        }
        // On every return: the saved mask, which comes back now, knows nothing of what was blocked
        // since.
        if !mutated!(DeferLeavesFrameUnblocked) {
            K::block_in(frame, Signals::from_bits(self.blocked.load(Ordering::Relaxed)));
        }
    }

    /// Masked: appends it, for whoever lowers the thread.
    fn defer<K: Kernel>(&self, signal: Signal, info: K::Info) {
        if mutated!(DeferBlocksAndRequeues) {
            self.block(signal);
            let _ = K::send(signal, &info);
            return self.set_pend(signal);
        }
        let note = K::make_notes().of(signal);
        if !note.is_full() {
            note.append(info);
            if signal.is_real_time() && note.is_full() {
                self.block(signal);
            }
        } else if signal.is_real_time() {
            // The program has unblocked what was full. The system keeps it, behind its like.
            self.block(signal);
            let _ = K::send(signal, &info);
        }
        // Else: a standard signal that was noted already. They merge, as the system's own do.
        self.set_pend(signal);
    }

    /// Not masked: handles the oldest, which is the one that arrived if none is noted.
    fn deliver<K: Kernel>(&self, signal: Signal, arrived: Option<K::Info>, frame: &mut K::Frame) {
        let note = K::notes().map(|notes| notes.of(signal)).filter(|note| !note.is_empty());
        let Some(note) = note else {
            if let Some(info) = arrived {
                self.run::<K>(signal, &info, Some(frame));
            }
            return;
        };
        let oldest = note.take();
        let first = match (oldest, arrived) {
            (_, Some(arrived)) if mutated!(DeferArrivalOvertakes) => {
                if let Some(oldest) = oldest {
                    note.append(oldest);
                }
                Some(arrived)
            }
            (oldest, arrived) => {
                // There is room: one was taken.
                if let Some(arrived) = arrived {
                    note.append(arrived);
                }
                oldest
            }
        };
        // Before the handler, so that a handler that does not return loses nothing.
        self.kick_due::<K>(signal);
        let after = mutated!(DeferKicksAfterHandler);
        let chained = after || self.chain::<K>(signal);
        if let Some(info) = first {
            self.run::<K>(signal, &info, Some(frame));
        }
        if after {
            self.chain::<K>(signal);
        }
        while !chained && let Some(info) = note.take() {
            self.run::<K>(signal, &info, Some(frame));
        }
    }

    /// Has the next one noted delivered after this one. False: the system has no room for a kick.
    fn chain<K: Kernel>(&self, signal: Signal) -> bool {
        let left = K::notes().is_some_and(|notes| !notes.of(signal).is_empty());
        if !left || mutated!(DeferNoChain) || K::kick(signal).is_ok() {
            return true;
        }
        // Should the handler not return, whoever is lowered next sees to the rest.
        self.set_pend(signal);
        false
    }

    /// Has the others delivered too that a lower, which this signal interrupts, has still to see to: the
    /// handler may not return to it. What is blocked is left to it all the same.
    fn kick_due<K: Kernel>(&self, but: Signal) {
        let due = Signals::from_bits(self.pend.load(Ordering::Relaxed))
            .within(K::above(self.level()))
            .without(Signals::of(but));
        for signal in due.each() {
            if !Signals::from_bits(self.blocked.load(Ordering::Relaxed)).has(signal) {
                self.unset(&self.pend, Signals::of(signal).bits());
            }
            self.chain::<K>(signal);
        }
    }

    /// Calls the handler. What was blocked before is not for it to unblock: it runs in a frame of its
    /// own, and only the frame that was blocked in can end that.
    pub(super) fn run<K: Kernel>(
        &self,
        signal: Signal,
        info: &K::Info,
        frame: Option<&mut K::Frame>,
    ) {
        if mutated!(DeferOneBlockedSet) {
            return K::call(signal, info, frame);
        }
        let outer = self.blocked.swap(0, Ordering::Relaxed);
        K::call(signal, info, frame);
        self.blocked.fetch_or(outer, Ordering::Relaxed);
        // A lower inside the handler may have taken the note's mark for done.
        self.set(&self.pend, outer);
    }

    /// The signal is to be blocked from the return on, until the thread is lowered.
    fn block(&self, signal: Signal) {
        self.set(&self.blocked, Signals::of(signal).bits());
    }
}
