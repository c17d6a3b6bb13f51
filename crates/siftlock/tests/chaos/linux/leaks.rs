//! Guards that are forgotten, by threads that live on and by threads that end, before their lock is
//! dropped.

use super::actor::Actor;
use super::support::{Lock, Platform};
use super::ward::Ward;
use siftlock::{Policy, ReadRecursive as _};
use std::mem::forget;
use std::sync::Barrier;
use std::thread;

/// Forgets some guards of the lock, if chance wants it, and then calls `renew`. Nobody else uses
/// the lock.
pub(crate) fn leak_into<'a, P: Platform, L: Policy>(
    lock: impl Fn() -> &'a Lock<Ward, P, L> + Sync,
    renew: impl FnOnce(),
    actor: &mut Actor,
) {
    match actor.rng.u32(..6) {
        0 => leak(lock(), actor),
        1 => {
            // The thread has ended when the lock is dropped.
            let mut other = actor.fork();
            thread::scope(|s| drop(s.spawn(|| leak(lock(), &mut other)).join()));
            other.post.give_back();
            leak(lock(), actor);
        }
        2 => {
            // The thread lives on, and uses other locks.
            let mut other = actor.fork();
            let (leaked, renewed) = (Barrier::new(2), Barrier::new(2));
            thread::scope(|s| {
                let living = s.spawn(|| {
                    leak(lock(), &mut other);
                    leaked.wait();
                    renewed.wait();
                    other.world.visit(0, 2, &mut other);
                });
                leaked.wait();
                leak(lock(), actor);
                renew();
                renewed.wait();
                drop(living.join());
            });
            other.post.give_back();
            return;
        }
        _ => {}
    }
    renew();
}

/// Forgets one guard or more. Never waits, since the calling thread and another may have forgotten
/// guards before.
fn leak<P: Platform, L: Policy>(lock: &Lock<Ward, P, L>, actor: &mut Actor) {
    actor.post.begin(&"guards to forget");
    for _ in 0..actor.rng.u32(1..5) {
        match actor.rng.u32(..8) {
            0 => forget(lock.try_read()),
            1 => forget(lock.try_read_recursive()),
            2 => forget(lock.try_upgradable_read()),
            3 => forget(lock.try_write()),
            // So that a bias comes: reads that end, then one that is forgotten.
            _ => {
                (0..actor.rng.u32(..80)).for_each(|_| drop(lock.try_read()));
                forget(lock.try_read());
            }
        }
    }
    actor.post.idle();
}
