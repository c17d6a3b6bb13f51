//! A read and its unlock step by step: for a caller that has something to do before and after each
//! call, and keeps no token.
//!
//! Such a caller has the first step inline, and makes each further step a tail call. So no register
//! is saved and restored on the way through a free lock: an atomic step waits until the stores
//! before it are written out.
//!
//! * **Read**: the thread's [first slot](RwSem::read_first_slot); a [share that is a step
//!   away](RwSem::read_next_share); the [second slot](RwSem::read_second_slot); and [all
//!   else](RwSem::read_other_slot) that needs no sleep.
//! * **Unlock**: the [first slot](RwSem::unlock_first_slot); the [first
//!   note](RwSem::unlock_first_note); the [second slot](RwSem::unlock_second_slot); and all else
//!   (see `found`).
//!
//! These steps are for policies that [note reads](Policy::NOTE_READS). Under other policies the
//! share is no step of its own.

use crate::platform::Platform;
use crate::record::Slot;
use crate::rwsem::slots::NotedSlot;
use crate::rwsem::word::count::Count;
use crate::rwsem::word::token::Token;
use crate::rwsem::{Policy, RwSem};
use crate::sync::{handler_fence, mutated};
use core::marker::PhantomData;

/// A read did not get in by a slot. A slot of the calling thread may note the lock all the same. If
/// this is dropped, a writer of the lock may wait for that slot for ever.
#[derive(Debug)]
#[must_use = "a writer may wait for the slot: the next step has to be made"]
pub struct SlotRefused(NotedSlot, NotSend);

/// A thread alone uses its slots.
type NotSend = PhantomData<*mut ()>;

/// A step of an unlock has found nothing of the lock, and released nothing.
#[derive(Debug)]
pub struct NotThere;

/// The waiters that may have to be called after an unlock, if any.
#[derive(Debug)]
#[must_use = "somebody sleeps until it is called"]
pub struct ToWake<P, L>(Option<Whom>, PhantomData<fn() -> (P, L)>);

#[derive(Debug)]
enum Whom {
    /// The first waiter at this count, if the lock was left free.
    Head(Count),
    Drainers(&'static Slot),
}

impl SlotRefused {
    #[inline]
    fn new(noted: NotedSlot) -> Self {
        Self(noted, PhantomData)
    }
}

impl<P: Platform, L: Policy> ToWake<P, L> {
    const fn new(whom: Option<Whom>) -> Self {
        Self(whom, PhantomData)
    }

    /// Whether nobody waits.
    #[inline]
    #[must_use]
    pub const fn is_nobody(&self) -> bool {
        self.0.is_none()
    }

    /// Calls the waiters that have to be called. The lock may be gone.
    #[inline]
    pub fn wake(self) {
        match self.0 {
            None => {}
            Some(Whom::Head(_)) if mutated!(StepWakesNobody) => {}
            Some(Whom::Head(left)) => RwSem::<P, L>::after_share(left),
            Some(Whom::Drainers(slot)) => slot.wake_drainers::<P>(),
        }
    }
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Takes the lock for reading by the thread's first slot.
    ///
    /// # Errors
    /// The read did not get in. [`read_next_share`](Self::read_next_share) has to go on.
    #[inline]
    pub fn read_first_slot(&self) -> Result<Token<L>, SlotRefused> {
        self.read_by_first_slot().map_err(SlotRefused::new)
    }

    /// Takes the lock for reading by a share, where that is a step away and nothing else is to be
    /// done.
    ///
    /// # Errors
    /// The read did not get in. [`read_second_slot`](Self::read_second_slot) has to go on.
    #[inline]
    pub fn read_next_share(&self, refused: SlotRefused) -> Result<Token<L>, SlotRefused> {
        if !L::NOTE_READS || !self.is_a_share_next(refused.0) {
            return Err(refused);
        }
        // A handler may just have given the thread its record.
        handler_fence();
        let (notes, v) = (P::current_or_nobody().notes(), self.look());
        let taken = v.plus_readers(1);
        let joins = || v.admits_polite_reader() || Self::joins_unlooked(taken);
        let gets_in = notes.have_room()
            && (joins() || mutated!(NextShareThoughWriter))
            && !self.is_to_consider_bias()
            && self.count_cas(v, taken).is_ok();
        if !gets_in {
            return Err(refused);
        }
        if !mutated!(NoteNotMade) {
            notes.note_first(self.key());
        }
        Ok(Token::<L>::COUNTED)
    }

    /// Takes the lock for reading by the thread's second slot, if the first stands for a read.
    ///
    /// # Errors
    /// The read did not get in. [`read_other_slot`](Self::read_other_slot) has to go on.
    #[inline]
    pub fn read_second_slot(&self, refused: SlotRefused) -> Result<Token<L>, SlotRefused> {
        self.read_by_second_slot(refused.0).map_err(SlotRefused::new)
    }

    /// Takes the lock for reading by another slot, or by a share, without a sleep. Before a waiter
    /// that was called the caller may give its processor up (see `give_way`). It lets a spinner by.
    ///
    /// # Panics
    /// If `refused` came from another lock.
    pub fn read_other_slot(&self, refused: SlotRefused) -> Option<Token<L>> {
        assert!(
            refused.0.is_none_or(|(slot, _)| slot.mark.names(self.key())),
            "the slot was noted for another lock"
        );
        let noted = self.give_way_before_share(refused.0);
        if noted.is_none() {
            self.let_by_before_share();
            if !self.has_bias() && self.queues_behind_writer(self.look()) {
                return None;
            }
        }
        self.try_read_past_slots(noted)
    }

    /// Releases a read of the calling thread, if its first slot stands for that read alone.
    ///
    /// # Errors
    /// The slot does not.
    ///
    /// # Safety
    /// Nobody keeps the token of that read.
    #[inline]
    pub unsafe fn unlock_first_slot(&self) -> Result<ToWake<P, L>, NotThere> {
        self.unlock_this_slot(P::current_or_nobody().slots().first())
    }

    /// Releases a read of the calling thread, if its second slot stands for that read alone.
    ///
    /// # Errors
    /// The slot does not.
    ///
    /// # Safety
    /// Nobody keeps the token of that read.
    #[inline]
    pub unsafe fn unlock_second_slot(&self) -> Result<ToWake<P, L>, NotThere> {
        match P::current_or_nobody().slots().second() {
            Some(slot) => self.unlock_this_slot(slot),
            None => Err(NotThere),
        }
    }

    /// Releases a read of the calling thread, if this slot of it stands for that read alone.
    #[inline]
    pub(super) fn unlock_this_slot(&self, slot: &'static Slot) -> Result<ToWake<P, L>, NotThere> {
        if !self.has_bias() || !slot.mark.clear_only(self.key()) {
            return Err(NotThere);
        }
        let calls = slot.is_awaited() && !mutated!(SlotFirstUnlockInSilence);
        Ok(ToWake::new(calls.then_some(Whom::Drainers(slot))))
    }

    /// Releases a read of the calling thread, if its first note stands for that read alone and the
    /// lock has no bias. Where the lock has one, the note may be left of an earlier lock at this
    /// address, and a slot may stand for the read.
    ///
    /// # Errors
    /// The note does not, or there is a bias.
    ///
    /// # Safety
    /// Nobody keeps the token of that read.
    #[inline]
    pub unsafe fn unlock_first_note(&self) -> Result<ToWake<P, L>, NotThere> {
        if self.has_bias() || !P::current_or_nobody().notes().take_first(self.key()) {
            return Err(NotThere);
        }
        Ok(ToWake::new(self.give_share_back().map(Whom::Head)))
    }
}
