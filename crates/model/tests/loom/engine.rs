//! The properties of loom on which the models rely.

use crate::prelude::*;
use siftlock_core::sync::mutant::{self, Mutant};
use siftlock_model::engine::thread;
use std::panic::catch_unwind;

/// Mutants are switched on, and worlds kept, by OS thread; the test harness runs many tests at
/// once.
#[test]
fn engine_all_threads_of_a_model_are_one_os_thread() {
    let harness = std::thread::current().id();
    Model::new(move |_| {
        let here = std::thread::current().id();
        let there = thread::spawn(move || std::thread::current().id()).join().expect("no panic");
        assert_eq!((here, there), (harness, harness));
    })
    .holds();
}

#[test]
fn engine_mutant_is_switched_off_again() {
    mutant::switch_on(Mutant::NewHeadDoesNotLook);
    mutant::switch_off();
    crate::wakeups::rwsem_reader_and_writer_lose_no_call_r5::model().holds();
}

#[test]
fn engine_mutant_of_another_thread_does_no_harm() {
    let other = std::thread::spawn(|| mutant::switch_on(Mutant::NewHeadDoesNotLook));
    other.join().expect("no panic");
    crate::wakeups::rwsem_reader_and_writer_lose_no_call_r5::model().holds();
}

/// Checks the checker: breaking a rule that this model does not need goes unnoticed, and is
/// reported.
#[test]
fn engine_unnoticed_mutant_is_reported() {
    let model = crate::wakeups::rwsem_reader_and_writer_lose_no_call_r5::model();
    assert!(catch_unwind(|| model.falls_to(Mutant::LimitWakesNobody)).is_err());
}

#[test]
fn engine_deadlock_is_reported() {
    let stuck = Model::row::<Classic>("Wh R");
    assert!(catch_unwind(|| stuck.holds()).is_err());
}
