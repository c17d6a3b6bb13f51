//! Short sections at full speed: they meet windows of some nanoseconds.

use super::actor::Actor;
use super::support::{Lock, Platform};
use super::ward::{Ward, Written};
use siftlock::Policy;

/// One kind of section, again and again.
pub(crate) fn burst<P: Platform, L: Policy>(
    written: &Written,
    lock: &Lock<Ward, P, L>,
    actor: &mut Actor,
) {
    let kind = actor.rng.u32(..10);
    let (times, pause) = (if kind < 5 { 4_000 } else { 400 }, actor.rng.u32(..30));
    for _ in 0..actor.rng.u32(..times) {
        actor.world.delay_stores();
        match kind {
            0..4 => {
                actor.post.begin(&"a burst of reads");
                lock.read().read_for(pause);
            }
            4 => {
                actor.post.begin(&"a burst of tried reads");
                let _ = lock.try_read().map(|guard| guard.read_for(pause));
            }
            _ => {
                // A write that finds a bias, since reads have come before it.
                if kind >= 7 {
                    actor.post.begin(&"a burst of reads and writes");
                    (0..2).for_each(|_| lock.read().read_for(0));
                }
                actor.post.begin(&"a burst of writes");
                let guard = if kind == 5 { lock.try_write() } else { Some(lock.write()) };
                if let Some(guard) = guard {
                    guard.write_at_once();
                    written.add();
                }
            }
        }
    }
}
