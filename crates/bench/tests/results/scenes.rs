//! The tests of the 2008 lock.

use std::collections::BTreeSet;

use crate::program::program;
use crate::{PRESSURE, results, rows, with};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

#[test]
fn results_of_latency_have_each_class_that_was_kept_out() {
    let line =
        ["latency", "--tests", "single-writer,readers", "--rounds", "2", "--seconds", "0.05"];
    let document = results(&[&line[..], &["--subjects", "psrw,standard-rwlock,std"]].concat());
    let metrics = |subject: &str, test: &str| {
        let here = |row: &&Value| row["subject"] == subject && row["test"] == test;
        let rows = rows(&document).iter().filter(here);
        rows.filter_map(|row| row["metric"].as_str()).collect::<BTreeSet<_>>()
    };
    let all = with(&["masked Preemption", "masked SoftIRQ", "masked IRQ"], &[&PRESSURE]);
    assert_eq!(metrics("psrw", "single-writer"), all);
    assert_eq!(metrics("standard-rwlock", "single-writer"), all);
    assert_eq!(metrics("psrw", "readers"), with(&["masked Preemption"], &[&PRESSURE]));
    assert!(metrics("std", "single-writer").is_empty());
}

#[test]
fn results_of_delays_keep_each_round_and_the_histogram() {
    let line = ["delays", "--tests", "contention", "--rounds", "2", "--seconds", "0.2"];
    let more = ["--subjects", "psrw,std", "--interrupts-every", "0.005"];
    let document = results(&[&line[..], &more].concat());
    assert_eq!(document["params"]["tests"][0]["cast"][0], serde_json::json!(["writer_thread", 2]));
    let row = |subject: &str, thread: &str, metric: &str| {
        let here = |row: &&Value| {
            row["subject"] == subject && row["thread"] == thread && row["metric"] == metric
        };
        rows(&document).iter().find(here)
    };
    let reader = row("psrw", "npreader_thread/1", "lock delay").expect("a row");
    assert_eq!(reader["rounds"].as_array().map(Vec::len), Some(2));
    let counted = |row: &Value| {
        let buckets = row["histogram"].as_array().expect("a histogram");
        buckets.iter().map(|bucket| bucket[1].as_u64().expect("a number")).sum::<u64>()
    };
    let figures = reader["rounds"].as_array().expect("rounds").iter();
    assert_eq!(figures.filter_map(|one| one["count"].as_u64()).sum::<u64>(), counted(reader));
    assert!(row("psrw", "writer_thread/0", "interrupt lock delay").is_some());
    assert!(row("std", "writer_thread/0", "interrupt lock delay").is_none());
}

#[test]
fn results_of_delays_are_said_in_the_words_of_2008() {
    let line = ["delays", "--tests", "single-writer,contention", "--rounds", "1"];
    let more = ["--seconds", "0.1", "--subjects", "psrw,std"];
    let said = program(&[&line[..], &more].concat()).assert().success().get_output().stdout.clone();
    let said = String::from_utf8(said).expect("text");
    let line = |begin: &str, then: &str| {
        said.lines().any(|line| line.starts_with(begin) && line.contains(then))
    };
    assert!(line("writer_thread/0 iterations : ", ", lock delay [min,avg,max] "), "{said}");
    assert!(
        line("trylock_writer_thread/0 iterations : [try,success,fail after 100 try], ", ","),
        "{said}"
    );
    assert!(line("no interrupt readers", "std"), "{said}");
    assert!(line("2008 psrwlock", "8,687,331"), "{said}");
}

#[test]
fn results_of_latency_name_who_takes_no_part() {
    program(&["latency", "--seconds", "0.01", "--rounds", "1", "--subjects", "psrw,std"])
        .assert()
        .success()
        .stdout(
            contains("IRQ latency for writer_thread/0 disabled ")
                .and(contains("N/A: masks nothing, and no signal handler may read it: std")),
        );
}
