//! Whether the thread that has a lock runs.
//!
//! No system tells a program which of its threads have a processor. But it tells how much processor
//! time each has used. If that time stands still the thread does not run, as far as the system
//! counts at once. A waiter that sees this sleeps: awake it would only take the processor that the
//! owner needs. If the waiter is wrong it has slept too early.
//!
//! To ask is a system call. So a waiter asks when it has waited for [`FIRST`], once more after the
//! same time, and from then on each time it has waited twice as long.

use crate::platform::Instant;
use crate::record::RecordId;

/// Nanoseconds: a few times what it takes to ask. Most waits are over before.
const FIRST: u64 = 1_000;

/// What a waiter knows of the owner.
pub(crate) struct Running {
    began: Option<Instant>,
    /// When the waiter asks. `None` until it next looks: to ask may take long.
    next: Option<Instant>,
    has_asked: bool,
    /// The owner when the waiter last asked, and the processor time that the owner had used.
    seen: Option<(RecordId, u64)>,
    /// Whether the owner had stopped then.
    stopped: bool,
}

impl Running {
    /// The wait begins.
    pub(crate) const fn new() -> Self {
        Self { began: None, next: None, has_asked: false, seen: None, stopped: false }
    }

    /// Whether the owner has lost its processor. `asks` returns the owner and how much processor
    /// time it has used, if both are known.
    pub(crate) fn has_stopped(
        &mut self,
        now: Instant,
        asks: impl FnOnce() -> Option<(RecordId, u64)>,
    ) -> bool {
        let began = *self.began.get_or_insert(now);
        let next = *self.next.get_or_insert(now.after(now.nanos_since(began).max(FIRST)));
        if now < next {
            return false;
        }
        self.next = if self.has_asked { None } else { Some(now.after(FIRST)) };
        self.has_asked = true;
        let sees = asks();
        self.stopped = sees.is_some() && sees == self.seen;
        self.seen = sees;
        self.stopped
    }

    /// Whether the wait has ended because the owner had stopped.
    pub(crate) const fn saw_a_stop(&self) -> bool {
        self.stopped
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    /// When the waiter asks, at most five times, and when it sees that the owner has stopped, if it
    /// looks each 100 ns.
    fn looks(
        owner: impl Fn(u64) -> u32,
        used: impl Fn(u64) -> Option<u64>,
    ) -> ([u64; 5], Option<u64>) {
        let mut running = Running::new();
        let (mut asked, mut times, mut stopped) = ([0; 5], 0, None);
        for at in (0..20_000).step_by(100) {
            let sees = running.has_stopped(Instant::from_nanos(at), || {
                asked[times] = at;
                times += 1;
                Some((RecordId::new(owner(at))?, used(at)?))
            });
            stopped = stopped.or(sees.then_some(at));
        }
        (asked, stopped)
    }

    #[test]
    fn running_owner_is_asked_for_more_and_more_rarely() {
        let asks = [1_000, 2_000, 4_200, 8_600, 17_400];
        assert_eq!(looks(|_| 7, Some), (asks, None), "it uses time");
        assert_eq!(looks(|_| 7, |_| None), (asks, None), "nothing is known");
        let by_turns = |at| if at < 1_500 { 7 } else { 8 };
        assert_eq!(looks(by_turns, |_| Some(5)), (asks, Some(4_200)), "another one");
        assert_eq!(looks(|_| 0, Some), (asks, None), "nobody has signed");
    }

    #[test]
    fn running_owner_that_uses_no_time_has_stopped() {
        assert_eq!(looks(|_| 7, |_| Some(5)).1, Some(2_000));
        assert_eq!(looks(|_| 7, |at| Some(at.min(3_000))).1, Some(8_600));
    }
}
