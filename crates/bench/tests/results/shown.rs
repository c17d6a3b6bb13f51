//! What is shown beside the file, and what becomes of either.

use std::collections::BTreeSet;

use crate::program::program;
use crate::{results, rows};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

#[test]
fn results_of_the_quick_comparison_tell_experiments_apart() {
    let document = results(&["--subjects", "std"]);
    assert_eq!(document["experiment"], "quick");
    let experiments: BTreeSet<_> =
        rows(&document).iter().filter_map(|row| row["experiment"].as_str()).collect();
    assert_eq!(experiments, BTreeSet::from(["uncontended", "trylock", "mixed", "mail", "plane"]));
    assert!(document["params"]["mixed"]["seconds"].is_number());
}

#[test]
fn results_are_shown_beside_the_published_figures() {
    let line = ["trylock", "--threads", "4", "--rounds", "1", "--seconds", "0.01"];
    program(&[&line[..], &["--subjects", "std", "--published"]].concat())
        .assert()
        .success()
        .stdout(contains("6,983").and(contains("get_cycles takes [min,avg,max]")));
}

#[test]
fn results_under_pressure_are_shown_for_each_experiment() {
    let line = ["--threads", "2", "--rounds", "1", "--seconds", "0.02", "--subjects", "rwsem"];
    for experiment in ["uncontended", "trylock", "mixed", "mail"] {
        program(&[&[experiment, "--pressure"], &line[..]].concat())
            .assert()
            .success()
            .stdout(contains("under pressure, 2 threads").and(contains("s/Mop")));
        program(&[&[experiment], &line[..]].concat())
            .assert()
            .success()
            .stdout(contains("under pressure").not());
    }
    #[cfg(target_os = "linux")]
    for experiment in ["latency", "delays"] {
        let line = ["--pressure", "--tests", "contention", "--rounds", "1", "--seconds", "0.05"];
        program(&[&[experiment], &line[..], &["--subjects", "psrw"]].concat())
            .assert()
            .success()
            .stdout(contains("under pressure, ").and(contains("sections of all roles")));
    }
}

#[test]
fn list_names_subjects_but_not_the_hidden_one() {
    program(&["--list"])
        .assert()
        .success()
        .stdout(contains("parking_lot-0.12").and(contains("busted").not()));
}

#[test]
fn results_of_changes_are_shown_beside_those_of_an_earlier_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("earlier.json");
    let path = file.to_str().expect("a path in UTF-8");
    let line =
        ["changes", "--threads", "2", "--rounds", "1", "--every", "1ms", "--subjects", "rwsem"];
    program(&[&line[..], &["--json", path]].concat()).assert().success();
    let cells = contains("rwsem: hold ").count(8).and(contains("rwsem: kept threads 2"));
    program(&[&line[..], &["--compare", path]].concat()).assert().success().stdout(cells);
}

#[test]
fn results_are_shown_beside_those_of_an_earlier_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("earlier.json");
    let path = file.to_str().expect("a path in UTF-8");
    let line =
        ["mixed", "--threads", "2,3", "--rounds", "2", "--seconds", "0.02", "--subjects", "std"];
    program(&[&line[..], &["--json", path]].concat()).assert().success();
    let cells = |number: usize| contains("std: ").count(number).and(contains("now/before"));
    program(&[&line[..], &["--compare", path]].concat()).assert().success().stdout(cells(2));
    let elsewhere = ["mixed", "--threads", "5", "--rounds", "1", "--seconds", "0.01"];
    program(&[&elsewhere[..], &["--subjects", "std", "--compare", path]].concat())
        .assert()
        .success()
        .stdout(contains("No cell of this run"));
}

#[cfg(target_os = "linux")]
#[test]
fn tables_that_cannot_be_printed_are_an_error_and_the_file_is_written_all_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("results.json");
    let line = ["uncontended", "--rounds", "1", "--seconds", "0.01", "--subjects", "std"];
    let full = std::fs::File::create("/dev/full").expect("a full device");
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_siftlock-bench"))
        .args(line)
        .arg("--json")
        .arg(&file)
        .stdout(full)
        .output()
        .expect("it starts");
    assert_eq!(run.status.code(), Some(1));
    let why = String::from_utf8_lossy(&run.stderr);
    assert!(why.contains("cannot print"), "{why}");
    assert!(file.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_find_no_room_are_an_error_that_says_so() {
    let line = ["uncontended", "--rounds", "1", "--seconds", "0.01", "--subjects", "std"];
    let run = program(&[&line[..], &["--json", "/dev/full"]].concat()).assert();
    run.code(1).stderr(contains("make room there, or name another file"));
}
