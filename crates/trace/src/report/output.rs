//! Where a report goes.
//!
//! A process never overwrites another's file. A forked child adds its process id to the name; so
//! does a process that finds a report which was written since the process began.

use super::figures::Report;
use super::folded::Folded;
use super::writing::spared;
use crate::settings::Output;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Where this process's reports go.
pub(super) struct Target {
    output: Output,
    is_child: bool,
    began: SystemTime,
    /// The file that the process chose for its first report.
    chosen: Option<PathBuf>,
}

impl Target {
    pub(super) fn new(output: Output) -> Self {
        let output = match output {
            // The program may change its working directory.
            Output::File(path) => Output::File(std::path::absolute(&path).unwrap_or(path)),
            Output::Stderr => Output::Stderr,
        };
        Self { output, is_child: false, began: SystemTime::now(), chosen: None }
    }

    /// Makes it a forked child's: the child must not overwrite its parent's report.
    pub(super) fn inherit(&mut self) {
        self.is_child = true;
        self.began = SystemTime::now();
        self.chosen = None;
    }

    /// Writes a report. In a file it replaces this process's earlier report.
    pub(super) fn write(&mut self, report: &Report) -> Result<(), String> {
        let Output::File(path) = &self.output else {
            let text = report.to_string();
            return spared(|| io::stderr().write_all(text.as_bytes()))
                .map_err(|error| error.to_string());
        };
        let is_taken = self.is_child || is_newer(path, self.began);
        // A shell that only starts the program used no lock, and writes no file.
        if self.chosen.is_none() && is_taken && report.locks.is_empty() {
            return Ok(());
        }
        let file = self.chosen.get_or_insert_with(|| match is_taken {
            true => with_pid(path, report.pid),
            false => path.clone(),
        });
        let text = in_form_of(path, report);
        spared(|| fs::write(&*file, text)).map_err(|error| {
            let path = file.display();
            format!("cannot write the report to {path}: {error}; name a file in a folder that exists and is yours")
        })
    }
}

/// The report in the form that the ending of the file's name asks for.
fn in_form_of(path: &Path, report: &Report) -> String {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("json") => {
            serde_json::to_string_pretty(report).expect("it has no map with odd keys") + "\n"
        }
        Some("folded") => Folded(report).to_string(),
        _ => report.to_string(),
    }
}

fn is_newer(path: &Path, began: SystemTime) -> bool {
    fs::metadata(path).and_then(|file| file.modified()).is_ok_and(|written| written >= began)
}

/// `report.json` of process 7 is `report.7.json`.
fn with_pid(path: &Path, pid: u32) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{pid}"));
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}
