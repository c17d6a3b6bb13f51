use super::*;

/// One thread enters with one witness while it is inside with the other.
fn nested(run: impl FnOnce(&mut Witness<'_>, &mut Witness<'_>)) -> Result<(), Violation> {
    let ward = Ward::new();
    let (mut outer, mut inner) = (ward.witness(), ward.witness());
    run(&mut outer, &mut inner);
    drop((outer, inner));
    ward.judge()
}

#[test]
fn ward_lets_sections_pass_one_after_the_other() {
    let verdict = nested(|one, other| {
        for _ in 0..3 * FULL_LOOK_EVERY {
            one.write(|| ());
            other.read(|| ());
            other.write(|| ());
        }
    });
    assert_eq!(verdict, Ok(()));
}

#[test]
fn ward_lets_readers_overlap() {
    assert_eq!(nested(|outer, inner| outer.read(|| inner.read(|| ()))), Ok(()));
}

#[test]
fn ward_sees_a_reader_inside_a_writer() {
    let verdict = nested(|outer, inner| outer.write(|| inner.read(|| ())));
    assert_eq!(verdict, Err(Violation::ReaderMetWriter));
}

#[test]
fn ward_sees_a_writer_inside_a_reader() {
    let verdict = nested(|outer, inner| outer.read(|| inner.write(|| ())));
    assert!(verdict.is_err());
}

#[test]
fn ward_sees_a_writer_inside_a_writer() {
    let verdict = nested(|outer, inner| outer.write(|| inner.write(|| ())));
    assert!(verdict.is_err());
}

#[test]
fn ward_sees_each_overlap_without_the_full_look_too() {
    let past_the_full_look = |witness: &mut Witness<'_>| witness.until_full_look = 100;
    for (outer_writes, inner_writes) in [(true, false), (false, true), (true, true)] {
        let verdict = nested(|outer, inner| {
            past_the_full_look(outer);
            past_the_full_look(inner);
            let inner = || if inner_writes { inner.write(|| ()) } else { inner.read(|| ()) };
            if outer_writes { outer.write(inner) } else { outer.read(inner) }
        });
        assert!(verdict.is_err(), "{outer_writes} {inner_writes}");
    }
}

#[test]
fn ward_sees_a_writer_beside_a_reader_that_is_not_counted() {
    let inside = nested(|outer, inner| outer.read_unseen(|| inner.write(|| ())));
    assert_eq!(inside, Err(Violation::ReaderMetWriter));
    let around = nested(|outer, inner| outer.write(|| inner.read_unseen(|| ())));
    assert_eq!(around, Err(Violation::ReaderMetWriter));
    let readers = nested(|outer, inner| outer.read_unseen(|| inner.read_unseen(|| ())));
    assert_eq!(readers, Ok(()));
}

#[test]
fn ward_sees_torn_data_without_counting_the_reader() {
    let ward = Ward::new();
    ward.words[1].store(7, Relaxed);
    ward.witness().compare_unseen();
    assert_eq!(ward.judge(), Err(Violation::TornData));
}

#[test]
fn ward_misses_the_writes_that_a_lost_update_took() {
    let ward = Ward::new();
    ward.witness().write(|| ());
    ward.writers.entered.store(0, Relaxed);
    ward.writers.left.store(0, Relaxed);
    assert_eq!(ward.judge(), Err(Violation::LostUpdate));
}

#[test]
fn ward_sees_torn_data() {
    let ward = Ward::new();
    ward.words[WORDS - 1].store(7, Relaxed);
    ward.witness().read(|| ());
    assert_eq!(ward.judge(), Err(Violation::TornData));
}
