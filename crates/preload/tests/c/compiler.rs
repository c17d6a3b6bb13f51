//! The system's compilers for C and C++.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// Compiles a source of `tests/programs`, once, to a program, or to a shared library if its name
/// says so.
#[track_caller]
pub(crate) fn compiled(source: &str) -> PathBuf {
    static ONE_AT_A_TIME: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut done = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    let is_library = source.starts_with("library_");
    let made = dir.join(if is_library { format!("{source}.so") } else { source.to_owned() });
    if !done.iter().any(|name| name == source) {
        std::fs::create_dir_all(&dir).expect("a place for the programs");
        let (variable, usual, standard) = match source.ends_with(".cpp") {
            true => ("CXX", "c++", "-std=c++17"),
            false => ("CC", "cc", "-std=gnu11"),
        };
        let compiler = env::var_os(variable).unwrap_or_else(|| usual.into());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
        let mut command = Command::new(compiler);
        command.args([standard, "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-pthread"]);
        command.args(["-D_GNU_SOURCE", "-rdynamic"]);
        if is_library {
            command.args(["-shared", "-fPIC"]);
        }
        run(command.arg(path).arg("-o").arg(&made).arg("-ldl"));
        done.push(source.to_owned());
    }
    made
}

/// Runs a tool, and fails with what it says.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| {
        panic!(
            "{:?}: {error}. These tests need compilers for C and C++: install gcc and g++, or say by CC and \
             CXX which to use",
            command.get_program()
        )
    });
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    output
}
