//! Where notes end up: behind more shares than one, under other locks, in other threads, with a lock
//! that is gone.

use crate::prelude::*;
use siftlock_core::rwsem::ReadToken;
use siftlock_model::actor::Lock;
use siftlock_model::engine::Limits;
use siftlock_model::monitor::{self, SHARE};
use siftlock_model::scene;
use siftlock_model::world::Setup;
use std::cell::RefCell;
use std::mem::forget;

models! {
    rwsem_note_stands_for_each_share_r5 => Model::new(depth);
    rwsem_shares_without_a_note_are_of_every_lock_r5 => Model::new(more_locks_than_notes);
    rwsem_failed_upgrade_is_noted_again_r5 => Model::new(failed_upgrade);
    /// Another thread gives the share back, while a writer has the lock reserved for it.
    rwsem_note_goes_before_its_share_r9 => Model::new(foreign_unlock)
        .with(|setup| setup.patience = Some(0))
        .within(|limits| limits.preemptions = Some(Limits::OF_THREE));
    rwsem_note_of_upgradable_goes_before_its_share_r9 => Model::new(foreign_upgradable_unlock)
        .with(|setup| setup.patience = Some(0))
        .within(|limits| limits.preemptions = Some(Limits::OF_THREE));
    rwsem_notes_end_with_their_shares => Model::new(ends);
    rwsem_leaked_note_ends_with_its_lock => Model::new(leak);
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

/// A lock that the first thread reads, by this token.
type HandedOn = (Box<Noted>, RefCell<Option<ReadToken>>);

fn foreign_unlock(setup: Setup) {
    // In a box: the stage is moved, and a lock that is held must not be.
    fn read_by_the_first() -> HandedOn {
        let lock = Box::new(Noted::new());
        let token = lock.read();
        (lock, RefCell::new(Some(token)))
    }
    play(setup, 3, read_by_the_first, |(lock, token), place| match place {
        0 => read_where_noted(lock),
        1 => unlock(lock, token.take().expect("it is there once")),
        _ => write(lock),
    });
}

fn foreign_upgradable_unlock(setup: Setup) {
    fn read_by_the_first() -> Box<Noted> {
        let lock = Box::new(Noted::new());
        assert!(lock.try_upgradable());
        lock
    }
    play(setup, 3, read_by_the_first, |lock, place| match place {
        0 => read_where_noted(lock),
        // SAFETY: the first thread has it, and does not give it back.
        1 => unsafe { lock.upgradable_unlock() },
        _ => write(lock),
    });
}

fn read_where_noted(lock: &Noted) {
    let token = lock.read();
    monitor::has_again();
    unlock(lock, token);
}

/// A place for locks, one after the other at the same address.
struct Place(Box<Noted>);

impl Place {
    fn new() -> Self {
        Self(Box::new(Noted::new()))
    }

    /// The lock ends. In the next one somebody waits: this thread passes only if it is still noted.
    fn assert_unnoted(&mut self, after: &str) {
        const ONE_WAITS: u64 = 1 << 32 | 1 << 1;
        *self.0 = Noted::found(SHARE | ONE_WAITS);
        assert!(self.0.try_read().is_none(), "noted after {after}");
        *self.0 = Noted::new();
    }
}

fn ends(setup: Setup) {
    monitor::look_away();
    play(
        setup,
        1,
        || (),
        |(), _| {
            let mut place = Place::new();
            for (name, story) in STORIES {
                story(&place.0);
                place.assert_unnoted(name);
            }
        },
    );
}

/// Ways through a lock, each of which leaves it as it was.
const STORIES: &[(&str, fn(&Noted))] = &[
    ("a read", |lock| unlock(lock, lock.read())),
    ("nested reads", |lock| {
        let (outer, inner) = (lock.read(), lock.read());
        unlock(lock, outer);
        unlock(lock, inner);
    }),
    ("a read that was tried", |lock| unlock(lock, lock.try_read().expect("it is free"))),
    // SAFETY, in all that follow: what is given back or changed was just taken.
    ("a fair unlock", |lock| unsafe { lock.read_unlock_fair(lock.read()) }),
    ("an unlock without the token", |lock| {
        forget((lock.read(), lock.read()));
        for _ in 0..2 {
            assert_eq!(unsafe { lock.read_unlock_untokened() }, Ok(()));
        }
    }),
    ("an upgradable read", |lock| {
        assert!(lock.try_upgradable());
        unsafe { lock.upgradable_unlock() };
    }),
    ("an upgrade", |lock| {
        assert!(lock.try_upgradable());
        unsafe {
            assert!(lock.try_upgrade());
            lock.write_unlock();
        }
    }),
    ("a failed upgrade", |lock| {
        let reader = lock.read();
        assert!(lock.try_upgradable());
        unsafe {
            assert!(!lock.try_upgrade());
            unlock(lock, reader);
            lock.upgradable_unlock_fair();
        }
    }),
    ("a downgrade", |lock| {
        lock.write();
        unlock(lock, unsafe { lock.downgrade() });
    }),
    ("two downgrades", |lock| {
        lock.write();
        unsafe {
            lock.downgrade_to_upgradable();
            unlock(lock, lock.downgrade_upgradable());
        }
    }),
];

fn leak(setup: Setup) {
    monitor::look_away();
    play(
        setup,
        1,
        || (),
        |(), _| {
            let mut place = Place::new();
            forget(place.0.read());
            place.assert_unnoted("a leaked read");
            assert!(place.0.try_upgradable());
            place.assert_unnoted("a leaked upgradable read");
        },
    );
}
