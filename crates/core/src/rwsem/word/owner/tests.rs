//! The owner word, step by step.

use super::hint::{ASKED, ASYMMETRIC};
use super::*;

const FORMS: [Form; 2] = [Form::Asymmetric, Form::Symmetric(5)];

fn ids() -> [RecordId; 2] {
    [1_000, 7].map(|id| RecordId::new(id).expect("an id"))
}

#[test]
fn owner_that_signs_is_named_as_it_came() {
    let [me, other] = ids();
    for passed in [false, true] {
        let owner = Owner::new();
        owner.sign(me, passed);
        let hint = owner.hint();
        assert_eq!((hint.writer(), hint.passed(), hint.is_on()), (Some(me), passed, false));
        assert_eq!((hint.is_writer(me.get()), hint.is_passing_writer(me.get())), (!passed, passed));
        assert!(!hint.is_writer(other.get()) && !hint.is_passing_writer(other.get()));
    }
}

#[test]
fn owner_shows_a_bias_until_a_writer_signs() {
    let [me, _] = ids();
    for form in FORMS {
        let owner = Owner::new();
        owner.sign(me, false);
        assert!(owner.switch_on(form) && !owner.switch_on(form));
        let hint = owner.hint();
        assert!(hint.is_on() && hint.writer().is_none() && !hint.passed());
        assert_eq!(hint.is_asymmetric(), form == Form::Asymmetric);
        assert_eq!(hint.is_symmetric(), form != Form::Asymmetric);
        owner.forbid_spinning();
        assert_eq!(owner.hint(), hint, "nobody but a writer takes it away");
        assert!(!hint.forbids_spinning());
        owner.sign(me, false);
        assert!(!owner.hint().is_on());
    }
}

#[test]
fn owner_bias_goes_from_form_to_form() {
    let owner = Owner::new();
    assert!(owner.switch_on(Form::Symmetric(u32::MAX)));
    assert_eq!(owner.hint().asked(), ASKED, "as often as can be");
    assert!(owner.switch_on(Form::Asymmetric) && !owner.switch_on(Form::Symmetric(1)));
    assert_eq!(owner.hint(), Hint(ASYMMETRIC));
    owner.stay(3);
    assert!(owner.hint().is_symmetric() && !owner.hint().is_asymmetric());
    assert_eq!(owner.hint().asked(), 3);
}

#[test]
fn owner_is_asked_again_and_again() {
    let [me, _] = ids();
    let owner = Owner::new();
    for _ in 0..2 {
        owner.sign(me, true);
        let asked = [(); 4].map(|()| owner.count_asking(8));
        assert_eq!(asked, [0, 8, 16, 24].map(Some), "the first tells nothing");
    }
    assert!(owner.switch_on(Form::Symmetric(3)));
    assert_eq!([(); 2].map(|()| owner.count_asking(8)), [Some(11), Some(19)]);
    assert!(owner.hint().is_symmetric(), "asking takes no bias away");
    owner.stay(ASKED - 1);
    assert_eq!(owner.count_asking(8), Some(ASKED), "no more are counted");
    assert!(owner.switch_on(Form::Asymmetric));
    assert_eq!(owner.count_asking(8), None);
    assert_eq!(owner.hint(), Hint(ASYMMETRIC));
}

#[test]
fn owner_is_looked_at_twice() {
    let [me, _] = ids();
    let owner = Owner::new();
    let free = owner.hint();
    assert!(owner.switch_on(Form::Asymmetric));
    assert!(owner.second_look(free).is_asymmetric());
    let biased = owner.hint();
    owner.sign(me, false);
    assert_eq!(owner.second_look(biased).writer(), Some(me));
}

#[test]
fn owner_forbidden_to_spin_on_is_nobody_who_asked() {
    let [me, _] = ids();
    for passed in [false, true] {
        let owner = Owner::new();
        owner.sign(me, passed);
        owner.forbid_spinning();
        assert!(owner.hint().forbids_spinning() && owner.hint().writer().is_none());
        let ask = || owner.count_asking(8);
        assert_eq!((ask(), ask()), (Some(0), Some(8)));
        assert!(owner.hint().forbids_spinning(), "askings keep the mark");
        owner.forbid_spinning();
        assert_eq!(ask(), Some(16), "and the mark keeps them");
    }
}
