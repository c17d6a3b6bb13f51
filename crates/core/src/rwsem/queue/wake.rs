//! Granting: the first waiter, a reader, hands shares to readers all over the queue.
//!
//! There are two passes, since a reader that is not asleep yet can see its grant, run and unlock at
//! once. First the granter raises the count for all of them and claims their nodes, under the list
//! lock. Then, without that lock, it grants each node and has its thread called. A claimed node is
//! its claimer's until it is granted, so the chain of claimed nodes runs through the nodes
//! themselves.
//!
//! **The calls.** A call to a sleeper is a system call, so the granter of many would call for
//! hundreds of microseconds before it could read. Instead each granted reader calls some more
//! ([`Policy::WAKES_EACH`]), as a tree, drawn here with two for each:
//!
//! ```text
//!  granter ─┬─ R1 ─┬─ R3 ─┬─ R7       Whoever wakes calls its two, and reads. A reader that was not
//!           │      │      └─ R8       asleep costs no call, and calls all the same: it sees its
//!           │      └─ R4 …            grant, and with it its list.
//!           └─ R2 ─┬─ R5 …
//!                  └─ R6 …
//! ```
//!
//! Nobody is forgotten: a claimed reader returns by way of its grant and no other, and there calls
//! the readers on its list. It calls a record, whose thread may have seen its grant and gone on
//! long since. The list is written into the reader's own node *before* the grant, so nothing is
//! touched after that (R7), and a thread can have a list of one batch only. A reader that gets no
//! processor keeps the readers below it waiting: it holds its share all that time, as they do.

use crate::events::{Event, count, count_n};
use crate::platform::Platform;
use crate::rwsem::Policy;
use crate::rwsem::queue::batch::Batch;
use crate::rwsem::queue::turn::heir_is_first;
use crate::sync::mutated;
use crate::wait::{Kind, Locked, MOST_WAKES, WaitList, Waiter, WakeList, unpark};
use core::ptr;

impl Batch {
    /// The count has been raised. Lets all readers of the batch go, except `me`, the granter, which
    /// is here already.
    pub(super) fn grant<P: Platform, L: Policy>(&self, list: Locked<'_, P>, me: Option<&Waiter>) {
        count(Event::RwsemWakeBatch);
        count_n(Event::RwsemWakeReader, self.readers);
        let mut claimed = self.claim(&list);
        if self.paced
            && !mutated!(PacedHeirStaysBehind)
            && let Some(next) = self.next
        {
            list.bring_forward(next);
        }
        // If the heir is a plain reader, the limit was reached: it grants the next batch. An
        // upgradable reader may get in as well. A writer has to watch its time, where readers may
        // go on joining.
        let heir = self.next.filter(|&(_, kind)| {
            let watches = L::JOIN_READERS && !mutated!(WriterBehindBatchNotTold);
            (kind.reads() || watches) && !mutated!(LimitWakesNobody)
        });
        // Now: a reader that is called below may take this processor, and read past the heir.
        if let Some((heir, _)) = heir {
            heir_is_first(&list, heir);
        }
        drop(list);
        // The first of the list is claimed first.
        if let Some(me) = me
            && ptr::eq(claimed, me)
        {
            // SAFETY: claimed by us, and granted to nobody but ourselves.
            claimed = unsafe { WaitList::claimed_after(me) };
        }
        if L::WAKES_EACH == 0 {
            call_all::<P>(claimed);
        } else {
            run::<P>(give_all::<L>(claimed));
        }
        if let Some((heir, _)) = heir {
            unpark::<P>(heir);
        }
    }

    /// First pass: unlinks and claims the readers; returns the first of their chain.
    fn claim<P: Platform>(&self, list: &Locked<'_, P>) -> *const Waiter {
        let mut chain: (*const Waiter, Option<&Waiter>) = (ptr::null(), None);
        let mut node = list.first();
        for _ in 0..self.readers {
            while let Some(other) = node.filter(|node| node.kind() != Kind::Reader) {
                node = list.after(other);
            }
            let Some(reader) = node else { break };
            node = list.after(reader);
            list.unlink(reader);
            reader.claim();
            list.chain(chain.1, reader);
            if chain.0.is_null() {
                chain.0 = reader;
            }
            chain.1 = Some(reader);
        }
        chain.0
    }
}

/// Second pass, where the granter calls all readers: gives their shares to the claimed readers.
fn call_all<P: Platform>(mut claimed: *const Waiter) {
    // SAFETY: a claimed node lives until it is granted, just below.
    while let Some(node) = unsafe { claimed.as_ref() } {
        // Id and next node first: with the grant the node is no longer ours to look at.
        let id = node.id();
        // SAFETY: claimed by us, and granted only below.
        claimed = unsafe { WaitList::claimed_after(node) };
        node.grant();
        unpark::<P>(id);
    }
}

/// Second pass: gives their shares to the claimed readers, each with its wake list; returns the
/// granter's own.
fn give_all<L: Policy>(mut claimed: *const Waiter) -> WakeList {
    let mut to_call = ToCall(claimed);
    let mine = to_call.take::<L>();
    // SAFETY: a claimed node lives until it is granted, just below.
    while let Some(node) = unsafe { claimed.as_ref() } {
        // Each node takes some, so `to_call` is always ahead, among nodes that are still claimed.
        let list = to_call.take::<L>();
        if mutated!(GrantLooksBack) {
            node.grant();
        }
        // SAFETY: claimed by us, and granted only below. Everything before that: with the grant the
        // node is no longer ours to look at.
        claimed = unsafe {
            node.assign(list);
            WaitList::claimed_after(node)
        };
        node.grant();
    }
    mine
}

/// The claimed readers that stand on no wake list yet.
struct ToCall(*const Waiter);

impl ToCall {
    /// Takes the next readers, as many as one thread calls.
    fn take<L: Policy>(&mut self) -> WakeList {
        const {
            assert!(L::WAKES_EACH as usize <= MOST_WAKES, "Policy::WAKES_EACH must be at most 8");
        }
        let mut list = [None; MOST_WAKES];
        for wake in list.iter_mut().take(L::WAKES_EACH as usize) {
            // SAFETY: claimed, and not granted yet: it stands behind the one that is granted next.
            let Some(node) = (unsafe { self.0.as_ref() }) else { break };
            *wake = Some(node.id());
            // SAFETY: claimed, and not granted yet, as above: so its link stands.
            self.0 = unsafe { WaitList::claimed_after(node) };
        }
        list
    }
}

/// Calls the threads on the list.
pub(super) fn run<P: Platform>(list: WakeList) {
    for id in list.into_iter().flatten() {
        unpark::<P>(id);
    }
}
