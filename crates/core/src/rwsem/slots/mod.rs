//! Reads by slot: readers of a lock that is read much more than written share no cache line.
//!
//! A lock whose owner word shows a bias to all readers is read by noting it in a slot of the reader's own
//! record: a plain store, a fence for the compiler alone, and a look at the count. A writer sets WRITER,
//! which keeps new readers out, makes every running thread pass a full fence
//! ([`Platform::heavy_fence`]), and waits until no slot names the lock any more (see `drain`). Of a
//! reader's store and a writer's bit one is seen by the other.
//!
//! A slot belongs to the reader's thread, and nobody else writes it: the guard of a lock that is read by
//! slot stays in its thread (see `word::guards`). A thread that reads by slot and reads once more, kept out by a
//! writer that waits for its slot, therefore knows that the hold in it is its own.
//!
//! A lock may also be biased to one thread that reads and writes it, see `owner_bias`. What is said here
//! goes for those reads too.
//!
//! * **Read by slot** if the owner word shows a bias: slot := lock; light fence; the count has none of
//!   WRITER, WAITERS, HANDOFF? And then, the owner word *still* shows the bias? Then in. Failed: once
//!   more, out of line; then slot := 0, look for sleepers, and be counted. (Past a writer that dozes it is in as well.) Without the second look
//!   at the owner word the bias may have gone and a writer with it; the next one would look at no slot.
//! * **Unlock by slot** slot := 0; look for sleepers, in the own record. The lock is not touched
//!   (rule U).
//! * **Write** 0 → WRITER, as on any lock. Then the writer looks at the owner word, as any writer does that
//!   signs: it says whom to wait for. The count at rest is 0 with or without a bias.
//! * **Switch on** by a counted reader, inside, in place of a name in the owner word. Its share keeps writers
//!   out meanwhile. **Off** with the name of the writer that has looked through the slots.
//!
//! # When a bias pays
//! Offering a bias is worth it if more reads come before the next write than it takes to make up for the
//! revocation. The past has to do for the future: a bias comes on when the reads since the last
//! write have lost, by being counted, what the last revocation cost. Then neither a lock that is
//! often written nor one that is never pays more than twice what somebody would who knew.
//!
//! Reads are not counted one by one, which would take a line that all share. A counted reader *asks* once
//! in so many of its reads ([`Policy::ASK_FOR_BIAS_EVERY`]), and so does every other: each asking
//! stands for so many reads, whoever made them. How often since a writer signed is kept in the owner
//! word. The first asking tells nothing yet (a write may have come just before). While nobody but the
//! last writer asks, the askings are counted beside its name, for a bias to it alone. Beside that, a pause
//! of [`Policy::BIAS_PAUSE`]
//! times its cost follows each revocation ([`Bias`](crate::platform::Bias)).
//!
//! The cost is measured, so it contains the number of threads to look through. Before the first
//! revocation it is nothing, and a thread's very first counted read asks: a lock that is only read
//! has its bias at once.

mod drain;
pub(in crate::rwsem) mod owner_bias;

use crate::events::{Event, count};
use crate::platform::{Bias, Platform};
use crate::rwsem::policy::ReadBias;
use crate::rwsem::slots::owner_bias::{has_slots, lost_by_owner};
use crate::rwsem::word::count::Count;
use crate::rwsem::word::owner::{Asked, Hint};
use crate::rwsem::word::token::Token;
use crate::rwsem::{Policy, RwSem};
use crate::sync::{Ordering, light_fence, mutated};
use crate::wait::{Key, Slot};
use core::hint::cold_path;

/// A slot that notes the lock, if one does.
pub(in crate::rwsem) type Noted = Option<&'static Slot>;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Reads by slot: of a lock that is biased to all, with the thread's first slot. That is all of a read
    /// that stands inline. Refused: [`read_by_slot_otherwise`](Self::read_by_slot_otherwise) goes on, with
    /// the slot that notes the lock already, if one does.
    #[inline]
    pub(in crate::rwsem) fn read_by_first_slot(&self) -> Result<Token<L>, Noted> {
        if !has_slots::<L>() {
            return Err(None);
        }
        let hint = self.owner.hint();
        let slot = P::current_or_nobody().slots().first();
        if !hint.is_biased_to_all() || !slot.note(self.key()) {
            cold_path();
            return Err(None);
        }
        let (v, bias) = self.look_again(hint);
        let admitted = bias.is_biased_to_all() && v.lets_slot_reader_in();
        if !admitted && !mutated!(SlotNotLookedAtAgain) {
            cold_path();
            return Err(Some(slot));
        }
        Ok(Token::<L>::of(slot))
    }

    /// Reads by slot where that took more than the first look. By a policy with slots; the thread is prepared
    /// then.
    #[inline]
    pub(in crate::rwsem) fn read_by_slot_otherwise(&self, noted: Noted) -> Option<Token<L>> {
        let (slot, first) = match noted {
            Some(slot) => (slot, Hint::ALL),
            None => {
                P::prepare();
                let hint = self.owner.hint();
                if !hint.is_biased_to_all() && !Self::is_biased_to_me(hint) {
                    return None;
                }
                (self.note_anywhere()?, hint)
            }
        };
        let (v, bias) = self.look_again(first);
        let is_admitted = bias.is_biased_to_all() || Self::is_biased_to_me(bias);
        let is_in = is_admitted && v.lets_slot_reader_in() || mutated!(SlotNotLookedAtAgain);
        (is_in || self.pass_or_withdraw(slot, v, bias)).then_some(Token::<L>::of(slot))
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

    /// The caller has noted the lock in a slot: the count, and then the owner word, which was `first` before.
    #[inline]
    fn look_again(&self, first: Hint) -> (Count, Hint) {
        // Pairs with the writer's heavy fence between its WRITER and its look at the slots.
        light_fence();
        let early = if mutated!(SlotLooksAtOwnerFirst) { Some(self.owner.hint()) } else { None };
        // Acquire: pairs with the release of the writer before. It also keeps the second look behind this one.
        let v = Count(self.count.load(Ordering::Acquire));
        (v, early.unwrap_or_else(|| self.owner.second_look(first)))
    }

    /// Past a writer that waits the reader is in all the same; but its passes are counted.
    #[cold]
    #[inline(never)]
    fn pass_or_withdraw(&self, slot: &Slot, v: Count, bias: Hint) -> bool {
        let passes = match bias.is_biased_to_all() {
            true => v.lets_slot_reader_pass::<L>(),
            false => Self::is_biased_to_me(bias) && v.lets_owner_pass::<L>(),
        };
        if passes {
            self.pass(L::MAX_READ_PASSES);
            return true;
        }
        slot.take_hold(self.key());
        if !mutated!(SlotWithdrawnInSilence) {
            slot.wake_drainers::<P>();
        }
        false
    }

    /// In any slot that is free. The first is not for a thread that reads by slot for the first time.
    fn note_anywhere(&self) -> Noted {
        let me = P::current();
        if me.slots().are_unlisted() {
            P::bias()?.readers.add::<P>(me);
        }
        me.slots().find(|slot| slot.note(self.key()))
    }

    /// A reader has got in by a share, with this count: perhaps the next need not.
    #[inline]
    pub(in crate::rwsem) fn consider_bias(&self, v: Count) {
        if !has_slots::<L>() {
            return;
        }
        if matches!(L::OWNER_BIAS, ReadBias::Eager) && self.switch_on_for_owner() {
            return;
        }
        match L::READ_BIAS {
            ReadBias::Eager => self.switch_on(v),
            ReadBias::Off if !matches!(L::OWNER_BIAS, ReadBias::Adaptive) => {}
            ReadBias::Off | ReadBias::Adaptive => {
                if P::is_time_to_ask() {
                    self.ask_for_bias(v);
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn ask_for_bias(&self, v: Count) {
        P::ask_again_after(L::ASK_FOR_BIAS_EVERY);
        let Some(bias) = P::bias() else { return };
        let (lost, for_owner) = match self.owner.count_asking(P::current().id()) {
            None => return,
            Some(Asked::ByOwner(asked)) => (lost_by_owner::<L>(asked), true),
            Some(Asked::ByAll(asked)) => (reads::<L>(asked) * L::SLOT_READ_SAVES, false),
        };
        match for_owner {
            _ if !bias.is_worth::<P>(lost) => {}
            true => _ = self.switch_on_for_owner(),
            false => self.switch_on(v),
        }
    }

    /// The caller is inside by a share, and saw `v` then. The bias comes on if a reader by slot would get in.
    fn switch_on(&self, v: Count) {
        let pays = v.lets_slot_reader_in() || v.lets_slot_reader_pass::<L>();
        let may = L::READ_BIAS.is_on() && pays && P::bias().is_some_and(Bias::is_open);
        if may && self.owner.bias_to_all() {
            count(Event::RwsemBiasOn);
        }
    }

    /// What a slot that is used for this lock contains.
    #[inline]
    pub(in crate::rwsem) fn key(&self) -> Key {
        Key::of(self)
    }
}

/// What so many askings stand for. The first tells nothing: a write may have come just before.
pub(in crate::rwsem) fn reads<L: Policy>(asked: u32) -> u64 {
    u64::from(asked - 1) * u64::from(L::ASK_FOR_BIAS_EVERY.max(1))
}
