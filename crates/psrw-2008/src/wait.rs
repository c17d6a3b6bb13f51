//! Waiting for a condition: awake, or asleep where that is allowed.

use crate::seam::ordered;
use crate::word::{Condition, Which};
use crate::{PsRw2008, Refused};
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::psrw::{Context, Readers};
use siftlock_core::sync::{Ordering, spin_while};

/// Failed loops after which a call that may sleep does so: the posted code's number. A model has
/// one loop, so that it sees both ways.
const LOOPS_BEFORE_SLEEP: u32 = if cfg!(siftlock_model) { 1 } else { 100 };

/// Failed loops after which a call that must not sleep naps between its looks. A try gives up then.
/// That is about 16 µs, longer than a reader of a high class should take.
const LOOPS_BEFORE_NAP: u32 = if cfg!(siftlock_model) { 1 } else { 512 };

/// How long a call may wait.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    /// At most until then; `None`: for ever.
    Until(Option<Instant>),
    /// A bounded number of looks, and no sleep.
    Try,
}

impl Limit {
    pub(crate) const ENDLESS: Self = Self::Until(None);

    /// Whether the time is over. Asks the clock only if there is a deadline.
    pub(crate) fn is_over<P: Platform>(self) -> bool {
        match self {
            Self::Until(deadline) => deadline.is_some_and(|deadline| P::now() >= deadline),
            Self::Try => false,
        }
    }
}

impl<R: Readers, W: Context, P: Platform> PsRw2008<R, W, P> {
    /// Waits until `condition` was seen to hold, without sleep.
    pub(crate) fn wait_awake(&self, condition: Condition, limit: Limit) -> Result<(), Refused> {
        let loops = if P::may_spin() { LOOPS_BEFORE_NAP } else { 0 };
        let mut failed = 0;
        while !self.holds(condition) {
            let is_try = matches!(limit, Limit::Try);
            if limit.is_over::<P>() || is_try && failed == loops {
                return Err(Refused::TimedOut);
            }
            if failed < loops {
                failed += 1;
                self.spin(condition.word());
            } else {
                #[cfg(siftlock_model)]
                crate::probe::awaits(condition);
                P::nap();
            }
        }
        Ok(())
    }

    /// Waits until `condition` was seen to hold. The caller has raised nothing, so it sleeps after
    /// some failed loops, unless the call is a try.
    pub(crate) fn wait_asleep(&self, condition: Condition, limit: Limit) -> Result<(), Refused> {
        let Limit::Until(deadline) = limit else { return self.wait_awake(condition, limit) };
        let loops = if P::may_spin() { LOOPS_BEFORE_SLEEP } else { 0 };
        let mut failed = 0;
        while !self.holds(condition) {
            if limit.is_over::<P>() {
                return Err(Refused::TimedOut);
            }
            if failed < loops {
                failed += 1;
                self.spin(condition.word());
            } else {
                self.sleep(condition, deadline)?;
                failed = 0;
            }
        }
        Ok(())
    }

    /// Whether `condition` holds at the moment.
    pub(crate) fn holds(&self, condition: Condition) -> bool {
        // Acquire: pairs with the Release of the readers, and of the writer of the fast path, that
        // have left. A writer at the end of a stage goes on without a step of its own.
        let order = ordered!(Acquire, unless SeenRelaxed);
        condition.holds(match condition.word() {
            Which::Uc => self.uc.load(order).into(),
            Which::Ws => self.ws.load(order).into(),
            Which::Class(class) => self.classes[class as usize].load(order),
        })
    }

    /// Spins for one beat, or less if the word changes.
    fn spin(&self, word: Which) {
        // Relaxed: a spinner takes the value only as a reason to look again.
        match word {
            Which::Uc => {
                spin_while(&self.uc, self.uc.load(Ordering::Relaxed), 1);
            }
            Which::Ws => {
                spin_while(&self.ws, self.ws.load(Ordering::Relaxed), 1);
            }
            Which::Class(class) => {
                let word = &self.classes[class as usize];
                spin_while(word, word.load(Ordering::Relaxed), 1);
            }
        }
    }
}
