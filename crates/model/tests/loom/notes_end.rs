//! Notes end with the shares that they stand for, or with the lock.

use crate::prelude::*;
use siftlock_model::actor::Lock;
use siftlock_model::monitor::{self, SHARE};
use siftlock_model::scene;
use siftlock_model::world::Setup;

models! {
    rwsem_notes_end_with_their_shares => Model::new(|setup| alone(setup, ends));
    rwsem_leaked_note_ends_with_its_lock => Model::new(|setup| alone(setup, leak));
}

type Noted = Lock<NotesReads>;

fn alone(setup: Setup, act: fn()) {
    monitor::look_away();
    scene::play(setup, 1, |_| (), move |_, (), _| act(), |_, (), _| ());
}

/// A place for locks, one after the other at the same address.
struct Place(Box<Noted>);

impl Place {
    fn new() -> Self {
        Self(Box::new(Noted::new()))
    }

    /// The lock ends. In the next one a thread waits: this thread passes only if it is still noted.
    fn assert_unnoted(&mut self, after: &str) {
        const ONE_WAITS: u64 = 1 << 32 | 1 << 1;
        *self.0 = Noted::found(SHARE | ONE_WAITS);
        assert!(self.0.try_read().is_none(), "noted after {after}");
        *self.0 = Noted::new();
    }
}

fn ends() {
    let mut place = Place::new();
    for (name, way) in WAYS {
        way(&place.0);
        place.assert_unnoted(name);
    }
}

fn leak() {
    let mut place = Place::new();
    let _leaked = place.0.read();
    place.assert_unnoted("a leaked read");
    assert!(place.0.try_upgradable());
    place.assert_unnoted("a leaked upgradable read");
}

/// A way through a lock, which leaves it as it was, and its name.
type Way = (&'static str, fn(&Noted));

const WAYS: &[Way] = &[
    ("a read", read),
    ("nested reads", nested_reads),
    ("a read that was tried", tried_read),
    ("a fair unlock", fair_unlock),
    ("an unlock without the token", unlock_without_token),
    ("an upgradable read", upgradable),
    ("an upgrade", upgrade),
    ("a failed upgrade", failed_upgrade),
    ("a downgrade", downgrade),
    ("two downgrades", two_downgrades),
];

fn read(lock: &Noted) {
    let token = lock.read();
    // SAFETY: just taken.
    unsafe { lock.read_unlock(token) };
}

fn nested_reads(lock: &Noted) {
    let (outer, inner) = (lock.read(), lock.read());
    // SAFETY: just taken.
    unsafe {
        lock.read_unlock(outer);
        lock.read_unlock(inner);
    }
}

fn tried_read(lock: &Noted) {
    let token = lock.try_read().expect("it is free");
    // SAFETY: just taken.
    unsafe { lock.read_unlock(token) };
}

fn fair_unlock(lock: &Noted) {
    let token = lock.read();
    // SAFETY: just taken.
    unsafe { lock.read_unlock_fair(token) };
}

fn unlock_without_token(lock: &Noted) {
    let _lost = (lock.read(), lock.read());
    for _ in 0..2 {
        // SAFETY: two were just taken.
        assert_eq!(unsafe { lock.read_unlock_untokened() }, Ok(()));
    }
}

fn upgradable(lock: &Noted) {
    assert!(lock.try_upgradable());
    // SAFETY: just taken.
    unsafe { lock.upgradable_unlock() };
}

fn upgrade(lock: &Noted) {
    assert!(lock.try_upgradable());
    // SAFETY: just taken, and then upgraded.
    unsafe {
        assert!(lock.try_upgrade());
        lock.write_unlock();
    }
}

fn failed_upgrade(lock: &Noted) {
    let reader = lock.read();
    assert!(lock.try_upgradable());
    // SAFETY: both just taken.
    unsafe {
        assert!(!lock.try_upgrade());
        lock.read_unlock(reader);
        lock.upgradable_unlock_fair();
    }
}

fn downgrade(lock: &Noted) {
    lock.write();
    // SAFETY: just taken, and then downgraded.
    unsafe {
        let token = lock.downgrade();
        lock.read_unlock(token);
    }
}

fn two_downgrades(lock: &Noted) {
    lock.write();
    // SAFETY: just taken, and then downgraded, twice.
    unsafe {
        lock.downgrade_to_upgradable();
        let token = lock.downgrade_upgradable();
        lock.read_unlock(token);
    }
}
