//! Signals, forks, and what a program must not notice.

use crate::library;
use crate::traced::{Traced, has_frame, locks, program};
use serde_json::Value;
use std::fs;

#[test]
fn a_signal_asks_for_a_report() {
    let mut traced = Traced::new("signals", "report.json");
    // By name, and with the program's own knowledge of the file: it waits for it, and keeps it.
    let path = traced.path();
    traced.command.env("SIFTLOCK_REPORT_SIGNAL", "USR1").env("REPORT", &path);
    traced.run();
    let early = fs::read(traced.folder.path().join("early")).expect("the report at the signal");
    let early: Value = serde_json::from_slice(&early).expect("JSON");
    assert_eq!(locks(&early)[0]["operations"], 10);
    let last: Value = serde_json::from_slice(&fs::read(path).unwrap()).expect("JSON");
    assert_eq!(locks(&last)[0]["operations"], 30);
}

#[test]
fn a_signal_that_is_none_is_refused_in_words() {
    let mut traced = Traced::new("counts", "report.json");
    traced.command.env("SIFTLOCK_REPORT_SIGNAL", "KILL");
    let said = String::from_utf8(traced.run().stderr).expect("text");
    assert!(said.contains("SIFTLOCK_REPORT_SIGNAL=KILL") && said.contains("USR1"), "{said}");
}

/// glibc keeps this signal for itself.
#[test]
fn a_signal_that_cannot_be_handled_is_refused_in_words() {
    let mut traced = Traced::new("counts", "report.json");
    traced.command.env("SIFTLOCK_REPORT_SIGNAL", "33");
    let said = String::from_utf8(traced.run().stderr).expect("text");
    assert!(said.contains("siftlock: no report at signal 33: Invalid argument"), "{said}");
}

#[test]
fn a_forked_child_reports_for_itself() {
    let mut traced = Traced::new("forks", "report.json");
    let parent = traced.json();
    let child = traced.json_of_child();
    let operations = |report: &Value| locks(report)[0]["operations"].clone();
    assert_eq!((operations(&parent), operations(&child)), (100.into(), 7.into()));
    assert_eq!(locks(&child).len(), 1, "{child:#}");
    // The child knows where its parent's lock comes from.
    assert!(has_frame(&locks(&child)[0]["created"]["stack"], "make_busy"), "{child:#}");
    assert_ne!(parent["pid"], child["pid"]);
}

#[test]
fn a_child_that_begins_beside_a_report_lives() {
    let mut traced = Traced::of("interrupted.c", "forks_beside_reports", "report.json");
    traced.command.env("SIFTLOCK_REPORT_SIGNAL", "USR1");
    traced.run();
}

#[test]
fn handlers_end_a_process_and_have_small_stacks() {
    for behaviour in ["ends_in_a_handler", "a_small_stack"] {
        Traced::of("interrupted.c", behaviour, "report.json").run();
    }
}

/// A shell ends after the program that it has started.
#[test]
fn a_process_leaves_another_report_alone() {
    let mut traced = Traced::new("counts", "report.json");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "\"$0\" counts; exit $?"]).arg(traced.command.get_program());
    shell.env("LD_PRELOAD", library::tracer()).env("SIFTLOCK_REPORT", traced.path());
    traced.command = shell;
    assert_eq!(locks(&traced.json()).len(), 3);
}

#[test]
fn a_program_does_not_notice() {
    for behaviour in ["answers", "counts", "nothing"] {
        let alone = program(behaviour).output().expect("the program starts");
        let mut traced = Traced::new(behaviour, "report.json");
        let under = traced.command.output().expect("the program starts");
        assert_eq!(under, alone, "{behaviour}");
        traced.command.env("SIFTLOCK_REPORT", "");
        assert_eq!(traced.command.output().expect("the program starts"), alone, "{behaviour}");
        traced.command.env_remove("SIFTLOCK_REPORT");
        assert_eq!(traced.command.output().expect("the program starts"), alone, "{behaviour}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_told() {
    let mut traced = Traced::new("counts", "report.json");
    traced.command.env("SIFTLOCK_REPORT", "/nowhere/report.json");
    let said = String::from_utf8(traced.run().stderr).expect("text");
    assert!(said.contains("cannot write the report to /nowhere/report.json"), "{said}");
}

#[test]
fn an_allocator_may_be_built_on_a_lock() {
    let report = Traced::new("allocator", "report.json").json();
    assert!(locks(&report)[0]["operations"].as_u64() >= Some(1000), "{report:#}");
}
