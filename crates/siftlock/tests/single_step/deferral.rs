//! Signals that were put off, and come when the thread is lowered; and the wrapper that puts them
//! off.

use crate::handler::{SENDS_ONE_MORE, inside};
use crate::script::{Base, Scripted};
use crate::support::queue;
use crate::walk::{ALL, IRQ, IRQ_QUEUED, Path, SOFT, SOFT_QUEUED, Sent, on_native};
use siftlock_core::platform::{Class, Platform, Raised};
use std::cell::Cell;

on_native! {
    context_lowering_with_one_noted_is_interrupted_at_every_instruction
    context_lowering_with_several_noted_is_interrupted_at_every_instruction
    context_signal_sent_in_its_handler_is_not_lost_at_any_instruction
    context_lowering_in_two_steps_is_interrupted_at_every_instruction
    context_lowering_with_all_places_full_is_interrupted_at_every_instruction
    context_wrapper_is_interrupted_at_every_instruction
}

/// The signals that arrive while the thread is raised. Values of one signal begin with the same
/// hundred.
type Noted = (Sent, std::ops::Range<i32>);

fn raise<B: Base>(class: Class) -> Raised {
    Scripted::<B>::raise(class, Raised::NOTHING)
}

fn send(noted: &[Noted]) {
    for (sent, values) in noted {
        values.clone().for_each(|value| queue(sent.number(), value).unwrap());
    }
}

/// Lowers the thread from `class`, with these signals noted.
fn lower<B: Base>(name: &'static str, class: Class, noted: &[Noted], signals: &[Sent]) {
    let held = Cell::new(Raised::NOTHING);
    let before = || {
        held.set(raise::<B>(class));
        send(noted);
    };
    let path = || Scripted::<B>::restore(held.replace(Raised::NOTHING));
    let values: Vec<i32> = noted.iter().flat_map(|(_, values)| values.clone()).collect();
    let noted: Vec<Sent> = noted.iter().map(|(sent, _)| *sent).collect();
    let (before, path, values) = (&before, &path, &values);
    Path { name, before, path, values, noted: &noted, ..Path::NONE }.walk::<B>(signals);
}

fn context_lowering_with_one_noted_is_interrupted_at_every_instruction<B: Base>(_: B) {
    lower::<B>("one Irq noted", Class::Irq, &[(IRQ, 100..101)], &ALL);
    lower::<B>("one SoftIrq noted", Class::SoftIrq, &[(SOFT_QUEUED, 100..101)], &ALL);
}

fn context_lowering_with_several_noted_is_interrupted_at_every_instruction<B: Base>(_: B) {
    let three = [(IRQ_QUEUED, 100..103)];
    lower::<B>("three noted", Class::Irq, &three, &[IRQ, IRQ_QUEUED]);
    let both = [(SOFT, 100..101), (IRQ_QUEUED, 200..202), (SOFT_QUEUED, 300..302)];
    lower::<B>("both classes noted", Class::Irq, &both, &[IRQ, SOFT_QUEUED]);
}

/// A signal that interrupts the wrapper finds the first signal noted, and kicks once more. The next
/// signal, which the handler sends, must not merge with that kick.
fn context_signal_sent_in_its_handler_is_not_lost_at_any_instruction<B: Base>(_: B) {
    let held = Cell::new(Raised::NOTHING);
    let before = || {
        held.set(raise::<B>(Class::SoftIrq));
        send(&[(SOFT, SENDS_ONE_MORE..SENDS_ONE_MORE + 1)]);
    };
    let path = || Scripted::<B>::restore(held.replace(Raised::NOTHING));
    let (name, values) = ("a handler sends its own signal", &[SENDS_ONE_MORE, SENDS_ONE_MORE + 1]);
    Path { name, before: &before, path: &path, values, ..Path::NONE }.walk::<B>(&[IRQ, IRQ_QUEUED]);
}

/// A signal that comes while the thread is half-way down is put off once more.
fn context_lowering_in_two_steps_is_interrupted_at_every_instruction<B: Base>(_: B) {
    let held = Cell::new([Raised::NOTHING; 2]);
    let noted = [(IRQ, 100..101)];
    let before = || {
        held.set([raise::<B>(Class::SoftIrq), raise::<B>(Class::Irq)]);
        send(&noted);
    };
    let path = || {
        let [low, high] = held.replace([Raised::NOTHING; 2]);
        Scripted::<B>::restore(high);
        inside(Class::SoftIrq, || ());
        Scripted::<B>::restore(low);
    };
    let (name, noted) = ("half-way down", &[IRQ]);
    Path { name, before: &before, path: &path, values: &[100], noted, ..Path::NONE }
        .walk::<B>(&[SOFT, SOFT_QUEUED]);
}

fn context_lowering_with_all_places_full_is_interrupted_at_every_instruction<B: Base>(_: B) {
    lower::<B>("more than there are places", Class::Irq, &[(IRQ_QUEUED, 100..119)], &[IRQ]);
    lower::<B>("as many as there are places", Class::Irq, &[(IRQ_QUEUED, 100..116)], &[IRQ_QUEUED]);
}

/// The path is a signal that comes, to a thread that is raised or not.
fn context_wrapper_is_interrupted_at_every_instruction<B: Base>(_: B) {
    let walk = |name, noted: &[Noted], path: &dyn Fn()| {
        let values: Vec<i32> = noted.iter().flat_map(|(_, values)| values.clone()).collect();
        Path { name, path, values: &values, ..Path::NONE }.walk::<B>(&[IRQ, SOFT_QUEUED]);
    };
    let soft = [(SOFT, 100..101)];
    walk("a signal comes", &soft, &|| send(&soft));
    for class in Class::HIGH {
        walk("a signal comes where it is put off", &soft, &|| {
            let raised = raise::<B>(class);
            send(&soft);
            inside(class, || ());
            Scripted::<B>::restore(raised);
        });
    }
    let both = [(SOFT, 100..101), (IRQ_QUEUED, 200..201)];
    walk("two come while the thread is raised twice", &both, &|| {
        let (low, high) = (raise::<B>(Class::SoftIrq), raise::<B>(Class::Irq));
        send(&both);
        Scripted::<B>::restore(high);
        inside(Class::SoftIrq, || ());
        Scripted::<B>::restore(low);
    });
}
