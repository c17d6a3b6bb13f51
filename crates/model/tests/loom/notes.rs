//! Where notes end up: behind more shares than one, and under other locks.

use crate::prelude::*;
use siftlock_core::rwsem::ReadToken;
use siftlock_model::actor::Lock;
use siftlock_model::monitor;
use siftlock_model::scene;
use siftlock_model::world::Setup;

models! {
    rwsem_note_stands_for_each_share_r5 => Model::new(depth);
    rwsem_shares_without_a_note_are_of_every_lock_r5 => Model::new(more_locks_than_notes);
    rwsem_failed_upgrade_is_noted_again_r5 => Model::new(failed_upgrade);
}

type Noted = Lock<NotesReads>;

/// Another thread writes, once.
fn write(lock: &Noted) {
    lock.write();
    // SAFETY: just taken.
    unsafe { lock.write_unlock() };
}

fn unlock(lock: &Noted, token: ReadToken) {
    // SAFETY: each token is used once.
    unsafe { lock.read_unlock(token) };
}

fn play<S: 'static>(setup: Setup, threads: usize, stage: fn() -> S, act: fn(&S, usize)) {
    scene::play(
        setup,
        threads,
        |_| stage(),
        move |_, stage, place| act(stage, place),
        |_, _, _| (),
    );
}

fn depth(setup: Setup) {
    play(setup, 2, Noted::new, |lock, place| {
        if place == 1 {
            return write(lock);
        }
        let (outer, inner) = (lock.read(), lock.read());
        unlock(lock, inner);
        // The outer one is left.
        let inner = lock.read();
        unlock(lock, outer);
        // Now the inner one.
        let last = lock.read();
        unlock(lock, inner);
        unlock(lock, last);
    });
}

/// A model's record has one note.
fn more_locks_than_notes(setup: Setup) {
    monitor::look_away();
    play(
        setup,
        2,
        || [Noted::new(), Noted::new()],
        |[first, second], place| {
            if place == 1 {
                return write(second);
            }
            let (other, outer) = (first.read(), second.read());
            let inner = second.read();
            unlock(first, other);
            unlock(second, outer);
            let last = second.read();
            unlock(second, inner);
            unlock(second, last);
        },
    );
}

fn failed_upgrade(setup: Setup) {
    play(setup, 2, Noted::new, |lock, place| {
        if place == 1 {
            return write(lock);
        }
        let beside = lock.read();
        assert!(lock.try_upgradable(), "a read of a thread that reads already");
        // SAFETY: just taken; and given back as it is held.
        unsafe {
            assert!(!lock.try_upgrade(), "there is a reader");
            unlock(lock, beside);
            let inner = lock.read();
            lock.upgradable_unlock();
            unlock(lock, inner);
        }
    });
}
