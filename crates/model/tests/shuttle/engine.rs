//! The properties of shuttle on which the models rely.

use crate::prelude::*;
use siftlock_core::sync::mutant::Mutant;
use siftlock_model::engine::{linger, thread};
use std::panic::catch_unwind;

/// Mutants are switched on, and worlds kept, by OS thread; the test harness runs many tests at
/// once.
#[test]
fn engine_all_threads_of_a_model_are_one_os_thread() {
    let harness = std::thread::current().id();
    Model::new(move |_| {
        let here = std::thread::current().id();
        let there = thread::spawn(|| {
            linger();
            std::thread::current().id()
        });
        linger();
        let there = there.join().expect("no panic");
        assert_eq!((here, there), (harness, harness));
    })
    .holds();
}

/// Checks the checker: breaking a rule that this model does not need goes unnoticed, and is
/// reported.
#[test]
fn engine_unnoticed_mutant_is_reported() {
    let model = Model::row::<Classic>("R W");
    assert!(catch_unwind(|| model.falls_to(Mutant::LimitWakesNobody)).is_err());
}

#[test]
fn engine_deadlock_is_reported() {
    let stuck = Model::row::<Classic>("Wh R");
    assert!(catch_unwind(|| stuck.holds()).is_err());
}
