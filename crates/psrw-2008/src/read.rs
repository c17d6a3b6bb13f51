//! Reading, when the fast path was not open.

use crate::seam::{mutated, ordered};
use crate::wait::Limit;
use crate::word::{Condition, SLOW_READER, UC_READER, is_enterable, subscribed};
use crate::{PsRw2008, Refused};
use siftlock_core::platform::{Class, Platform};
use siftlock_core::psrw::{Context, Readers};
use siftlock_core::sync::Ordering;

impl<R: Readers, W: Context, P: Platform> PsRw2008<R, W, P> {
    /// Waits for a read. The caller stands at `class`.
    #[cold]
    #[inline(never)]
    pub(crate) fn read_slow(&self, class: Class, limit: Limit) -> Result<(), Refused> {
        // r1.
        while !self.announce_reader(class) {
            self.wait_to_read(Condition::Open(class), limit)?;
        }
        // r2: uc → uc + reader.
        let plan = |uc| is_enterable(uc, class).then_some(uc + UC_READER);
        while self.enter_uc(plan).is_none() {
            let waited = self.wait_to_read(Condition::Enterable(class), limit);
            if waited.is_err() {
                if !mutated!(UndoForgetsSlowReader) {
                    self.withdraw_reader(class);
                }
                // A writer may sleep until this reader is withdrawn.
                if !Self::gives_up_silently(Condition::Enterable(class)) {
                    self.check();
                }
                return waited;
            }
        }
        // r3. No check here: this reader's unlock makes one.
        self.withdraw_reader(class);
        Ok(())
    }

    /// Waits asleep for a Thread, awake for a higher class. A reader that gives up checks, because
    /// it may have been the sleeper that was woken.
    fn wait_to_read(&self, condition: Condition, limit: Limit) -> Result<(), Refused> {
        let is_first_wait = matches!(condition, Condition::Open(_));
        let waited = match condition {
            Condition::Open(Class::Thread) | Condition::Enterable(Class::Thread) => {
                self.wait_asleep(condition, limit)
            }
            _ => self.wait_awake(condition, limit),
        };
        if waited.is_err() && is_first_wait && !Self::gives_up_silently(condition) {
            self.check();
        }
        waited
    }

    /// class → class + R, if no writer has shut the class out. Returns whether the step was made.
    fn announce_reader(&self, class: Class) -> bool {
        let word = self.class(class);
        // Relaxed: the value is used for a compare-and-swap only.
        let mut v = word.load(Ordering::Relaxed);
        while subscribed(v) == 0 {
            // Acquire: pairs with the release of the writers that have left the class.
            let order = ordered!(Acquire, unless EntersRelaxed);
            match word.compare_exchange(v, v + SLOW_READER, order, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => v = now,
            }
        }
        false
    }

    /// class → class − R.
    fn withdraw_reader(&self, class: Class) {
        // Release: pairs with the acquire of the writer that waits for R = 0, and must then find
        // this reader in `uc`.
        let order = ordered!(Release, unless SlowReaderLeavesRelaxed);
        self.class(class).fetch_sub(SLOW_READER, order);
    }
}
