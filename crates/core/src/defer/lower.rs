//! What the end of a raise does about signals that were noted meanwhile.

use super::kernel::Kernel;
use super::signals::{Signal, Signals};
use super::{Desk, Raises};
use crate::sync::{Ordering, handler_fence};

impl Desk {
    /// Has all delivered that is noted and no longer masked.
    #[cold]
    #[inline(never)]
    pub(super) fn settle<K: Kernel>(&self) {
        loop {
            let pend = Signals::from_bits(self.pend.load(Ordering::Relaxed));
            let due = pend.within(K::above(self.level()));
            match due.first() {
                Some(signal) => self.settle_one::<K>(signal),
                None => return,
            }
        }
    }

    fn settle_one<K: Kernel>(&self, signal: Signal) {
        // First: what is noted from now on sets it again.
        self.unset(&self.pend, Signals::of(signal).bits());
        handler_fence();
        if K::notes().is_some_and(|notes| !notes.of(signal).is_empty()) {
            if K::is_direct(signal) {
                self.call_raised::<K>(signal);
            } else if K::kick(signal).is_err() {
                self.call_blocked::<K>(signal);
            }
        }
        // After the kick, so that a signal that the system has queued comes behind what is noted, or
        // finds it.
        if Signals::from_bits(self.blocked.load(Ordering::Relaxed)).has(signal) {
            self.unset(&self.blocked, Signals::of(signal).bits());
            K::unblock(Signals::of(signal));
        }
    }

    /// The handler as a function, with its class masked as a lock masks it.
    fn call_raised<K: Kernel>(&self, signal: Signal) {
        let once = Raises::once(K::class(signal));
        self.set_raises(self.raises().and(once));
        handler_fence();
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
        // Should it leave so, whoever is lowered next sees to the rest.
        self.set_pend(signal);
        while let Some(info) = note.take() {
            self.run::<K>(signal, &info, None);
        }
        K::leave(mask, Signals::from_bits(self.blocked.load(Ordering::Relaxed)));
    }
}
