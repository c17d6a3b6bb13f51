//! The simulated machine: exact counts against the stored ones, and what a new user types.

mod program;

use predicates::str::contains;
use program::program;

fn output(line: &[&str]) -> String {
    let done = program(line).assert().success();
    String::from_utf8(done.get_output().stdout.clone()).expect("text")
}

/// What each operation costs. A commit that changes a count says why; `cargo run --release --
/// simulate counts` writes the new ones, and so does `INSTA_UPDATE=always cargo test -p
/// siftlock-bench --test simulate`.
#[test]
fn simulate_counts_are_those_stored() {
    insta::assert_snapshot!("counts", output(&["simulate", "counts"]));
}

#[test]
fn simulate_says_the_same_twice() {
    let line = ["simulate", "mixed", "--threads", "16", "--ms", "2", "--seed", "7", "--each"];
    assert_eq!(output(&line), output(&line));
}

#[test]
fn simulate_shows_each_lock_on_a_machine_of_any_size() {
    let shown = output(&[
        "simulate",
        "readers",
        "--machine",
        "ivb-ex",
        "--topology",
        "4x8x2",
        "--threads",
        "64",
        "--ms",
        "1",
        "--locks",
        "rwsem-asymmetric,rwsem-counted",
        "--seed",
        "1",
    ]);
    assert!(shown.contains("64 threads") && shown.contains("rwsem-asymmetric"), "{shown}");
}

#[test]
fn simulate_says_what_there_is() {
    program(&["simulate", "list"]).assert().success().stdout(contains("ivb-ex"));
    program(&["simulate", "--machine", "pdp-11"])
        .assert()
        .failure()
        .stderr(contains("simulate list"));
    program(&["simulate", "--topology", "2x0x1"]).assert().failure().stderr(contains("8x15x2"));
}

#[test]
fn simulate_writes_each_run_to_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("runs.json");
    let json = path.to_str().expect("a path in UTF-8");
    let line =
        ["simulate", "mail", "--threads", "2", "--ms", "1", "--seed", "1,2", "--locks", "rwsem"];
    program(&[&line[..], &["--json", json]].concat()).assert().success();
    let text = std::fs::read_to_string(&path).expect("a file");
    let rows: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    assert!(rows[1]["seed"] == 2 && rows[1]["counts"]["steps"].as_u64() > Some(0), "{rows}");
}

#[test]
fn simulate_refuses_what_it_would_pass_over() {
    for (option, instead) in
        [("--subjects=std", "--locks"), ("--pin", "published"), ("--json=x", "printed")]
    {
        program(&["simulate", "counts", option]).assert().code(2).stderr(contains(instead));
    }
}
