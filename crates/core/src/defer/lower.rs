//! What the end of a raise does about signals that were noted meanwhile.

use super::kernel::Kernel;
use super::signals::{Signal, Signals};
use super::{Desk, Raises};
use crate::sync::handler_fence;

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
        let by_others = || K::is_blocked(signal) && !self.blocked().has(signal);
        if !Self::is_noted::<K>(signal) {
            self.unset_pend(signal);
        } else if K::is_direct(signal) && !by_others() {
            self.call_raised::<K>(signal);
        } else if self.kick_noted::<K>(signal).is_ok() {
            self.unset_pend(signal);
        } else if !by_others() {
            self.call_blocked::<K>(signal);
            self.unset_pend(signal);
        } else {
            // This is within its own handler, which will see to the rest; or the program has blocked
            // it, and no kick can be queued.
            return false;
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
            K::call(signal, &info, None);
        }
        handler_fence();
        self.set_raises(self.raises().without(once));
    }

    /// The handler as a function, with its class blocked, as the system would have it: there is no
    /// room for a kick, and it may need to leave by `longjmp`.
    fn call_blocked<K: Kernel>(&self, signal: Signal) {
        let note = K::make_notes().of(signal);
        let mask = K::enter(signal);
        while let Some(info) = note.take() {
            self.run::<K>(signal, &info, None);
        }
        K::leave(mask, self.blocked());
    }
}
