//! `siftlock-bench`: every measurement of this project's source documents, with our locks and with
//! the locks that a user would pick instead.
//!
//! Without arguments it is a comparison of about a minute and a half. See `--help` for the rest.
//!
//! * [`subjects`]: the locks, behind one trait, and the roster of their names
//! * [`experiments`]: the work of the threads in each measurement
//! * [`run`]: sessions, arenas and crews: how measurements are carried out
//! * [`verify`]: whether a lock excludes, checked while it is measured
//! * [`stats`]: samples, metrics and how subjects compare
//! * [`machine`]: the facts of this machine, and the limits of its figures
//! * [`simulate`]: experiments on simulated machines
//! * [`trace`]: programs that are not ours
//! * [`report`]: tables, words, files, progress
//! * [`cli`], [`commands`]: the arguments, and how each command is carried out

mod cli;
mod commands;
mod error;
mod experiments;
mod machine;
mod report;
mod run;
mod simulate;
mod stats;
mod subjects;
#[cfg(target_os = "linux")]
mod trace;
mod verify;

use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::execute(&cli::parse()).and_then(|()| report::all_said()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            error.exit_code()
        }
    }
}
