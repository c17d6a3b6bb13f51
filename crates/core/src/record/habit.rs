//! A thread's habit: whether it waits awake or sleeps at once where it finds a lock held, and
//! whether it passes waiters. It follows what has served best.
//!
//! | phase | where it finds a lock held, the thread | and after it |
//! | --- | --- | --- |
//! | `Awake` | waits awake | `Try` if it often waited meanwhile; otherwise a shorter `Awake` |
//! | `Asleep` | sleeps at once | `Try` |
//! | `Try` | sleeps at once, this one time, and looks what the others do meanwhile | `Awake` |
//! | `Queue` | waits awake; but to read it queues behind a waiting writer | a short `Awake` |
//!
//! A sleeper sees which of the two is better (see `rwsem::queue::watch`): then `Awake` or `Asleep`
//! begins. `Queue` begins with a long read (see `rwsem::pass`).

use super::Instant;

/// Everything in 19 bits of a word: a time, how often the thread waited since the phase began, and
/// the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Habit(u32);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Awake,
    Asleep,
    Try,
    Queue,
}

/// The bits of a time, and above them those of a number of waits.
const TIME: u32 = (1 << 11) - 1;
const WAIT: u32 = TIME + 1;
const WAITS: u32 = OFTEN * WAIT;
const PHASE: u32 = WAITS.trailing_zeros() + WAITS.count_ones();

/// A thread that waited so often in a phase tries the other way.
const OFTEN: u32 = (1 << 6) - 1;

/// A phase of a thread that does not know yet which is better is so many times shorter.
const SHORTER: u64 = 16;

/// About an eighth of a second: a phase that seems to last longer has long been over. Most times
/// seem to be later still, so a habit of long ago is rarely taken for a present one.
const LONGEST: u32 = 1 << 7;

/// The time in units of about a millisecond, which begins anew from 0.
#[expect(clippy::cast_possible_truncation, reason = "begins anew")]
const fn coarse(at: Instant) -> u32 {
    (at.as_nanos() >> 20) as u32 & TIME
}

impl Habit {
    /// The number of bits that a habit takes.
    pub(super) const BITS: u32 = PHASE + 2;

    const fn new(phase: Phase, until: Instant) -> Self {
        Self((phase as u32) << PHASE | coarse(until))
    }

    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << Self::BITS) - 1))
    }

    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    /// Waits awake from now on, for so many nanoseconds; at most an eighth of a second.
    pub(super) const fn awake(now: Instant, lasts: u64) -> Self {
        Self::new(Phase::Awake, now.after(lasts))
    }

    /// Waits awake for a short phase: `lasts` nanoseconds divided by [`SHORTER`].
    pub(super) const fn not_known(now: Instant, lasts: u64) -> Self {
        Self::awake(now, lasts / SHORTER)
    }

    /// Sleeps at once, for so many nanoseconds; at most an eighth of a second.
    pub(super) const fn asleep(now: Instant, lasts: u64) -> Self {
        Self::new(Phase::Asleep, now.after(lasts))
    }

    /// Queues behind writers, for so many nanoseconds; at most an eighth of a second.
    pub(super) const fn queueing(now: Instant, lasts: u64) -> Self {
        Self::new(Phase::Queue, now.after(lasts))
    }

    const fn phase(self) -> Phase {
        match self.0 >> PHASE {
            0 => Phase::Awake,
            1 => Phase::Asleep,
            2 => Phase::Try,
            _ => Phase::Queue,
        }
    }

    pub(super) const fn is_over(self, now: Instant) -> bool {
        let left = (self.0 & TIME).wrapping_sub(coarse(now)) & TIME;
        left == 0 || left > LONGEST
    }

    /// The habit after the thread has found a lock held, where phases last so many nanoseconds.
    pub(super) const fn at_wait(self, now: Instant, lasts: u64) -> Self {
        let often = self.0 & WAITS == WAITS;
        match (self.phase(), self.is_over(now)) {
            (Phase::Awake, true) if !often => Self::not_known(now, lasts),
            (Phase::Queue, true) => Self::not_known(now, lasts),
            (Phase::Awake | Phase::Asleep, true) => Self::new(Phase::Try, now),
            (Phase::Awake, false) if !often => Self(self.0 + WAIT),
            (_, _) => self,
        }
    }

    /// The habit of a thread that sees the habit of another at the same lock. The other thread may
    /// have seen what it is like to sleep there, so not each of many threads has to try it.
    /// Queueing is not taken over: each thread sees for itself how long its reads are.
    pub(super) const fn seeing(self, other: Self, now: Instant) -> Self {
        let is_news = self.is_over(now) || self.is_awake() && !other.is_awake();
        if is_news && !other.is_over(now) && !other.queues() { other } else { self }
    }

    /// Whether the thread tries sleeping at this wait.
    pub(super) const fn tries(self) -> bool {
        matches!(self.phase(), Phase::Try)
    }

    /// Whether the thread waits awake.
    pub(super) const fn is_awake(self) -> bool {
        matches!(self.phase(), Phase::Awake | Phase::Queue)
    }

    /// Whether the thread queues behind writers.
    #[inline]
    pub(super) const fn queues(self) -> bool {
        matches!(self.phase(), Phase::Queue)
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    const PHASE: u64 = 50;

    fn at(ms: u64) -> Instant {
        Instant::from_nanos(ms << 20)
    }

    /// What a habit has become after so many waits at that time.
    fn waits(habit: Habit, ms: u64, times: u32) -> Habit {
        (0..times).fold(habit, |habit, _| habit.at_wait(at(ms), PHASE << 20))
    }

    #[test]
    fn habit_of_who_waits_rarely_stays_awake() {
        let mut habit = Habit::from_bits(0);
        for ms in 0..200_000 {
            habit = waits(habit, ms, u32::from(ms % 10 == 0));
            assert!(habit.is_awake(), "{ms}");
        }
    }

    #[test]
    fn habit_of_who_waits_often_is_tried_once_in_a_phase() {
        for begun in [5, u64::from(TIME) - 60] {
            let habit = waits(Habit::awake(at(begun), PHASE << 20), begun, OFTEN);
            assert!(waits(habit, begun + PHASE - 1, 9).is_awake());
            let tries = waits(habit, begun + PHASE, 1);
            assert!(tries.tries() && !tries.is_awake() && waits(tries, begun, 9).tries());
        }
    }

    #[test]
    fn habit_of_another_is_taken_over_where_it_is_news() {
        let [awake, asleep] = [Habit::awake, Habit::asleep].map(|habit| habit(at(7), PHASE << 20));
        let sees = |own: Habit, other: Habit, ms: u64| own.seeing(other, at(ms));
        let over = Habit::from_bits(0);
        assert_eq!([sees(awake, asleep, 9), sees(asleep, awake, 9)], [asleep, asleep]);
        assert_eq!([sees(over, awake, 9), sees(over, asleep, 9)], [awake, asleep]);
        assert_eq!(sees(awake, asleep, 7 + PHASE), awake, "that is over, too");
        let tries = waits(asleep, 7 + PHASE, 1);
        let later = Habit::awake(at(40), PHASE << 20);
        assert_eq!(sees(later, tries, 7 + PHASE), later, "it does not know yet");
    }

    #[test]
    fn habit_is_over_most_of_the_time_however_long_ago_it_was() {
        let habit = Habit::asleep(at(7), PHASE << 20);
        let (ends, round) = (7 + PHASE, u64::from(TIME) + 1);
        assert!((7..ends).all(|ms| !habit.is_over(at(ms))));
        let over = (ends..ends + round).filter(|ms| habit.is_over(at(*ms))).count() as u64;
        assert_eq!(over, round - u64::from(LONGEST));
    }

    #[test]
    fn habit_of_queueing_ends_without_a_try() {
        let habit = Habit::queueing(at(7), PHASE << 20);
        let still = waits(habit, 6 + PHASE, 99);
        assert!(still.queues() && still.is_awake() && !still.tries());
        let over = waits(habit, 7 + PHASE, 1);
        assert!(!over.queues() && over.is_awake() && !over.tries());
        assert_eq!(over.seeing(habit, at(9)), over, "not another's");
    }

    #[test]
    fn habit_of_sleeping_is_tried_again() {
        let habit = Habit::asleep(at(7), PHASE << 20);
        let still = waits(habit, 6 + PHASE, 99);
        assert!(!still.is_awake() && !still.tries());
        assert!(waits(habit, 7 + PHASE, 1).tries());
    }
}
