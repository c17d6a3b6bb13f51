//! A read and its unlock step by step: for a caller that has something to do before and after each
//! call, and keeps no token.
//!
//! Such a caller has the first step inline, and makes each further step a tail call. So no register
//! is saved and restored on the way through a free lock: an atomic step waits until the stores
//! before it are written out.
//!
//! * **Read**: a [free slot](RwSem::read_slot); a [share that is a step
//!   away](RwSem::read_next_share); and [all else](RwSem::read_other_slot) that needs no sleep.
//! * **Unlock**: a [slot](RwSem::unlock_slot); a [near note](RwSem::unlock_note); and all else (see
//!   `found`).
//!
//! These steps are for policies that [note reads](Policy::NOTE_READS). Under other policies the
//! share is no step of its own.

use super::NotHeld;
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
    /// Takes the lock for reading by the first of the thread's slots that is free.
    ///
    /// # Errors
    /// The read did not get in. [`read_next_share`](Self::read_next_share) has to go on.
    #[inline]
    pub fn read_slot(&self) -> Result<Token<L>, SlotRefused> {
        self.read_by_free_slot().map_err(SlotRefused::new)
    }

    /// Takes the lock for reading by a share, where that is a step away and nothing else is to be
    /// done.
    ///
    /// # Errors
    /// The read did not get in. [`read_other_slot`](Self::read_other_slot) has to go on.
    #[inline]
    pub fn read_next_share(&self, refused: SlotRefused) -> Result<Token<L>, SlotRefused> {
        if !L::NOTE_READS || !self.is_a_share_next(refused.0) {
            return Err(refused);
        }
        // The same once more: no register has to keep the old one.
        let refused = SlotRefused::new(None);
        // A handler may just have given the thread its record.
        handler_fence();
        let Some(note) = P::current_or_nobody().notes().near_free() else {
            return Err(refused);
        };
        let v = self.look();
        let taken = v.plus_readers(1);
        let joins = || v.admits_polite_reader() || Self::joins_unlooked(taken);
        let gets_in = (joins() || mutated!(NextShareThoughWriter))
            && !self.is_to_consider_bias()
            && self.count_cas(v, taken).is_ok();
        if !gets_in {
            return Err(refused);
        }
        if !mutated!(NoteNotMade) {
            note.set(self.key());
        }
        Ok(Token::<L>::COUNTED)
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

    /// Releases a read of the calling thread, if one of its slots stands for that read alone. A
    /// slot that stands for nested reads stays.
    ///
    /// # Errors
    /// None does.
    ///
    /// # Safety
    /// Nobody keeps the token of that read.
    #[inline]
    pub unsafe fn unlock_slot(&self) -> Result<ToWake<P, L>, NotThere> {
        if !self.has_bias() {
            return Err(NotThere);
        }
        let slots = P::current_or_nobody().slots();
        let Some(slot) = slots.find(|slot| slot.mark.clear_only(self.key())) else {
            return Err(NotThere);
        };
        let calls = slot.is_awaited() && !mutated!(SlotUnlockInSilence);
        Ok(ToWake::new(calls.then_some(Whom::Drainers(slot))))
    }

    /// Releases a write lock, if nobody waits and nobody is about to. False:
    /// [`write_unlock_among_others`](Self::write_unlock_among_others) has to go on.
    ///
    /// # Safety
    /// The caller has the lock by a write.
    #[inline]
    #[must_use]
    pub unsafe fn write_unlock_alone(&self) -> bool {
        self.frees_at_once()
    }

    /// Releases a write lock.
    ///
    /// # Errors
    /// [`NotHeld`]: no writer has the lock.
    ///
    /// # Safety
    /// The caller has the lock by a write, or no writer has it.
    pub unsafe fn write_unlock_among_others(&self) -> Result<(), NotHeld> {
        self.write_unlock_if_held_slow()
    }

    /// Releases a read of the calling thread, if a note near at hand stands for that read alone,
    /// and no slot names the lock. Where a slot does, or the count shows no share, the note may be
    /// left of an earlier lock at this address.
    ///
    /// # Errors
    /// No such note does, or a slot names the lock.
    ///
    /// # Safety
    /// Nobody keeps the token of that read.
    #[inline]
    pub unsafe fn unlock_note(&self) -> Result<ToWake<P, L>, NotThere> {
        let (me, key) = (P::current_or_nobody(), self.key());
        let has_slot = self.has_bias() && me.slots().name(key);
        let is_stale = self.look().readers() == 0;
        if has_slot || is_stale || !me.notes().take_near(key) {
            return Err(NotThere);
        }
        Ok(ToWake::new(self.give_share_back().map(Whom::Head)))
    }
}
