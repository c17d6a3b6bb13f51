//! Programs run with the shared library as it is installed: optimized, and with thread-local words
//! of its own.

use crate::compiler::{compile, run};
use crate::exports::interface;
use crate::library::home;
use crate::prefix::{prefix, shared_library};
use std::path::{Path, PathBuf};
use std::process::Command;

#[track_caller]
fn program(source: &str, flags: &[&str]) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shared");
    std::fs::create_dir_all(&dir).expect("a place for the programs");
    let program = dir.join(source);
    run(compile(&home().join("tests/programs").join(source))
        .arg("-D_GNU_SOURCE")
        .arg("-I")
        .arg(prefix().join("include"))
        .arg("-o")
        .arg(&program)
        .args(flags)
        .arg("-ldl"));
    program
}

#[track_caller]
fn succeeds(source: &str) {
    let library = shared_library();
    let program = program(source, &[library.to_str().expect("a name")]);
    run(Command::new(program).env("LD_LIBRARY_PATH", prefix().join("lib")));
}

#[test]
fn shared_library_excludes() {
    succeeds("exclusion.c");
}

#[test]
fn shared_library_upgrades() {
    succeeds("upgrades.c");
}

#[test]
fn shared_library_answers() {
    succeeds("trying.c");
    succeeds("misuse.c");
}

#[test]
fn shared_library_has_handlers() {
    succeeds("handlers.c");
}

#[test]
fn shared_library_comes_by_dlopen() {
    let program = program("loading.c", &[&format!("-DINTERFACE=\"{}\"", interface())]);
    run(Command::new(program).arg(shared_library()));
}
