//! Waiting awake: for contexts that must not sleep, and for writers that have raised themselves.

use super::context::{Context, Readers};
use super::word::Word;
use super::{Policy, PsRwLock, Refused};
use crate::platform::{Instant, Platform};
use crate::spin::SHORT_SPIN;
use crate::sync::spin_while;

/// Rounds of [`SHORT_SPIN`] looks, about 16 µs in all, before a waiter that stays awake naps
/// between its looks. A reader of a high class should take less. So the awaited context has
/// probably lost its processor, perhaps to the waiter. A try ends after these rounds.
const ROUNDS: u32 = 8;

/// How long a call may wait.
#[derive(Clone, Copy)]
pub(super) enum Limit {
    /// At most until then; `None`: for ever.
    Until(Option<Instant>),
    /// A bounded number of looks, and no sleep.
    Try,
}

impl Limit {
    /// Whether the time is over. Asks the clock only if there is a deadline.
    pub(super) fn is_over<P: Platform>(self) -> bool {
        match self {
            Self::Until(deadline) => deadline.is_some_and(|deadline| P::now() >= deadline),
            Self::Try => false,
        }
    }
}

impl<R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<R, W, L, P> {
    /// Looks at the word until its value is `ready`, and returns that value.
    pub(super) fn poll(&self, limit: Limit, ready: impl Fn(Word) -> bool) -> Result<Word, Refused> {
        let spins = if P::may_spin() { ROUNDS } else { 0 };
        let mut round = 0;
        loop {
            let v = self.see();
            if ready(v) {
                return Ok(v);
            }
            if limit.is_over::<P>() || matches!(limit, Limit::Try) && round >= spins {
                return Err(Refused::TimedOut);
            }
            if round < spins {
                round += 1;
                spin_while(&self.word, v.0, SHORT_SPIN);
            } else {
                P::nap();
            }
        }
    }
}
