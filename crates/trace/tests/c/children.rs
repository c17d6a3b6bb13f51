//! Forked children.

use crate::compiler::compiled;
use crate::traced::{Traced, locks};

/// The program asks for the child's report by the parent's signal, too.
#[test]
fn a_child_keeps_its_parents_settings() {
    let mut traced = Traced::of("children.c", "moves", "report.json");
    traced.command.env("SIFTLOCK_REPORT", "report.json").env("SIFTLOCK_REPORT_SIGNAL", "USR1");
    assert_eq!(locks(&traced.json_of_child())[0]["operations"], 1);
}

#[test]
fn a_childs_threads_have_numbers_of_their_own() {
    let child = Traced::of("children.c", "third_thread", "report.json").json_of_child();
    assert_eq!((&child["threads"], &locks(&child)[0]["threads"]), (&3.into(), &3.into()));
}

#[test]
fn a_handler_before_a_fork_may_wait_for_a_thread_that_makes_a_lock() {
    let library = compiled("library_forks.c");
    Traced::of("children.c", "library_that_waits", "report.json").above(&library).run();
}
