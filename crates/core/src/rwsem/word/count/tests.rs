//! The pure functions, over every combination of flags with some numbers of readers and some heads.

extern crate std;

use super::*;
use crate::rwsem::policy::{Classic, Standard};
use std::vec::Vec;

const FLAGS: u64 = 1 << 8;
const COUNTS: [u64; 6] = [0, 1, 2, 255, (1 << 23) - 1, 1 << 23];
const HEADS: [u64; 4] = [0, 1, 77, RecordId::MAX as u64];
const KINDS: [Kind; 4] = [Kind::Reader, Kind::Upgradable, Kind::Writer, Kind::Upgrade];

/// Every combination of flags with some numbers of readers and some heads.
fn values() -> impl Iterator<Item = Count> {
    HEADS.into_iter().flat_map(|head| {
        COUNTS.into_iter().flat_map(move |readers| {
            (0..FLAGS).map(move |flags| Count((head << HEAD_SHIFT) | (readers * READER) | flags))
        })
    })
}

fn head(number: u32, kind: Kind) -> Option<Name> {
    RecordId::new(number).map(|id| (id, kind))
}

fn waits() -> Count {
    Count(0).with_head(head(5, Kind::Writer))
}

#[test]
fn count_flags_stand_where_the_table_says() {
    let of_head = [HEAD_READER, HEAD_BEATEN];
    let flags = [WRITER, HEAD_HEEDED, HANDOFF, SPINNER_NEXT].into_iter().chain(of_head);
    let flags = flags.chain([UPGRADER, HEAD_DOZES, READER]);
    for (place, flag) in flags.enumerate().chain([(56, GIVER), (57, GIVERS_ENOUGH)]) {
        assert_eq!(flag, 1 << place);
    }
}

#[test]
fn count_admits_a_first_waiter_that_nobody_inside_keeps_out() {
    for v in values() {
        assert_eq!(v.admits(Kind::Reader), v.0 & WRITER == 0, "{v:?}");
        assert_eq!(v.admits(Kind::Upgradable), v.0 & WRITER == 0 && v.0 & UPGRADER == 0, "{v:?}");
        for kind in [Kind::Writer, Kind::Upgrade] {
            assert_eq!(v.admits(kind), v.is_free(), "{v:?}");
        }
    }
}

#[test]
fn count_tells_of_two_givers_until_the_first_waiter_has_come() {
    let called = waits();
    let one = called.plus_giver();
    let two = one.plus_giver();
    assert_eq!([called, one, two].map(Count::wants_givers), [true, true, false]);
    for v in [one, two] {
        assert_eq!(
            (v.head(), v.without_givers(), v.with_head(None)),
            (called.head(), called, Count(0))
        );
    }
}

#[test]
fn count_is_free_without_writer_and_readers() {
    for v in values() {
        assert_eq!(v.is_free(), !v.has(WRITER) && v.readers() == 0, "{v:?}");
    }
}

#[test]
fn count_with_the_guard_alone_is_not_free() {
    assert!(!Count(GUARD).is_free());
    assert!(!Count(GUARD).admits_reader());
    assert!(!Count(GUARD).lets_reader_in::<Standard>());
    assert!(!Count(GUARD).admits_recursive_reader());
}

#[test]
fn count_lets_no_reader_in_beside_a_writer_or_into_a_reserved_lock() {
    for v in values().filter(|v| v.has(WRITER | HANDOFF)) {
        assert!(!v.lets_reader_in::<Standard>() && !v.lets_reader_in::<Classic>(), "{v:?}");
    }
}

#[test]
fn count_with_head_names_it_and_reserves_nothing() {
    for v in values() {
        for kind in KINDS {
            let named = v.with_head(head(9, kind));
            assert_eq!(named.head().map(RecordId::get), Some(9));
            assert!(named.has(HEAD_HEEDED) && !named.has(HANDOFF | HEAD_DOZES));
            assert_eq!(named.has(HEAD_READER), kind == Kind::Reader);
            assert_eq!(named.readers(), v.readers());
            let nobody = named.with_head(None);
            assert!(nobody.head().is_none() && !nobody.has(HEAD_BITS | HANDOFF));
            let kept = WRITER | UPGRADER | READERS;
            assert_eq!(nobody.0 & kept, v.0 & kept);
        }
    }
}

#[test]
fn count_head_is_beaten_by_readers_that_keep_it_out_and_by_a_writer_when_it_has_looked() {
    for v in values() {
        for kind in KINDS {
            let named = v.with_head(head(9, kind));
            let readers = !v.has(WRITER) && !v.admits(kind);
            assert_eq!(named.has(HEAD_BEATEN), readers, "{kind:?} behind {v:?}");
            assert!(named.beaten().has(HEAD_BEATEN));
            assert_eq!(named.reserved().beaten(), named.reserved(), "nobody passes it");
        }
    }
}

#[test]
fn count_naming_added_to_a_value_without_waiters_is_with_head() {
    for kind in KINDS {
        for readers in COUNTS {
            let v = Count((readers * READER) | WRITER);
            let id = RecordId::new(RecordId::MAX).unwrap();
            assert_eq!(Count(v.0 + Count::naming((id, kind))), v.with_head(Some((id, kind))));
        }
    }
}

#[test]
fn count_readers_never_carry_into_the_head() {
    let v = waits().plus_readers((1 << 23) - 1);
    let full = v.plus_readers(1).plus_readers(4095);
    assert!(full.has(GUARD));
    assert_eq!(full.head(), v.head());
}

#[test]
fn count_rule_f_wakes_the_head_of_a_free_lock_alone() {
    for v in values() {
        let expected = if v.is_free() { v.head() } else { None };
        assert_eq!(v.head_if_free(), expected, "{v:?}");
    }
}

#[test]
fn count_plain_unlock_calls_the_heeded_head_of_a_free_lock_unless_it_dozes() {
    for v in values() {
        let expected = v.is_free() && v.has(HEAD_HEEDED) && !v.has(HEAD_DOZES);
        assert_eq!(v.must_wake_head(), expected, "{v:?}");
        assert!(!v.reserved().has(HEAD_DOZES) && v.reserved().has(HANDOFF));
        assert!(v.reserved().has(HEAD_HEEDED) && v.headed_by(Kind::Writer).has(HEAD_HEEDED));
    }
}

#[test]
fn count_unheeded_head_is_passed_by_a_share_and_is_the_first_all_the_same() {
    let v = waits().beaten().unheeded().expect("it was called");
    assert!(v.plus_readers(1).admits_polite_reader());
    assert!(!v.must_wake_head() && v.has_head());
    assert_eq!((v.head(), v.head_if_free()), (waits().head(), waits().head()));
    assert_eq!((v.heeded(), v.unheeded()), (waits().beaten(), None));
    assert!(!v.plus_readers(1).is_read_by_newcomers() && !v.with(SPINNER_NEXT).asks_readers());
}

#[test]
fn count_head_is_heeded_until_it_was_called() {
    let reads = Count(0).with_head(head(5, Kind::Reader)).beaten();
    for v in [waits(), waits().beaten(), waits().beaten().with_dozing(true), reads] {
        assert!(v.unheeded().is_some());
        for v in [v.reserved(), v.with(WRITER), v.plus_readers(1)] {
            assert_eq!(v.unheeded(), None);
        }
    }
    assert_eq!(reads.with_dozing(true).unheeded(), None, "a reader that passes it calls it");
}

#[test]
fn count_rule_h_concerns_whom_it_admits_and_who_has_to_watch_readers() {
    for v in values() {
        for kind in KINDS {
            assert_eq!(v.must_wake_new_head::<Classic>(kind), v.admits(kind));
            let watches = !v.has(WRITER);
            assert_eq!(v.must_wake_new_head::<Standard>(kind), v.admits(kind) || watches);
        }
    }
}

/// Which flags on a count with one reader, one at a time, keep a reader out.
fn against(lets_in: fn(Count) -> bool) -> Vec<u64> {
    let of_head = [HEAD_READER, HEAD_BEATEN, HEAD_DOZES];
    let others = [WRITER, HEAD_HEEDED, HANDOFF, SPINNER_NEXT, UPGRADER, GUARD];
    let flags = others.into_iter().chain(of_head);
    assert!(lets_in(Count(READER)), "nothing is against it");
    flags.filter(|flag| !lets_in(Count(READER | flag))).collect()
}

#[test]
fn count_keeps_each_kind_of_reader_out_by_its_flags() {
    assert_eq!(against(Count::admits_reader), [WRITER, HEAD_HEEDED, HANDOFF, GUARD]);
    let polite = against(Count::admits_polite_reader);
    assert_eq!(polite, [WRITER, HEAD_HEEDED, HANDOFF, SPINNER_NEXT, GUARD]);
    assert_eq!(against(Count::lets_reader_in::<Classic>), [WRITER, HEAD_HEEDED, HANDOFF, GUARD]);
    assert_eq!(against(Count::lets_reader_in::<Standard>), [WRITER, HANDOFF, GUARD]);
    assert_eq!(against(Count::lets_slot_reader_in), [WRITER, HANDOFF]);
    assert!(!waits().lets_slot_reader_in() && !waits().without(HEAD_HEEDED).lets_slot_reader_in());
    assert_eq!(against(Count::admits_recursive_reader), [WRITER, GUARD]);
}

#[test]
fn count_lets_slot_readers_pass_who_waits_where_readers_join() {
    for v in [waits(), waits().beaten(), waits().beaten().with_dozing(true)] {
        assert!(v.lets_slot_reader_pass::<Standard>() && !v.lets_slot_reader_pass::<Classic>());
        for flag in [WRITER, HANDOFF] {
            assert!(!v.with(flag).lets_slot_reader_pass::<Standard>());
        }
    }
}

#[test]
fn count_gives_a_share_back() {
    let two = waits().plus_readers(2);
    assert_eq!(two.minus_reader(), waits().plus_readers(1));
    assert_eq!(two.minus_reader().minus_reader().readers(), 0);
}

#[test]
fn count_shows_the_upgradable_reader_alone_unless_somebody_waits() {
    let alone = Count(READER).with(UPGRADER);
    assert!(alone.is_upgradable_alone());
    assert!(!alone.plus_readers(1).is_upgradable_alone());
    // A thread that waits to upgrade has given its share back: this one is another reader's.
    assert!(!waits().plus_readers(1).with(UPGRADER).is_upgradable_alone());
    assert_eq!([Count(READER), Count(UPGRADER)].map(Count::is_upgradable_alone), [false; 2]);
}

#[test]
fn count_asks_readers_only_where_nothing_else_keeps_them_out() {
    let asks = Count(READER).with(SPINNER_NEXT);
    assert!(asks.asks_readers() && asks.lets_reader_in::<Standard>());
    assert!(Count(SPINNER_NEXT).asks_readers(), "until the spinner comes");
    for flag in [WRITER, HEAD_HEEDED, HANDOFF, GUARD] {
        assert!(!asks.with(flag).asks_readers());
    }
    assert!(Count(READER).is_read_by_newcomers());
    for v in [asks, Count(0), Count(READER | HEAD_HEEDED), Count(WRITER)] {
        assert!(!v.is_read_by_newcomers(), "asked already, or nobody to ask");
    }
}
