//! Giving way: a reader that would pass a waiter which was called lets it have the processor first.
//!
//! A waiter that was called comes when it is given a processor. Systems often put it on the
//! processor of the thread that called it. That thread goes on for the rest of its time slice, some
//! milliseconds, even if another processor is idle. So a reader that would pass a called waiter
//! gives its processor up first, once ([`Policy::GIVE_WAY`]). Then it takes the lock past the
//! waiter, if that has still not come.
//!
//! Four kinds of caller do not give way. Two writers would take turns, and each turn moves all
//! lines; and a reader that a writer lets in keeps it out for a whole turn of readers. A thread
//! that was used to sleep at once, when it last waited, has seen that rounds are short (see
//! `queue::watch`). A thread that gave way in vain does so more rarely (see `record::tries`).
//! Tries, recursive reads by slot and reads with a deadline pass as ever.

use crate::platform::Platform;
use crate::record::{Record, Slot, Try};
use crate::rwsem::word::count::Count;
use crate::rwsem::{Policy, RwSem};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Whether the caller, a reader that has noted the lock in so many slots, has to give way.
    /// Without its share the count is `v`.
    pub(super) fn must_give_way(&self, v: Count, slots: usize) -> bool {
        L::GIVE_WAY && P::GIVES_WAY && v.has_called_head() && self.gives_way(v, slots, P::current())
    }

    /// Not to a wait of its own, which it interrupts, nor to one that waits for another read of its
    /// own.
    #[cold]
    fn gives_way(&self, v: Count, slots: usize, me: &Record) -> bool {
        let noting = || me.slots().all().iter().filter(|slot| slot.mark.names(self.key()));
        me.spin_node().is_used_to_wait_awake()
            && v.head() != Some(me.id())
            && noting().count() == slots
            && me.spin_node().is_to_try(Try::GiveWay)
    }

    /// The caller gives way to the first waiter at `v`, without its share meanwhile. Returns the
    /// count with the share in it again.
    #[cold]
    #[inline(never)]
    pub(super) fn give_way_by_share(&self, v: Count) -> Count {
        self.take_share_back(false);
        self.let_head_run(v);
        self.add_share()
    }

    /// The same without its note in this slot, which it has to make anew.
    #[cold]
    #[inline(never)]
    pub(super) fn give_way_by_slot(&self, slot: &Slot, v: Count) {
        self.withdraw(slot);
        self.let_head_run(v);
    }

    fn let_head_run(&self, v: Count) {
        P::give_way();
        let has_come = self.look().head() != v.head();
        P::current().spin_node().has_tried(Try::GiveWay, has_come);
    }
}
