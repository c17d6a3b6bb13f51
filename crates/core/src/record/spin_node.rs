//! A thread's place in a spinners' queue, and what else it knows of its spins and waits. The queue
//! is `spin::queue`.

use super::Instant;
use super::habit::Habit;
use super::tries::{Tries, Try};
use crate::sync::{AtomicU32, Ordering, const_fn, ordered, spin_while};
#[cfg(siftlock_model)]
use crate::sync::{Cell, ModelFlag};

/// No spinner.
pub(crate) const NONE: u32 = 0;

/// The bits of `own` above the thread's habit: whether the thread waits, and how its tries went.
const WAITS: u32 = 1 << Habit::BITS;
const TRIES: u32 = Habit::BITS + 1;

const _: () = assert!(TRIES + Tries::BITS <= u32::BITS);

/// A thread's place in a spinners' queue. A thread is in one queue at a time.
#[derive(Debug)]
pub(crate) struct SpinNode {
    pub(crate) next: AtomicU32,
    pub(crate) prev: AtomicU32,
    /// Written as the thread first enters a queue, and read with each write of `next`: a model
    /// reports a link that is not ordered behind the entering.
    #[cfg(siftlock_model)]
    cleared: Cell<()>,
    #[cfg(siftlock_model)]
    has_entered: ModelFlag,
    /// Written with each `prev`: a model reports two writes that the links have not ordered.
    #[cfg(siftlock_model)]
    prev_written: Cell<()>,
    /// 1 once the turn has been passed to this spinner.
    pub(crate) turn: AtomicU32,
    /// The thread's habit, whether it waits now, and how its tries went. Only the thread and its
    /// handlers write it.
    own: AtomicU32,
}

impl SpinNode {
    const_fn! {
        pub(crate) const fn new() -> Self {
            Self {
                next: AtomicU32::new(NONE),
                prev: AtomicU32::new(NONE),
                #[cfg(siftlock_model)]
                cleared: Cell::new(()),
                #[cfg(siftlock_model)]
                has_entered: ModelFlag::new(false),
                #[cfg(siftlock_model)]
                prev_written: Cell::new(()),
                turn: AtomicU32::new(0),
                own: AtomicU32::new(0),
            }
        }
    }

    /// The thread has found a lock held, by `owner` as far as is known. Returns whether it waits
    /// awake; otherwise it sleeps at once. Phases of either last so many nanoseconds.
    pub(crate) fn waits_awake(&self, owner: Option<&Self>, now: Instant, lasts: u64) -> bool {
        let seen = owner.map_or(self.habit(), |owner| self.habit().seeing(owner.habit(), now));
        let habit = seen.at_wait(now, lasts);
        self.set_habit(habit);
        habit.is_awake()
    }

    /// The thread has seen that waiting awake pays, or that it does not. This begins a phase of so
    /// many nanoseconds.
    pub(crate) fn get_used(&self, to_wait_awake: bool, now: Instant, lasts: u64) {
        self.set_habit(match to_wait_awake {
            true => Habit::awake(now, lasts),
            false => Habit::asleep(now, lasts),
        });
    }

    /// The thread has read for longer than a sleep takes, past a writer that waits: for so many
    /// nanoseconds it queues behind such a writer. A thread that sleeps at once does not, since
    /// rounds are short.
    pub(crate) fn get_used_to_queue(&self, now: Instant, lasts: u64) {
        if self.habit().is_awake() {
            self.set_habit(Habit::queueing(now, lasts));
        }
    }

    /// Whether the thread queues by habit, in a phase that is not over yet.
    pub(crate) fn queues(&self, now: impl FnOnce() -> Instant, lasts: u64) -> bool {
        let habit = self.habit();
        if !habit.queues() {
            return false;
        }
        let now = now();
        let is_over = habit.is_over(now);
        if is_over {
            self.set_habit(Habit::not_known(now, lasts));
        }
        !is_over
    }

    /// The thread begins to wait asleep. Returns whether it does so by habit, or to try it.
    pub(crate) fn sleeps_by_choice(&self, now: impl FnOnce() -> Instant) -> bool {
        let habit = self.habit();
        !habit.is_awake() && (habit.tries() || !habit.is_over(now()))
    }

    /// Whether the thread waited awake where it last found a lock held, or has learnt since that it
    /// should.
    #[inline]
    pub(crate) fn is_used_to_wait_awake(&self) -> bool {
        self.habit().is_awake()
    }

    /// The thread has slept. If that was a try, it waits awake again, unless it sees that it should
    /// not.
    pub(crate) fn has_slept(&self, now: impl FnOnce() -> Instant, lasts: u64) {
        if self.habit().tries() {
            self.set_habit(Habit::not_known(now(), lasts));
        }
    }

    /// There is an occasion. Returns whether the thread is to try.
    pub(crate) fn is_to_try(&self, kind: Try) -> bool {
        let left = Tries::from_bits(self.own() >> TRIES).without_occasion(kind);
        left.map(|left| self.set_tries(left)).is_none()
    }

    /// The thread has tried, and it was worth it or not.
    pub(crate) fn has_tried(&self, kind: Try, was_worth_it: bool) {
        let before = Tries::from_bits(self.own() >> TRIES);
        let after = before.after_try(kind, was_worth_it);
        // Nearly always nothing changes: then the line stays with the threads that read the habit.
        if after != before {
            self.set_tries(after);
        }
    }

    fn set_tries(&self, tries: Tries) {
        self.set_own(self.own() & ((1 << TRIES) - 1) | tries.bits() << TRIES);
    }

    #[inline]
    fn habit(&self) -> Habit {
        Habit::from_bits(self.own())
    }

    fn set_habit(&self, habit: Habit) {
        self.set_own(self.own() & !(WAITS - 1) | habit.bits());
    }

    /// The thread begins to wait. Returns whether it does so on top of another wait, which ends
    /// later.
    pub(crate) fn begin_wait(&self) -> bool {
        let before = self.own();
        self.set_own(before | WAITS);
        before & WAITS != 0
    }

    /// The thread ends the wait that was on top of no other.
    pub(crate) fn end_wait(&self) {
        self.set_own(self.own() & !WAITS);
    }

    #[inline]
    fn own(&self) -> u32 {
        // Relaxed: a hint to other threads. Only the node's own thread writes the word. A handler
        // between this load and the store in `set_own` leaves the word as it found it, except for
        // hints.
        self.own.load(Ordering::Relaxed)
    }

    fn set_own(&self, own: u32) {
        self.own.store(own, Ordering::Relaxed);
    }

    /// The thread is about to enter a queue. No other thread knows of the node yet.
    #[inline]
    pub(crate) fn clear(&self) {
        #[cfg(siftlock_model)]
        if !self.has_entered.swap(true, Ordering::Relaxed) {
            // SAFETY: each link comes after the step by which the thread enters.
            unsafe { self.cleared.set(()) };
        }
        // Relaxed: the release of the step by which the thread enters publishes both.
        self.next.store(NONE, Ordering::Relaxed);
        self.turn.store(0, Ordering::Relaxed);
    }

    /// Names the successor. Written by the successor as it enters, and by a spinner between the two
    /// as it leaves.
    #[inline]
    pub(crate) fn set_next(&self, behind: u32, order: Ordering) {
        #[cfg(siftlock_model)]
        // SAFETY: written before the thread was in a queue, and never again.
        unsafe {
            self.cleared.get();
        }
        self.next.store(behind, order);
    }

    /// Names the predecessor. Written by the node's own thread as it enters, and by a predecessor
    /// as it leaves.
    #[inline]
    pub(crate) fn set_prev(&self, before: u32, order: Ordering) {
        #[cfg(siftlock_model)]
        // SAFETY: each write comes after the one before, by the links.
        unsafe {
            self.prev_written.set(());
        }
        self.prev.store(before, order);
    }

    /// Lets so many beats go by, at a word of the node, so that no other line moves. The spinner
    /// has its turn, so the word does not change.
    pub(crate) fn pause(&self, beats: u32) {
        // Relaxed: no change of the word is expected.
        spin_while(&self.turn, self.turn.load(Ordering::Relaxed), beats);
    }

    pub(crate) fn has_turn(&self) -> bool {
        // Acquire: pairs with the release in `pass_to`.
        self.turn.load(ordered!(Acquire, unless OsqTurnSeenRelaxed)) != 0
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    #[test]
    fn spinners_waits_lie_one_on_top_of_the_other() {
        let node = SpinNode::new();
        assert_eq!([node.begin_wait(), node.begin_wait()], [false, true]);
        node.get_used(false, Instant::from_nanos(0), 50_000_000);
        assert!(!node.waits_awake(None, Instant::from_nanos(0), 50_000_000), "beside the habit");
        assert!(node.begin_wait(), "the one below has not ended");
        node.end_wait();
        assert!(!node.begin_wait());
    }
}
