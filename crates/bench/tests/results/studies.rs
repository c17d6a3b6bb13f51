//! Experiments with one figure for each metric and number of threads.

use crate::program::program;
use crate::{PRESSURE, WAITS, metrics, results, rows, with};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

#[test]
fn results_of_mixed_have_every_metric_and_sample() {
    let line = ["mixed", "--threads", "2,3", "--rounds", "3", "--seconds", "0.05"];
    let document = results(&[&line[..], &["--subjects", "rwsem,std,limit"]].concat());
    assert_eq!(document["experiment"], "mixed");
    assert_eq!(document["params"]["threads"], serde_json::json!([2, 3]));
    assert_eq!(document["params"]["mix"], "dedicated");
    assert!(document["machine"]["cpus"].as_u64().is_some_and(|cpus| cpus > 0));
    for row in rows(&document) {
        // A machine that is busy elsewhere may do nothing in a sample; then there is a rate, 0,
        // but no cost of an operation.
        let samples = row["samples"].as_array().map_or(0, Vec::len);
        assert!(samples == 3 || row["metric"] != "total" && samples > 0, "{row}");
        assert!(row["median"].is_number() && row["unit"].is_string(), "{row}");
    }
    let expected = with(&["total", "reads", "writes"], &[&PRESSURE, &WAITS]);
    for (subject, threads) in [("rwsem", 2), ("rwsem", 3), ("std", 3), ("limit", 2)] {
        assert_eq!(metrics(&document, subject, threads), expected, "{subject} {threads}");
    }
}

#[test]
fn results_of_trylock_are_rates() {
    let line = ["trylock", "--threads", "2", "--rounds", "3", "--seconds", "0.05"];
    let document = results(&[&line[..], &["--subjects", "std"]].concat());
    assert_eq!(metrics(&document, "std", 2), with(&["total", "reads"], &[&PRESSURE, &WAITS]));
    assert_eq!(rows(&document)[0]["unit"], "operations/s");
}

#[test]
fn results_of_uncontended_are_cycles() {
    let line = ["uncontended", "--rounds", "1", "--seconds", "0.1", "--subjects", "std,usync"];
    let document = results(&line);
    assert_eq!(metrics(&document, "usync", 1), with(&["read_pair", "write_pair"], &[&PRESSURE]));
    assert_eq!(rows(&document)[0]["unit"], "cycles");
}

#[test]
fn results_of_mail_have_the_columns_of_vmstat() {
    let line = ["mail", "--threads", "2", "--rounds", "3", "--seconds", "0.05"];
    let document = results(&[&line[..], &["--subjects", "rwsem"]].concat());
    let vmstat = ["user_share", "system_share", "idle_share", "wait_share"];
    let own = ["total", "switches_per_message", "cpu_per_message"];
    let expected = with(&own, &[&vmstat, &PRESSURE, &WAITS]);
    assert_eq!(metrics(&document, "rwsem", 2), expected);
}

#[test]
fn results_of_holds_tell_the_sections_apart() {
    let line = ["holds", "--holds", "10us,sleep", "--threads", "2,4", "--rounds", "1"];
    let more = ["--seconds", "0.02", "--subjects", "rwsem,std-mutex"];
    let document = results(&[&line[..], &more].concat());
    assert_eq!(document["experiment"], "holds");
    assert_eq!(document["params"]["holds-10us"]["hold"], 10e-6);
    let of = |experiment: &str, metric: &str| {
        let here = |row: &&Value| row["experiment"] == experiment && row["metric"] == metric;
        let medians = rows(&document).iter().filter(here).map(|row| row["median"].as_f64());
        medians.collect::<Option<Vec<_>>>().expect("numbers")
    };
    assert_eq!(of("holds-10us", "total").len(), 4, "two subjects at two numbers of threads");
    assert!(of("holds-10us", "total").iter().all(|&rate| rate < 200_000.0), "10 µs inside");
    assert!(of("holds-sleep", "reads").iter().all(|&rate| rate == 0.0), "writers alone");
    assert!(of("holds-sleep", "writes").iter().all(|&rate| rate > 0.0));
}

#[test]
fn results_of_mixed_and_holds_say_which_reads_are_together_if_asked() {
    let line = ["--threads", "4", "--rounds", "1", "--seconds", "0.05", "--subjects", "rwsem,std"];
    for experiment in [&["mixed"][..], &["holds", "--holds", "10us"]] {
        program(&[experiment, &line, &["--together"]].concat())
            .assert()
            .success()
            .stdout(contains("Reads that begin beside another reader, in %, at 4 threads: rwsem "));
        program(&[experiment, &line].concat())
            .assert()
            .success()
            .stdout(contains("beside another reader").not());
    }
}

#[test]
fn results_of_wakeups_count_the_calls_of_our_lock() {
    let line = ["wakeups", "--threads", "3", "--rounds", "2", "--seconds", "0.02"];
    let document = results(&[&line[..], &["--subjects", "rwsem,rwsem-calls,std"]].concat());
    let times = ["waker_unlock", "last_reader"];
    assert_eq!(metrics(&document, "std", 3), with(&times, &[&PRESSURE, &WAITS]));
    assert_eq!(metrics(&document, "rwsem", 3), metrics(&document, "std", 3));
    let calls = ["wakes_per_reader", "most_wakes_of_one_thread"];
    let counted = metrics(&document, "rwsem-calls", 3);
    assert_eq!(counted, with(&times, &[&calls, &PRESSURE, &WAITS]));
    let of = |metric: &str| {
        let here = |row: &&Value| row["subject"] == "rwsem-calls" && row["metric"] == metric;
        rows(&document).iter().find(here).and_then(|row| row["median"].as_f64()).expect("a number")
    };
    // There is one call at most for each reader, and one thread makes at most all of them.
    assert!((0.0..=1.0).contains(&of("wakes_per_reader")), "{}", of("wakes_per_reader"));
    assert!(of("most_wakes_of_one_thread") <= 3.0 * of("wakes_per_reader"));
}

#[test]
fn results_of_holds_say_whether_a_lock_collapses() {
    let line =
        ["holds", "--holds", "1us", "--threads", "2,4", "--rounds", "1", "--seconds", "0.02"];
    program(&[&line[..], &["--subjects", "rwsem"]].concat())
        .assert()
        .success()
        .stdout(contains("Holds of 1 µs").and(contains("collapse")));
}
