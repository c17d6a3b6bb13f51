//! The end of a raise: it delivers the signals that were noted meanwhile.

use super::notes::Note;
use super::signals::{Signal, Signals};
use super::system::{SignalSystem, When};
use super::{PendingSignals, Raises};
use crate::sync::{handler_fence, mutated};

impl PendingSignals {
    /// Delivers all noted signals that are no longer masked.
    #[cold]
    #[inline(never)]
    pub(super) fn settle<K: SignalSystem>(&self) {
        let mut left = Signals::NONE;
        while let Some(signal) = self.due::<K>().without(left).first() {
            if !self.settle_one::<K>(signal) {
                left = left.and(Signals::of(signal));
            }
        }
    }

    /// Delivers the notes of one signal. Returns false if a later lower has to do it.
    ///
    /// The mark is unset last. So a handler that comes in between, and does not return, leaves each
    /// note either marked or on its way. A mark that such a handler sets is left to its own lower.
    fn settle_one<K: SignalSystem>(&self, signal: Signal) -> bool {
        if !Self::is_noted::<K>(signal) {
            self.unset_pend(signal);
        } else if K::is_blocked(signal) && !self.blocked().has(signal) {
            let kicks = mutated!(DeferKicksWhatIsBlocked) && self.kick_noted::<K>(signal).is_ok();
            // In a handler: the signal's own wrapper has seen to it, or the interrupted lower will.
            if !kicks && (self.around().has(signal) || !self.put_back::<K>(signal)) {
                return false;
            }
            self.unset_pend(signal);
        } else if K::is_direct(signal) {
            self.call_raised::<K>(signal);
        } else {
            if self.kick_noted::<K>(signal).is_err() {
                self.call_blocked::<K>(signal);
            }
            self.unset_pend(signal);
        }
        // After the kick: a signal in the system's queue then comes behind the notes, or finds
        // them.
        if self.blocked().has(signal) {
            self.unset(&self.blocked, Signals::of(signal).bits());
            K::unblock(Signals::of(signal));
        }
        true
    }

    /// Calls the handler as a function, with its class masked as a lock masks it. The mark is unset
    /// first: a later note sets it again.
    fn call_raised<K: SignalSystem>(&self, signal: Signal) {
        let once = Raises::once(K::class(signal));
        self.set_raises(self.raises().and(once));
        handler_fence();
        self.unset_pend(signal);
        let note = K::make_notes().of(signal);
        while let Some(info) = note.take() {
            K::call(signal, &info, When::PutOff, None);
        }
        handler_fence();
        self.set_raises(self.raises().without(once));
    }

    /// Calls the handler as a function, with its class blocked, as the system would do. The system
    /// has refused a kick, and the handler may need to leave by `longjmp`.
    fn call_blocked<K: SignalSystem>(&self, signal: Signal) {
        let note = K::make_notes().of(signal);
        let mask = K::enter(signal);
        let around = self.around();
        self.set_around(around.and(Self::masked_by::<K>(signal)));
        while let Some(info) = note.take() {
            self.run::<K>(signal, &info, When::PutOff, None);
        }
        self.set_around(around);
        K::leave(mask, self.blocked());
    }

    /// Gives the notes back to the system, in order, as they were sent. The program has blocked the
    /// signal since. It may take the signal by other means than a handler, and must not find a
    /// kick.
    ///
    /// Returns false if the notes stay. They stay if the system's queue has more of the signal
    /// already: they would come behind it, and the wrapper runs for the signals in the queue. They
    /// also stay if the queue has no room for all of them.
    fn put_back<K: SignalSystem>(&self, signal: Signal) -> bool {
        let note = K::make_notes().of(signal);
        let mask = K::hold();
        // A handler that has interrupted this lower may have left a kick.
        self.absorb::<K>(signal, &note);
        self.set(&self.back, Signals::of(signal).bits());
        let (noted, mut next) = (note.len(), note.oldest());
        // The last look, so that hardly any signal comes between it and the first that is sent.
        let mut back = !K::is_pending(signal);
        while back && let Some(info) = next {
            back = K::send(signal, &info).is_ok();
            if back {
                note.take();
                next = note.oldest();
            }
        }
        if !back && note.len() < noted && !mutated!(DeferLeavesRefusedBehind) {
            Self::take_back::<K>(signal, &note);
        }
        K::leave(mask, Signals::NONE);
        back
    }

    /// Takes the notes back that the system took before it refused the next one. They are older
    /// than the notes that stayed, so they go in front of these.
    fn take_back<K: SignalSystem>(signal: Signal, note: &Note<'_, K::Info>) {
        let stay = note.len();
        Self::note_queued::<K>(signal, note);
        for _ in 0..stay {
            if let Some(info) = note.take() {
                note.append(info);
            }
        }
    }
}
