use super::*;
use crate::record::mark::MOST_EXTRA;

/// Aligned as locks are, which `u64` is not everywhere.
#[repr(align(8))]
struct Place(#[allow(dead_code)] u64);

static LOCKS: [Place; OTHER + 1] = [const { Place(0) }; OTHER + 1];

/// A lock that no note names.
const OTHER: usize = NOTES + 3;

fn key(n: usize) -> Key {
    Key::of(&LOCKS[n])
}

/// Notes of the calling test alone.
macro_rules! notes {
    () => {{
        static NOTES: Notes = Notes::new();
        &NOTES
    }};
}

#[test]
fn notes_stand_for_each_share_until_the_last_goes() {
    let notes = notes!();
    for shares in 1..5 {
        (0..shares).for_each(|_| notes.note(key(1)));
        for _ in 0..shares {
            assert!(notes.name(key(1)) && !notes.name(key(2)) && notes.are_in_use());
            notes.take_share(key(1));
        }
        assert!(!notes.name(key(1)) && !notes.are_in_use());
    }
}

/// The first taken goes first: the next has a note of another place, or of the same.
#[test]
fn notes_of_several_locks_go_in_any_order() {
    let notes = notes!();
    for gone in 0..NOTES {
        (0..NOTES).for_each(|lock| notes.note(key(lock)));
        notes.take_share(key(gone));
        assert!((0..NOTES).all(|lock| notes.name(key(lock)) != (lock == gone)));
        (0..NOTES).filter(|lock| *lock != gone).for_each(|lock| notes.take_share(key(lock)));
        assert!(!notes.are_in_use());
    }
}

#[test]
fn notes_are_of_every_lock_while_there_are_more_shares_than_they_can_name() {
    let notes = notes!();
    (0..NOTES + 2).for_each(|lock| notes.note(key(lock)));
    assert!(notes.name(key(OTHER)));
    notes.take_share(key(NOTES));
    assert!(notes.name(key(OTHER)));
    notes.take_share(key(NOTES + 1));
    assert!(!notes.name(key(OTHER)) && notes.name(key(0)));
}

#[test]
fn notes_of_one_lock_beyond_the_depth_of_a_note_are_counted_without_a_name() {
    let notes = notes!();
    const NAMED: usize = MOST_EXTRA as usize + 1;
    let shares = 0..NAMED * NOTES + 1;
    shares.clone().for_each(|_| notes.note(key(1)));
    assert!(notes.name(key(2)), "one is without a name");
    for _ in shares {
        assert!(notes.name(key(1)));
        notes.take_share(key(1));
    }
    assert!(!notes.are_in_use());
}

#[test]
fn notes_tell_an_upgradable_read_from_others_of_the_same_lock() {
    let notes = notes!();
    notes.note(key(1));
    notes.note_upgradable(key(1));
    notes.note(key(1));
    notes.take_share(key(1));
    notes.take_upgradable(key(1));
    assert!(notes.name(key(1)));
    notes.take_share(key(1));
    assert!(!notes.are_in_use());
}

#[test]
fn notes_name_the_lock_of_an_upgradable_read_alone() {
    let notes = notes!();
    notes.note_upgradable(key(1));
    assert!(notes.name(key(1)) && !notes.name(key(2)) && notes.are_in_use());
    notes.take_upgradable(key(1));
    assert!(!notes.name(key(1)) && !notes.are_in_use());
}

#[test]
fn notes_count_an_upgradable_read_without_a_name_among_the_rest() {
    let notes = notes!();
    (0..NOTES + 1).for_each(|lock| notes.note(key(lock)));
    notes.note_upgradable(key(OTHER));
    notes.take_share(key(NOTES));
    assert!(notes.name(key(OTHER - 1)), "the upgradable read is left");
    notes.take_upgradable(key(OTHER));
    assert!(!notes.name(key(OTHER - 1)) && notes.name(key(0)));
}

#[test]
fn notes_tell_whether_a_share_was_noted_by_name() {
    let notes = notes!();
    assert!(!notes.take_near(key(0)) && !notes.take_from_another(key(0)));
    (0..NOTES + 1).for_each(|lock| notes.note(key(lock)));
    assert!(!notes.take_from_another(key(NOTES)) && notes.take_unnamed() && !notes.take_unnamed());
    assert!(notes.take_near(key(0)) && !notes.take_near(key(0)));
    assert!(notes.take_from_another(key(1)) && !notes.name(key(1)) && notes.name(key(2)));
}

#[test]
fn notes_of_a_lock_that_is_no_more_are_forgotten_wherever_they_are() {
    let notes = notes!();
    (0..NOTES).for_each(|lock| notes.note(key(lock)));
    (0..NOTES).for_each(|lock| notes.forget(key(lock)));
    assert!(!notes.are_in_use());
}

#[test]
fn notes_of_a_lock_that_is_no_more_are_forgotten() {
    let notes = notes!();
    notes.note(key(1));
    notes.note(key(2));
    notes.note_upgradable(key(2));
    notes.forget(key(2));
    assert!(notes.name(key(1)) && !notes.name(key(2)));
    notes.take_share(key(1));
    assert!(!notes.are_in_use());
}
