//! Giving way: a reader that would pass a waiter which was called lets it have the processor first.
//!
//! A waiter that was called comes when it is given a processor. Systems often put it on the
//! processor of the thread that called it. That thread goes on for the rest of its time slice, some
//! milliseconds, even if another processor is idle. So a reader that would pass a called waiter
//! gives its processor up first, once ([`Policy::GIVE_WAY`]), if it looks about at that pass (see
//! `pass`). Then it takes the lock past the waiter, if the waiter has still not come.
//!
//! Two readers give way to a waiter, or hardly more, until the waiter looks at the lock. If more
//! did where many threads have work, each would run for one read, and then the next. (Two, since
//! nobody knows on which processor the waiter is to run.) The number of givers stands in the count,
//! at which all passers look anyway.
//!
//! Four kinds of caller do not give way:
//!
//! - A writer. Two writers would take the lock by turns, and each change moves all lines. A reader
//!   that a writer lets in keeps the writer out for a whole turn of readers.
//! - A thread that was used to sleep at once when it last waited: it has seen that rounds are short
//!   (see `queue::watch`).
//! - A thread that gave way in vain, for the next few occasions (see `record::tries`).
//! - Tries, recursive reads by slot, and reads with a deadline.

use crate::platform::Platform;
use crate::record::{Record, Try};
use crate::rwsem::slots::NotedSlot;
use crate::rwsem::word::count::Count;
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Whether the caller, a reader that has noted the lock in so many `slots`, has to give way.
    /// `v` is the count without the caller's share.
    pub(super) fn must_give_way(&self, v: Count, slots: usize) -> bool {
        // The first waiter was called, few readers have given way to it since, and the caller's
        // thread is used to wait awake.
        let gives = || P::current_or_nobody().spin_node().is_used_to_wait_awake();
        let wants_way = L::GIVE_WAY && P::GIVES_WAY && v.wants_givers() && gives();
        wants_way && self.gives_way(v, slots, P::current())
    }

    /// False if the first waiter is a wait of the caller's own thread, which the caller interrupts,
    /// or waits for another read of that thread.
    #[cold]
    fn gives_way(&self, v: Count, slots: usize, me: &Record) -> bool {
        let noting = || me.slots().all().iter().filter(|slot| slot.mark.names(self.key()));
        v.head() != Some(me.id())
            && noting().count() == slots
            && me.spin_node().is_to_try(Try::GiveWay)
    }

    /// The caller takes its share back, gives way to the first waiter at `v`, and adds its share
    /// again. Returns the count with the share.
    pub(super) fn give_way_by_share(&self, v: Count) -> Count {
        self.take_share_back(false);
        self.let_head_run(v);
        if mutated!(GivingReaderHasNoShare) {
            return self.look().plus_readers(1);
        }
        self.add_share()
    }

    /// The caller, a reader without a share, gives way if it has to. It then clears the slot in
    /// which it has `noted` the lock, if any, and has to note the lock anew. Returns the slot that
    /// still notes the lock, if one does.
    pub(super) fn give_way_before_share(&self, noted: NotedSlot) -> NotedSlot {
        let v = self.look();
        if !self.must_give_way(v, noted.iter().count()) {
            return noted;
        }
        if let Some((slot, _)) = noted {
            self.withdraw(slot);
        }
        self.let_head_run(v);
        if mutated!(GivingReaderHasNoNote) { noted } else { None }
    }

    #[cold]
    #[inline(never)]
    fn let_head_run(&self, v: Count) {
        self.count_giver(v);
        P::give_way();
        let has_come = self.look().head() != v.head();
        P::current().spin_node().has_tried(Try::GiveWay, has_come);
    }

    /// v → v + GIVER, if the first waiter is still the one at `first`, and wants givers.
    fn count_giver(&self, first: Count) {
        let mut v = self.look();
        while v.head() == first.head() && v.wants_givers() {
            match self.count_cas(v, v.plus_giver()) {
                Ok(()) => return,
                Err(now) => v = now,
            }
        }
    }
}
