//! Where a test takes place: the lock, what it protects, and how the threads are to act.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use super::Test;
use crate::machine::clock::stay_awake;
use crate::machine::{Clock, Scheduling};
use crate::run::{Arena, Fault, Instances};
use crate::subjects::{AtThread, Lock, Placed};
use crate::verify::{Violation, Ward};

/// How many integers the lock protects, as in 2008.
const INTEGERS: usize = 100;

/// One sample's place.
pub(super) struct Stage<L> {
    arena: Arena<AtThread<L>>,
    board: Board,
    pub(super) test: &'static Test,
    pub(super) interrupt_delay: Duration,
    pub(super) scheduling: Scheduling,
    pub(super) clock: Clock,
    /// Whether a writer pauses without giving up its processor, as the writers of 2008 do. Where
    /// threads share a processor, a writer sleeps: awake it would keep the processor from threads
    /// that want the lock.
    pub(super) rests_awake: bool,
    /// How long each reader stays inside, in ticks.
    inside: u64,
    /// How long the sample takes.
    window: Duration,
}

impl<L: Placed> Stage<L> {
    /// A place with an unlocked lock.
    pub(super) fn new(
        test: &'static Test,
        interrupt_delay: Duration,
        scheduling: Scheduling,
        clock: &Clock,
        window: Duration,
    ) -> Self {
        let inside = clock.in_ticks(test.inside);
        let rests_awake = scheduling.is_roomy();
        let arena = Arena::new(Instances::Shared, test.threads());
        let board = Board::new();
        let clock = clock.clone();
        Self { arena, board, test, interrupt_delay, scheduling, clock, rests_awake, inside, window }
    }

    /// Room for the interruptions of one thread, and as many again for a late end.
    pub(super) fn expected_interruptions(&self) -> usize {
        let expected = self.window.as_secs_f64() / self.interrupt_delay.as_secs_f64();
        expected as usize * 2 + 64
    }

    /// The lock, as the `seat`-th thread uses it.
    pub(super) fn lock(&self, seat: usize) -> &L {
        &self.arena.lock(seat).0
    }

    /// The ward, which notices if the lock does not exclude.
    pub(super) fn ward(&self) -> &Ward {
        self.arena.ward()
    }

    /// A reader's section.
    #[inline]
    pub(super) fn read(&self) {
        self.board.compare();
        if self.inside != 0 {
            stay_awake(self.inside);
            self.board.compare();
        }
    }

    /// A handler's section. It is short in every test.
    #[inline]
    pub(super) fn read_in_handler(&self) {
        self.board.compare();
    }

    /// A writer's section.
    #[inline]
    pub(super) fn write(&self) {
        self.board.set_all();
    }

    /// The verdict on the lock, when the threads have gone.
    pub(super) fn judge(&self) -> Result<(), Fault> {
        self.arena.judge()?;
        if <AtThread<L> as Lock>::EXCLUDES && self.board.torn.load(Relaxed) {
            return Err(Violation::TornData.into());
        }
        Ok(())
    }
}

/// Integers that a writer sets all alike and a reader compares, every time.
///
/// All accesses are Relaxed: the lock orders them.
struct Board {
    integers: CachePadded<[AtomicU64; INTEGERS]>,
    torn: CachePadded<AtomicBool>,
}

impl Board {
    fn new() -> Self {
        Self {
            integers: CachePadded::new([const { AtomicU64::new(0) }; INTEGERS]),
            torn: CachePadded::new(AtomicBool::new(false)),
        }
    }

    #[inline]
    fn set_all(&self) {
        let next = self.integers[0].load(Relaxed).wrapping_add(1);
        for integer in self.integers.iter() {
            integer.store(next, Relaxed);
        }
    }

    #[inline]
    fn compare(&self) {
        let first = self.integers[0].load(Relaxed);
        // Compares all, without an early exit: a section's length does not depend on what it sees.
        let unlike = self
            .integers
            .iter()
            .fold(0, |unlike, integer| unlike | (integer.load(Relaxed) ^ first));
        if unlike != 0 {
            self.torn.store(true, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_sees_one_integer_that_is_not_like_the_others() {
        let board = Board::new();
        board.set_all();
        board.compare();
        assert!(!board.torn.load(Relaxed));
        board.integers[INTEGERS - 1].store(7, Relaxed);
        board.compare();
        assert!(board.torn.load(Relaxed));
    }
}
