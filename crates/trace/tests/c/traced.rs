//! Programs that run under the tracer, and what it reports of them.

use crate::compiler::compiled;
use crate::library;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A program under the tracer, and the folder of its reports.
pub(crate) struct Traced {
    pub(crate) command: Command,
    pub(crate) folder: TempDir,
    file: &'static str,
}

impl Traced {
    /// The program does this, and the report goes to a file of this name.
    pub(crate) fn new(behaviour: &str, file: &'static str) -> Self {
        Self::under_tracer(program(behaviour), file)
    }

    /// The same of the program with this source.
    pub(crate) fn of(source: &str, behaviour: &str, file: &'static str) -> Self {
        Self::under_tracer(made_of(source, behaviour), file)
    }

    /// The program in C++ runs under the tracer, and the report goes to a file of this name.
    pub(crate) fn in_cpp(file: &'static str) -> Self {
        Self::under_tracer(made_of("shared_mutex.cpp", ""), file)
    }

    fn under_tracer(mut command: Command, file: &'static str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        command.env("LD_PRELOAD", library::tracer());
        command.env("SIFTLOCK_REPORT", folder.path().join(file)).current_dir(folder.path());
        Self { command, folder, file }
    }

    /// Puts a library below the tracer.
    pub(crate) fn above(mut self, library: &Path) -> Self {
        let both = format!("{}:{}", library::tracer().display(), library.display());
        self.command.env("LD_PRELOAD", both);
        self
    }

    /// Runs the program.
    #[track_caller]
    pub(crate) fn run(&mut self) -> Output {
        let output = self.command.output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", output.status);
        output
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join(self.file)
    }

    /// Runs the program, and gives its report.
    #[track_caller]
    pub(crate) fn report(&mut self) -> String {
        self.run();
        fs::read_to_string(self.path()).expect("a report")
    }

    /// The same as JSON.
    #[track_caller]
    pub(crate) fn json(&mut self) -> Value {
        serde_json::from_str(&self.report()).expect("JSON")
    }

    /// Runs a program that prints its child's process id, and gives the child's report.
    #[track_caller]
    pub(crate) fn json_of_child(&mut self) -> Value {
        let child = String::from_utf8(self.run().stdout).expect("a number");
        let path = self.folder.path().join(format!("report.{}.json", child.trim()));
        serde_json::from_slice(&fs::read(path).expect("the child's report")).expect("JSON")
    }
}

/// A program without the tracer.
pub(crate) fn program(behaviour: &str) -> Command {
    made_of("traced.c", behaviour)
}

fn made_of(source: &str, behaviour: &str) -> Command {
    let mut command = Command::new(compiled(source));
    command.arg(behaviour);
    for variable in ["LD_PRELOAD", "SIFTLOCK_REPORT", "SIFTLOCK_REPORT_SIGNAL"] {
        command.env_remove(variable);
    }
    command
}

/// The locks of a report.
#[track_caller]
pub(crate) fn locks(report: &Value) -> &[Value] {
    report["locks"].as_array().expect("locks")
}

/// The lock that was created, or first used, under a function of this name.
#[track_caller]
pub(crate) fn lock_of<'a>(report: &'a Value, function: &str) -> &'a Value {
    let is_of = |lock: &&Value| has_frame(&lock["created"]["stack"], function);
    locks(report).iter().find(is_of).unwrap_or_else(|| panic!("no lock of {function}: {report:#}"))
}

/// Whether a stack has a function of this name.
pub(crate) fn has_frame(stack: &Value, function: &str) -> bool {
    let is_it = |frame: &Value| frame.as_str().is_some_and(|frame| frame.starts_with(function));
    stack.as_array().is_some_and(|frames| frames.iter().any(is_it))
}
