//! A thread's dice, and the thread's acts inside and between the calls.

use super::post::Post;
use super::world::World;
use fastrand::Rng;
use std::hint;
use std::thread;
use std::time::{Duration, Instant};

pub(crate) struct Actor {
    pub(crate) rng: Rng,
    pub(crate) post: &'static Post,
    pub(crate) world: &'static World,
    /// The thread holds no lock with this number or a greater one, and may take these.
    pub(crate) floor: usize,
}

impl Actor {
    /// For a thread that the calling one is about to start, with dice that follow from the
    /// caller's.
    pub(crate) fn fork(&mut self) -> Self {
        Self { rng: self.rng.fork(), post: Post::take(), world: self.world, floor: 0 }
    }

    pub(crate) fn once_in(&mut self, n: u32) -> bool {
        self.rng.u32(..n) == 0
    }

    /// How long a call may wait: not at all, hardly, until the lock is reserved for it, for ever.
    pub(crate) fn duration(&mut self) -> Duration {
        match self.rng.u32(..16) {
            0..4 => Duration::ZERO,
            4..6 => Duration::from_nanos(self.rng.u64(1..2_000)),
            6..11 => Duration::from_micros(self.rng.u64(..300)),
            11..15 => Duration::from_micros(self.rng.u64(300..12_000)),
            _ => Duration::MAX,
        }
    }

    /// A moment up to which a call may wait, which may be over.
    pub(crate) fn instant(&mut self) -> Instant {
        let now = Instant::now();
        if self.once_in(4) {
            return now.checked_sub(Duration::from_micros(self.rng.u64(..10_000))).unwrap_or(now);
        }
        let duration = self.duration().min(Duration::from_secs(9_999_999));
        now + duration
    }

    /// Inside a lock: mostly nothing, now and then a while, or another lock.
    pub(crate) fn dwell(&mut self) {
        if self.world.is_rush() && !self.once_in(64) {
            return;
        }
        match self.rng.u32(..512) {
            0..32 => (0..self.rng.u32(..2_000)).for_each(|_| hint::spin_loop()),
            32..40 => thread::yield_now(),
            40..43 => thread::sleep(Duration::from_micros(self.rng.u64(..400))),
            // Until the lock is reserved for a waiter, and longer.
            43 => thread::sleep(Duration::from_millis(self.rng.u64(4..16))),
            44..76 => self.go_deeper(),
            _ => {}
        }
    }

    /// Uses a lock that comes behind all locks that the thread holds, so nobody waits in a circle.
    fn go_deeper(&mut self) {
        let (floor, places) = (self.floor, self.world.places().len());
        if floor < places {
            let number = self.rng.usize(floor..places);
            self.world.visit(number, 1, self);
            self.floor = floor;
        }
    }
}
