//! Reads by slot: readers of a lock that is read more than written share no cache line.
//!
//! If the owner word of a lock shows a bias, a reader notes the lock in a slot of its own record. A
//! writer sets WRITER, which keeps new readers out, looks through the slots of all threads, and
//! waits until none names the lock any more (see `drain`). The reader looks at the count after it
//! has noted the lock. So either the reader sees WRITER, or the writer sees the slot: each stores
//! first and looks then. Two *forms* of a bias differ in which side pays for that order.
//!
//! | form | the reader notes the lock by | the writer, before it looks |
//! | --- | --- | --- |
//! | asymmetric | a plain store | makes every running thread pass a fence ([`Platform::heavy_fence`]) |
//! | symmetric | an atomic swap | does nothing on x86, where the step that set WRITER was a fence; elsewhere both make a full fence |
//!
//! A slot belongs to the reader's thread: the guard of a lock that is read by slot stays in its
//! thread (see `word::guards`). Other threads only take a hold out of a slot, where a lock ends or
//! a caller without guards unlocks for another thread (see `record::mark`). So a thread that finds
//! the lock in its own slot knows that the hold is its own: kept out by a writer that waits for
//! this slot, it reads once more by it.
//!
//! * **Read by slot** if the owner word shows a bias: slot := lock, as its form says. Does the
//!   count show neither WRITER nor HANDOFF, and does the owner word then *still* show a bias that
//!   the slot was noted for? Then the reader is in, past all waiters (see `pass`). Otherwise it
//!   clears the slot, looks for sleepers, and is counted. A reader that gives way to a called
//!   waiter (see `calls::give_way`) clears its slot meanwhile. Without the second look at the owner
//!   word, a writer might have come and gone, and the bias with it; the next writer would look at
//!   no slot. A slot noted by a store is seen under the asymmetric form alone; a slot noted by a
//!   swap, under both.
//! * **Unlock by slot**: slot := 0; the reader looks for sleepers, in its own record. It does not
//!   touch the lock (rule U).
//! * **Write**: 0 → WRITER, as on any lock. Then the writer looks at the owner word, as any writer
//!   does that signs: the word says whether to look through the slots. The count at rest is 0 with
//!   or without a bias.
//! * **Switch on**: a counted reader inside puts a bias in place of a name in the owner word, or
//!   the asymmetric form in place of the symmetric one. Its share keeps writers out meanwhile.
//! * **Switch off**: the writer that has looked through the slots puts its name in the owner word.
//!   It may also leave the symmetric form on, if that was on already, or after the heavy fence that
//!   the asymmetric form takes. It must not leave the asymmetric form on without that fence, since
//!   it has not seen what readers note by stores.
//!
//! `pays` says when which form pays.

mod drain;
mod pays;

use crate::platform::Platform;
use crate::record::{Key, Slot, Slots};
use crate::rwsem::word::count::Count;
use crate::rwsem::word::owner::Hint;
use crate::rwsem::word::token::Token;
use crate::rwsem::{Policy, RwSem};
use crate::sync::{light_fence, mutated, ordered};
use core::hint::cold_path;

/// A slot that notes the lock, if one does, and what the owner word showed before.
pub(in crate::rwsem) type NotedSlot = Option<(&'static Slot, Hint)>;

/// Whether locks of this policy are ever read by slot.
pub(in crate::rwsem) const fn has_slots<L: Policy>() -> bool {
    // A lock may come from zeroed memory, without `new`.
    crate::rwsem::word::guards::check::<L>();
    L::READ_BIAS.is_on()
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Reads by the thread's first slot, perhaps past waiters if it need not look about. This is
    /// the inline part of a read by slot. If it is refused,
    /// [`read_by_slot_otherwise`](Self::read_by_slot_otherwise) goes on, with the slot that notes
    /// the lock already, if one does.
    #[inline]
    pub(in crate::rwsem) fn read_by_first_slot(&self) -> Result<Token<L>, NotedSlot> {
        self.read_by(|slots| Some(slots.first()))
    }

    /// Reads by the first of the thread's slots that is free.
    #[inline]
    pub(in crate::rwsem) fn read_by_free_slot(&self) -> Result<Token<L>, NotedSlot> {
        self.read_by(Slots::free)
    }

    #[inline]
    fn read_by(
        &self,
        choose: impl FnOnce(&'static Slots) -> Option<&'static Slot>,
    ) -> Result<Token<L>, NotedSlot> {
        if has_slots::<L>()
            && let bias = self.owner.hint()
            && bias.is_on()
            && let Some(slot) = choose(P::current_or_nobody().slots())
        {
            return self.read_under(bias, slot);
        }
        Err(None)
    }

    /// Reads by this slot, perhaps past waiters if it need not look about; the owner word shows
    /// that bias.
    #[inline]
    pub(in crate::rwsem) fn read_under(
        &self,
        bias: Hint,
        slot: &'static Slot,
    ) -> Result<Token<L>, NotedSlot> {
        let notes = match bias.is_asymmetric() {
            true => slot.mark.make(self.key()),
            false => !self.is_counted_by_turns() && slot.mark.swap_in(self.key()),
        };
        if !notes {
            cold_path();
            return Err(None);
        }
        let (v, now) = self.look_again(bias);
        let fits = now == bias;
        if fits && v.lets_slot_reader_in() || mutated!(SlotNotLookedAtAgain) {
            return Ok(Token::<L>::of(slot));
        }
        cold_path();
        let fits = fits || mutated!(WaiterPassedWithoutBias);
        match fits && v.lets_slot_reader_pass::<L>() && Self::passes_unlooked(1) {
            true => Ok(Token::<L>::of(slot)),
            false => Err(Some((slot, bias))),
        }
    }

    /// Reads by slot where that takes more than the first look. For policies with slots. The thread
    /// is prepared then.
    #[inline]
    pub(in crate::rwsem) fn read_by_slot_otherwise(&self, noted: NotedSlot) -> Option<Token<L>> {
        let (slot, first) = match noted {
            Some(noted) => noted,
            None => {
                P::prepare();
                let hint = self.owner.hint();
                if !hint.is_on() || hint.is_symmetric() && self.is_counted_by_turns() {
                    return None;
                }
                (self.note_anywhere(hint)?, hint)
            }
        };
        let (v, bias) = self.look_again(first);
        let swapped = first.is_symmetric() || mutated!(StoreFitsSymmetric);
        let fits = bias.is_asymmetric() || swapped && bias.is_symmetric();
        let is_in = fits && v.lets_slot_reader_in() || mutated!(SlotNotLookedAtAgain);
        (is_in || self.pass_or_withdraw(slot, v, fits)).then_some(Token::<L>::of(slot))
    }

    /// Reads by slot if the lock's bias is on. Whatever the policy, the thread is prepared then.
    pub(in crate::rwsem) fn read_by_slot(&self) -> Option<Token<L>> {
        if !has_slots::<L>() {
            P::prepare();
            return None;
        }
        match self.read_by_first_slot() {
            Ok(token) => Some(token),
            Err(noted) => self.read_by_slot_otherwise(noted),
        }
    }

    /// The caller has noted the lock in a slot. Looks at the count, and then at the owner word,
    /// which was `first` before.
    #[inline]
    fn look_again(&self, first: Hint) -> (Count, Hint) {
        // Pairs with the writer's heavy fence between its WRITER and its look at the slots. A swap
        // has made its fence.
        if first.is_asymmetric() {
            light_fence();
        }
        let early = if mutated!(SlotLooksAtOwnerFirst) { Some(self.owner.hint()) } else { None };
        // Acquire: pairs with the release of the writer before. It also keeps the second look
        // behind this one.
        let v = Count(self.count.load(ordered!(Acquire, unless SlotCountSeenRelaxed)));
        (v, early.unwrap_or_else(|| self.owner.second_look(first)))
    }

    /// If only waiters are in its way, the reader is in, but looks about. Otherwise it withdraws.
    #[cold]
    #[inline(never)]
    fn pass_or_withdraw(&self, slot: &Slot, v: Count, fits: bool) -> bool {
        if fits && v.lets_slot_reader_pass::<L>() {
            self.pass_as_reader(v);
            return true;
        }
        self.withdraw(slot);
        false
    }

    /// The caller has noted the lock in this slot, and is not inside: clears the slot.
    pub(in crate::rwsem) fn withdraw(&self, slot: &Slot) {
        slot.mark.take(self.key());
        if !mutated!(SlotWithdrawnInSilence) {
            slot.wake_drainers::<P>();
        }
    }

    /// Notes the lock in any slot that is free. None is before the thread is listed, at its first
    /// read by slot.
    fn note_anywhere(&self, bias: Hint) -> Option<&'static Slot> {
        let (me, key) = (P::current(), self.key());
        if me.slots().are_unlisted() {
            P::bias()?.readers.add(me, P::record);
        }
        match bias.is_symmetric() {
            true => me.slots().find(|slot| slot.mark.swap_in(key)),
            false => me.slots().find(|slot| slot.mark.make(key)),
        }
    }

    /// Whether a slot that names the lock says that its thread is inside, or about to see that it
    /// is not. By R8 a slot that names the lock without a bias was left by an earlier lock at this
    /// address. While the calling thread is inside by a slot it sees a bias: the one that it saw
    /// when it came in, or a later one.
    #[inline]
    pub(in crate::rwsem) fn has_bias(&self) -> bool {
        has_slots::<L>() && self.owner.hint().is_on()
    }

    /// The content of a slot that notes this lock.
    #[inline]
    pub(in crate::rwsem) fn key(&self) -> Key {
        Key::of(self)
    }
}
