//! Shares that their thread has counted without a name, where nobody keeps a token.
//!
//! The first thread reads the lock, and notes that by name. The other has shares of two locks, one
//! by its only note, one without a name.

use crate::prelude::*;
use siftlock_core::rwsem::{Policy, RwSem};
use siftlock_model::actor::Lock;
use siftlock_model::engine::Limits;
use siftlock_model::monitor::{self, SHARE};
use siftlock_model::scene;
use siftlock_model::world::Setup;

models! {
    rwsem_unlock_for_another_thread_by_its_note
        => Model::new(|setup| play::<NotesReads>(setup, one_read, |_| (), unlocks_for_another));
    /// One read is noted, the other stands in a slot.
    rwsem_unlock_for_another_thread_by_note_and_slot
        => Model::new(|setup| play::<SlotsAndNotes>(setup, two_reads, |_| (), unlocks_both));
    /// Each unlocks what is its own.
    rwsem_unnamed_share_ends_beside_a_named_one
        => Model::new(|setup| play::<NotesReads>(setup, |_| (), reads, reads_beside_another))
            .preempted(Some(Limits::OF_THREE));
}

fn play<L: Policy + 'static>(
    mut setup: Setup,
    begin: fn(&Lock<L>),
    first: fn(&Lock<L>),
    other: fn(&Lock<L>),
) {
    setup.fenced();
    monitor::look_away();
    let stage = move || {
        // In a box: the stage is moved, and a lock that is held must not be.
        let lock = Box::new(Lock::<L>::new());
        begin(&lock);
        lock
    };
    let act = move |lock: &Lock<L>, place| if place == 0 { first(lock) } else { other(lock) };
    scene::play(
        setup,
        2,
        |_| stage(),
        move |_, lock, place| act(lock, place),
        |_, lock, _| assert!(lock.try_write(), "nobody reads any more"),
    );
}

fn one_read<L: Policy>(lock: &Lock<L>) {
    assert!(!lock.read().is_slot());
}

fn two_reads<L: Policy>(lock: &Lock<L>) {
    one_read(lock);
    assert!(lock.read().is_slot());
}

/// Releases a read of a lock, as the preload does.
fn unlock<L: Policy>(lock: &Lock<L>) {
    // SAFETY: each caller knows of a read; no token is kept.
    unsafe {
        if !lock.unlock_any_slot() && !lock.unlock_noted() {
            assert_eq!(lock.unlock_found(), Ok(()));
        }
    }
}

/// With a share that is noted, and one that is not.
fn beside_others(act: impl FnOnce(&[Box<Lock<NotesReads>>; 2])) {
    let others = [(); 2].map(|()| Box::new(RwSem::new()));
    others.iter().for_each(|lock| one_read(lock));
    act(&others);
    assert_is_new();
}

fn unlocks_for_another(lock: &Lock<NotesReads>) {
    beside_others(|others| {
        unlock(lock);
        others.iter().for_each(|lock| unlock(lock));
        assert!(others.iter().all(|lock| lock.try_write()), "each unlock was of its own lock");
    });
}

fn unlocks_both(lock: &Lock<SlotsAndNotes>) {
    beside_others(|others| {
        (0..2).for_each(|_| unlock(lock));
        others.iter().for_each(|lock| unlock(lock));
        assert!(others.iter().all(|lock| lock.try_write()), "each unlock was of its own lock");
    });
}

fn reads(lock: &Lock<NotesReads>) {
    one_read(lock);
    unlock(lock);
}

/// The lock is the second one: its share has no name.
fn reads_beside_another(lock: &Lock<NotesReads>) {
    let noted = Box::new(Lock::<NotesReads>::new());
    one_read(&noted);
    reads(lock);
    unlock(&noted);
    assert_is_new();
}

/// The thread has no share left, as far as it knows: it does not pass a waiter.
fn assert_is_new() {
    const ONE_WAITS: u64 = 1 << 32 | 1 << 1;
    let waited_for = Lock::<NotesReads>::found(SHARE | ONE_WAITS);
    assert!(waited_for.try_read().is_none(), "it counts a share still");
    std::mem::forget(waited_for);
}
