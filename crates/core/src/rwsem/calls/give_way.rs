//! Giving way: a reader that would pass a waiter which was called lets it have the processor first.
//!
//! A waiter that was called comes when it is given a processor. Systems often put it on the
//! processor of the thread that called it. That thread goes on for the rest of its time slice, some
//! milliseconds, even if another processor is idle. So a reader that would pass a called waiter
//! gives its processor up first, once ([`Policy::GIVE_WAY`]), if it looks about at that pass (see
//! `pass`). Then it takes the lock past the waiter, if that has still not come.
//!
//! Two give way to a waiter, or hardly more, until it looks at the lock. Where many threads have
//! work each would run for one read, and then the next. (Two, since nobody knows on which processor
//! the waiter is to run.) Their number stands in the count, which all who pass look at anyway.
//!
//! Four kinds of caller do not give way. Two writers would take turns, and each turn moves all
//! lines; and a reader that a writer lets in keeps it out for a whole turn of readers. A thread
//! that was used to sleep at once, when it last waited, has seen that rounds are short (see
//! `queue::watch`). A thread that gave way in vain does so more rarely (see `record::tries`).
//! Tries, recursive reads by slot and reads with a deadline pass as ever.

use crate::platform::Platform;
use crate::record::{Record, Try};
use crate::rwsem::slots::NotedSlot;
use crate::rwsem::word::count::Count;
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Whether the caller, a reader that has noted the lock in so many slots, has to give way.
    /// Without its share the count is `v`.
    pub(super) fn must_give_way(&self, v: Count, slots: usize) -> bool {
        // The first waiter was called, few have given way to it since, and the caller is one that
        // does.
        let gives = || P::current_or_nobody().spin_node().is_used_to_wait_awake();
        let wants_way = L::GIVE_WAY && P::GIVES_WAY && v.wants_givers() && gives();
        wants_way && self.gives_way(v, slots, P::current())
    }

    /// Not to a wait of its own, which it interrupts, nor to one that waits for another read of its
    /// own.
    #[cold]
    fn gives_way(&self, v: Count, slots: usize, me: &Record) -> bool {
        let noting = || me.slots().all().iter().filter(|slot| slot.mark.names(self.key()));
        v.head() != Some(me.id())
            && noting().count() == slots
            && me.spin_node().is_to_try(Try::GiveWay)
    }

    /// The caller gives way to the first waiter at `v`, without its share meanwhile. Returns the
    /// count with the share in it again.
    pub(super) fn give_way_by_share(&self, v: Count) -> Count {
        self.take_share_back(false);
        self.let_head_run(v);
        if mutated!(GivingReaderHasNoShare) {
            return self.look().plus_readers(1);
        }
        self.add_share()
    }

    /// The caller, a reader that has noted the lock so and has no share, gives way if it has to:
    /// without the note, which it has to make anew. Returns what is noted then.
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

    /// One more gives way to the first waiter at `first`, if that still is, and wants it.
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
