//! A program that is not ours, under the tracer, and without and with our lock.

#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

#[path = "../../preload/tests/c/compiler.rs"]
mod compiler;
mod program;

use compiler::{compiled, run};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use program::program;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn locks() -> String {
    compiled("locks.c").to_str().expect("a plain name").to_owned()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

#[test]
fn trace_prints_the_report_and_what_the_program_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, folded] = ["r.json", "r.folded"].map(|name| folder.path().join(name));
    let [to, stacks] = [&file, &folded].map(|path| path.to_str().expect("a plain name"));
    program(&["trace", "--json", to, "--folded", stacks, "--", &locks()])
        .assert()
        .success()
        .stdout(contains("done\n").and(contains("20 reads, 10 writes, 0 contended")))
        .stderr(is_empty());
    assert_eq!(json(&file)["locks"][0]["operations"], 30);
    assert!(fs::read_to_string(folded).expect("a file").starts_with("held;lock 0x"));
}

#[test]
fn trace_works_on_our_locks() {
    let reads = contains("20 reads, 10 writes");
    program(&["trace", "--replaced", "--", &locks()]).assert().success().stdout(reads);
}

#[test]
fn trace_ends_as_the_program_ends() {
    program(&["trace", "--", &locks(), "7"])
        .assert()
        .code(7)
        .stdout(contains("20 reads"))
        .stderr(contains("failed: exit status: 7"));
    program(&["trace", "--", "sh", "-c", "kill -9 $$"])
        .assert()
        .code(1)
        .stderr(contains("left no report"));
}

#[test]
fn comparison_has_every_round_and_says_what_came_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("c.json");
    let to = file.to_str().expect("a plain name");
    program(&["trace", "--compare", "--rounds", "3", "--json", to, "--", &locks()])
        .assert()
        .success()
        .stdout(contains("medians of 3 rounds").and(contains("done").not()));
    let told = json(&file);
    let rounds = told["rounds"].as_array().expect("rounds");
    assert!(
        rounds.len() == 3 && rounds.iter().all(|round| round["with"]["wall"].is_number()),
        "{told}"
    );
    program(&["trace", "--compare", "--", &locks(), "3"])
        .assert()
        .code(3)
        .stdout(is_empty())
        .stderr(contains("needs runs that end with status 0"));
}

#[test]
fn static_programs_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (made, source) = (folder.path().join("static"), folder.path().join("static.s"));
    // No C library is needed for it.
    fs::write(&source, ".globl _start\n_start: mov $60, %eax\nxor %edi, %edi\nsyscall\n").unwrap();
    run(Command::new("cc").args(["-static", "-nostdlib", "-o"]).args([&made, &source]));
    let line = ["trace", "--", made.to_str().expect("a plain name")];
    program(&line).assert().code(2).stderr(contains("is linked statically"));
}
