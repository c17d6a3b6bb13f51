//! What the end of a raise does about signals that were noted meanwhile.

use super::kernel::{Kernel, When};
use super::signals::{Signal, Signals};
use super::{Desk, Raises};
use crate::sync::{handler_fence, mutated};

impl Desk {
    /// Has all delivered that is noted and no longer masked.
    #[cold]
    #[inline(never)]
    pub(super) fn settle<K: Kernel>(&self) {
        let mut left = Signals::NONE;
        while let Some(signal) = self.due::<K>().without(left).first() {
            if !self.settle_one::<K>(signal) {
                left = left.and(Signals::of(signal));
            }
        }
    }

    /// False: this must be left to a later lower.
    ///
    /// The mark goes last: a handler that comes in between, and does not return, leaves what is noted
    /// either marked or on its way. A mark that such a handler sets is its own lower's to see to.
    fn settle_one<K: Kernel>(&self, signal: Signal) -> bool {
        if !Self::is_noted::<K>(signal) {
            self.unset_pend(signal);
        } else if K::is_blocked(signal) && !self.blocked().has(signal) {
            let kicks = mutated!(DeferKicksWhatIsBlocked) && self.kick_noted::<K>(signal).is_ok();
            // In a handler, its own wrapper has seen to it, or the lower that was interrupted will.
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
        // After the kick, so that a signal that the system has queued comes behind what is noted, or
        // finds it.
        if self.blocked().has(signal) {
            self.unset(&self.blocked, Signals::of(signal).bits());
            K::unblock(Signals::of(signal));
        }
        true
    }

    /// The handler as a function, with its class masked as a lock masks it. The mark goes first: what
    /// is noted from then on sets it again.
    fn call_raised<K: Kernel>(&self, signal: Signal) {
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

    /// The handler as a function, with its class blocked, as the system would have it: there is no
    /// room for a kick, and it may need to leave by `longjmp`.
    fn call_blocked<K: Kernel>(&self, signal: Signal) {
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

    /// Gives what is noted back to the system, in order, as it was sent. The program has blocked the
    /// signal since: it may take it by other means than a handler, and those must not find a kick.
    ///
    /// False: the system's queue has more of the signal already, or no room. What is noted would come
    /// behind those, so it stays. Those in the queue bring the wrapper to run.
    fn put_back<K: Kernel>(&self, signal: Signal) -> bool {
        let note = K::make_notes().of(signal);
        let mask = K::hold();
        // From a handler that has interrupted this lower.
        self.absorb::<K>(signal, &note);
        self.set(&self.back, Signals::of(signal).bits());
        let mut next = note.oldest();
        // Last, so that hardly anything comes between this look and the first that is sent.
        let mut back = !K::is_pending(signal);
        while back && let Some(info) = next {
            back = K::send(signal, &info).is_ok();
            if back {
                note.take();
                next = note.oldest();
            }
        }
        K::leave(mask, Signals::NONE);
        back
    }
}
