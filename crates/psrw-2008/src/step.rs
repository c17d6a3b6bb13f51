//! The steps that the paths are made of: entering and leaving each word, with the memory orders.

use crate::PsRw2008;
use crate::seam::{mutated, ordered};
use crate::word::{SUBSCRIBED, UC_READER, is_open};
use siftlock_core::platform::{Class, Platform};
use siftlock_core::psrw::{Context, Readers};
use siftlock_core::sync::{AtomicU64, Ordering};

impl<R, W, P> PsRw2008<R, W, P> {
    /// uc → the value that `plan` makes of it. Returns the value after the step, or `None` as soon
    /// as `plan` makes none.
    ///
    /// Acquire: pairs with the Release of the threads that have left by `uc`.
    pub(crate) fn enter_uc(&self, plan: impl Fn(u32) -> Option<u32>) -> Option<u32> {
        // Relaxed: the value is used for a compare-and-swap only.
        let mut v = self.uc.load(Ordering::Relaxed);
        loop {
            let to = plan(v)?;
            match self.try_enter_uc(v, to) {
                Ok(()) => return Some(to),
                Err(now) => v = now,
            }
        }
    }

    /// uc: v → `to`.
    ///
    /// # Errors
    /// The value, if it differs from v.
    #[inline]
    pub(crate) fn try_enter_uc(&self, v: u32, to: u32) -> Result<(), u32> {
        let order = ordered!(Acquire, unless EntersRelaxed);
        self.uc.compare_exchange(v, to, order, Ordering::Relaxed).map(drop)
    }

    /// ws → the value that `plan` makes of it. Returns the value after the step, or `None` as soon
    /// as `plan` makes none. The caller names the order's partner.
    pub(crate) fn step_ws(
        &self,
        order: Ordering,
        plan: impl Fn(u32) -> Option<u32>,
    ) -> Option<u32> {
        // Relaxed, both: the value is used for a compare-and-swap only.
        let mut v = self.ws.load(Ordering::Relaxed);
        loop {
            let to = plan(v)?;
            match self.ws.compare_exchange(v, to, order, Ordering::Relaxed) {
                Ok(_) => return Some(to),
                Err(now) => v = now,
            }
        }
    }

    pub(crate) fn class(&self, class: Class) -> &AtomicU64 {
        &self.classes[class as usize]
    }
}

impl<R: Readers, W: Context, P: Platform> PsRw2008<R, W, P> {
    /// Lets one reader in, without a wait: uc 0 → 1 reader, or the step of `share_again`.
    #[inline]
    pub(crate) fn share(&self, class: Class) -> bool {
        if mutated!(AddsThenTakesBack) {
            return self.add_then_take_back(class);
        }
        match self.try_enter_uc(0, UC_READER) {
            Ok(()) => true,
            Err(now) => self.share_again(now, class),
        }
    }

    /// uc → uc + reader while there is room, and no writer is inside or on the slow path. Out of
    /// line, so that the way through a free lock is one step and one branch not taken.
    #[inline(never)]
    fn share_again(&self, mut v: u32, class: Class) -> bool {
        while is_open(v, class) {
            match self.try_enter_uc(v, v + UC_READER) {
                Ok(()) => return true,
                Err(now) => v = now,
            }
        }
        false
    }

    fn add_then_take_back(&self, class: Class) -> bool {
        let v = self.uc.fetch_add(UC_READER, Ordering::Acquire);
        if !is_open(v, class) {
            self.leave();
        }
        is_open(v, class)
    }

    /// Lets one reader out, of any class: uc → uc − reader. Returns the value after the step.
    #[inline]
    pub(crate) fn leave(&self) -> u32 {
        // Release: pairs with the acquire of the writer that waits for this reader, or comes next.
        let order = ordered!(Release, unless ReadUnlockRelaxed);
        self.uc.fetch_sub(UC_READER, order) - UC_READER
    }

    /// class → class + W: from here on readers of the class wait.
    pub(crate) fn subscribe(&self, class: Class) {
        // Relaxed: publishes nothing. A reader of the class is counted by a read-modify-write of
        // the same word.
        self.class(class).fetch_add(SUBSCRIBED, Ordering::Relaxed);
    }

    /// class → class − W.
    pub(crate) fn unsubscribe(&self, class: Class) {
        // Release: pairs with the acquire of r1, whose readers see what the writer wrote.
        self.class(class).fetch_sub(SUBSCRIBED, ordered!(Release, unless UnsubscribesRelaxed));
    }
}
