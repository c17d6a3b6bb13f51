//! The steps that the paths are made of: entering and leaving the word, with the memory orders, and
//! raising and lowering where a lock's contexts need it.

use super::context::{Context, Readers, Shape};
use super::word::Word;
use super::{Policy, PsRwLock};
use crate::platform::{Class, Platform, Raised};
use crate::sync::{Ordering, mutated, ordered};

impl<R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<R, W, L, P> {
    /// Lets one reader in, without a wait: 0 → 1 reader, or the step of `share_from`.
    #[inline]
    pub(super) fn share(&self, class: Class) -> bool {
        let free = Word(0);
        match self.enter(free, free.plus_reader(class)) {
            Ok(()) => true,
            Err(now) => self.share_again(now, class),
        }
    }

    /// Out of line, so that the way through a free lock is one step and one branch not taken.
    #[inline(never)]
    fn share_again(&self, now: Word, class: Class) -> bool {
        self.share_from(now, class)
    }

    /// 0 → WRITER + CLOSED(all), raised.
    #[inline]
    pub(super) fn write_at_once(&self) -> Option<Raised> {
        let raised = Self::raise_to_top();
        if self.enter(Word(0), Word(Shape::<W, R>::INSIDE)).is_ok() {
            return Some(raised);
        }
        Self::lower(raised);
        None
    }

    #[inline]
    pub(super) fn raise_to_top() -> Raised {
        if Shape::<W, R>::TOP as u8 == 0 {
            return Raised::NOTHING;
        }
        P::raise(Shape::<W, R>::TOP, Raised::NOTHING)
    }

    #[inline]
    pub(super) fn lower(raised: Raised) {
        if Shape::<W, R>::TOP as u8 != 0 {
            P::restore(raised);
        }
    }

    /// Raises the caller to class `C`, from before the step of its read until after the step of its
    /// unlock. Otherwise a handler of that class, on the same thread, could wait for a writer that
    /// waits for this reader. A handler of class `C` stands there already.
    #[inline]
    pub(super) fn raise_to_read<C: Context>() -> Raised {
        if C::CLASS as u8 == 0 || mutated!(PsrwReadsWithoutRaising) {
            return Raised::NOTHING;
        }
        P::raise(C::CLASS, Raised::NOTHING)
    }

    #[inline]
    pub(super) fn lower_from<C: Context>(raised: Raised) {
        if C::CLASS as u8 != 0 {
            P::restore(raised);
        }
    }

    /// The value, as a reason to try something.
    #[inline]
    pub(super) fn look(&self) -> Word {
        // Relaxed: the caller uses it for a compare-and-swap, or as a hint.
        Word(self.word.load(Ordering::Relaxed))
    }

    /// The value, as a reason to go on without a step in the word.
    #[inline]
    pub(super) fn see(&self) -> Word {
        // Acquire: pairs with the release of the readers that have left.
        Word(self.word.load(ordered!(Acquire, unless PsrwSeenRelaxed)))
    }

    /// One attempt at a step v → `to` that may get in. Acquire: pairs with the Release steps by
    /// which earlier holders left.
    #[inline]
    pub(super) fn enter(&self, v: Word, to: Word) -> Result<(), Word> {
        let order = ordered!(Acquire, unless PsrwEnterRelaxed);
        let entered = self.word.compare_exchange(v.0, to.0, order, Ordering::Relaxed);
        entered.map(drop).map_err(Word)
    }

    /// v → v − `bits`, which are in it. Returns the value after the step. The caller names the
    /// order's partner.
    #[inline]
    pub(super) fn release(&self, bits: u64, order: Ordering) -> Word {
        Word(self.word.fetch_sub(bits, order).wrapping_sub(bits))
    }
}
