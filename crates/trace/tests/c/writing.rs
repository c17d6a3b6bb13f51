//! A report that cannot be written does not change the program's end.

use crate::library;
use crate::traced::Traced;
use std::fs::File;
use std::io;
use std::process::Stdio;

const REPORT: (&str, &str) = ("SIFTLOCK_REPORT", "1");
const NO_FOLDER: (&str, &str) = ("SIFTLOCK_REPORT", "/nowhere/report.json");
const NO_SIGNAL: (&str, &str) = ("SIFTLOCK_REPORT_SIGNAL", "KILL");

/// The program ends well with these standard errors, whatever is to be written there.
#[track_caller]
fn ends_well<T: Into<Stdio>>(standard_error: impl Fn() -> T) {
    for (name, value) in [REPORT, NO_FOLDER, NO_SIGNAL] {
        let mut traced = Traced::new("waits", "report.json");
        traced.command.env(name, value).stderr(standard_error());
        traced.run();
    }
}

#[test]
fn the_standard_error_may_be_full() {
    ends_well(|| File::options().write(true).open("/dev/full").expect("a full device"));
}

#[test]
fn the_standard_error_may_have_no_reader() {
    ends_well(|| io::pipe().expect("a pipe").1);
}

#[test]
fn a_file_may_not_grow() {
    let mut traced = Traced::new("waits", "report.json");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -f 0; exec \"$0\" waits"]).arg(traced.command.get_program());
    shell.env("LD_PRELOAD", library::tracer()).env("SIFTLOCK_REPORT", traced.path());
    traced.command = shell;
    let said = String::from_utf8(traced.run().stderr).expect("text");
    assert!(said.contains("File too large"), "{said}");
}
