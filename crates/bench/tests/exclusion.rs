//! A lock that does not exclude is caught by every experiment, with a message that names it.

mod program;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use program::program;

/// The shortest runs: the checks need no time.
const SHORT: [&str; 4] = ["--rounds", "1", "--seconds", "0.01"];

fn catches(experiment: &[&str]) {
    let line = [experiment, &SHORT, &["--subjects", "std,busted"]].concat();
    program(&line)
        .assert()
        .code(1)
        .stderr(contains("error: busted does not exclude").and(contains(experiment[0])));
}

#[test]
fn busted_is_caught_by_uncontended() {
    catches(&["uncontended"]);
}

#[test]
fn busted_is_caught_by_trylock_with_any_number_of_threads() {
    for threads in ["1", "2", "5"] {
        catches(&["trylock", "--threads", threads]);
    }
}

#[test]
fn busted_is_caught_by_mixed_in_both_forms() {
    for threads in ["1", "2", "5"] {
        catches(&["mixed", "--threads", threads]);
        catches(&["mixed", "--threads", threads, "--mix", "each"]);
    }
}

#[test]
fn busted_is_caught_by_wakeups() {
    catches(&["wakeups", "--threads", "3"]);
}

#[test]
fn busted_is_caught_by_holds_of_each_length() {
    for hold in ["0us", "1us", "10us", "100us", "sleep"] {
        catches(&["holds", "--threads", "3", "--holds", hold]);
    }
}

#[test]
fn busted_is_caught_by_plane_with_any_share_of_writes() {
    for writes in ["0", "1", "100"] {
        let part = ["plane", "--holds", "1us", "--pauses", "0ns", "--threads", "2"];
        catches(&[&part[..], &["--writes", writes]].concat());
    }
}

#[test]
fn busted_is_caught_by_a_load_that_changes() {
    catches(&["changes", "--threads", "2", "--every", "1ms"]);
}

#[test]
fn busted_is_caught_by_readers_with_any_share_of_writes() {
    for writes in ["0", "1", "50", "100"] {
        catches(&["readers", "--threads", "2", "--writes", writes]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn busted_is_caught_by_every_test_of_latency_and_delays() {
    for test in ["single-writer", "single-trylock-writer", "single-reader", "readers"] {
        catches(&["latency", "--tests", test]);
    }
    for test in ["single-writer", "single-preader", "readers", "contention"] {
        catches(&["delays", "--tests", test]);
    }
    catches(&["latency", "--tests", "contention"]);
    catches(&["latency", "--tests", "slow-readers"]);
}

#[test]
fn busted_is_caught_by_the_quick_comparison() {
    program(&["--subjects", "busted"]).assert().code(1).stderr(contains("busted does not exclude"));
}

#[test]
fn busted_leaves_no_file_of_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("results.json");
    let path = file.to_str().expect("a path in UTF-8");
    let line = [&["mixed", "--threads", "2", "--subjects", "busted"], &SHORT[..]].concat();
    program(&[&line[..], &["--json", path]].concat()).assert().code(1);
    assert!(!file.exists());
}

#[test]
fn locks_and_floors_pass() {
    for experiment in ["trylock", "mixed", "readers"] {
        let experiment = [experiment, "--threads", "3"];
        let line = [&experiment[..], &SHORT, &["--subjects", "rwsem,std,limit,limit-private"]];
        program(&line.concat()).assert().success();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn locks_that_handlers_read_pass_when_they_are_interrupted_all_the_time() {
    let often = ["--interrupts-every", "0.0005", "--rounds", "1", "--seconds", "0.2"];
    let subjects = ["--subjects", "psrw,psrw-strict,psrw-2008,standard-rwlock,limit"];
    for experiment in [["latency", "--tests", "contention"], ["delays", "--tests", "contention"]] {
        program(&[&experiment[..], &often, &subjects].concat()).assert().success();
    }
}
