//! Checks that every call comes back.

use super::post::{found, posts};
use super::world::World;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

/// The time between two looks. Looks are counted, not time: a machine that stood still proves
/// nothing.
const LOOK: Duration = Duration::from_millis(100);

/// For each thread, how many calls it had finished, and for how many looks it has been at the next.
#[derive(Default)]
pub(crate) struct Watchdog {
    seen: HashMap<usize, (u64, u32)>,
}

impl Watchdog {
    /// Watches for so long, or until `is_over`.
    pub(crate) fn watch(
        &mut self,
        world: &'static World,
        time: Duration,
        mut is_over: impl FnMut() -> bool,
    ) {
        let begin = Instant::now();
        while begin.elapsed() < time && !is_over() {
            thread::sleep(LOOK.min(time));
            self.look(world);
        }
    }

    fn look(&mut self, world: &'static World) {
        let patience = (world.options.patience.as_millis() / LOOK.as_millis()) as u32;
        let mut there = HashMap::new();
        for (number, post) in posts() {
            let done = post.done();
            let looks = match self.seen.get(&number) {
                Some(&(before, looks)) if before == done && post.call().is_some() => looks + 1,
                _ => 0,
            };
            if looks >= patience {
                let mut states = String::new();
                for (number, place) in world.places().iter().enumerate() {
                    let _ = write!(states, "\n  lock {number:2}: {}", place.state());
                }
                found!("a call of thread {number} does not come back: {post}{states}");
            }
            there.insert(number, (done, looks));
        }
        self.seen = there;
    }
}
