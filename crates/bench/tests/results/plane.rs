//! The plane, and a load that goes between its corners.

use crate::program::program;
use crate::{PRESSURE, WAITS, metrics, results, rows, with};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

/// A part of the plane that takes no time.
const PLANE: [&str; 9] =
    ["plane", "--holds", "1us,10us", "--pauses", "0ns", "--threads", "2", "--writes", "10,0"];
const PLANE_SHORT: [&str; 4] = ["--rounds", "2", "--seconds", "0.02"];

#[test]
fn results_of_plane_have_every_sample_of_each_cell() {
    let line = [&PLANE[..], &PLANE_SHORT, &["--subjects", "rwsem,std"]].concat();
    let document = results(&line);
    assert_eq!(document["experiment"], "plane");
    assert_eq!(document["params"]["cells"].as_array().map(Vec::len), Some(4));
    let own = ["total", "reads", "writes", "processors_busy", "together"];
    assert_eq!(metrics(&document, "rwsem", 2), with(&own, &[&PRESSURE, &WAITS]));
    let here = |row: &&Value| row["hold"] == 10e-6 && row["pause"] == 0.0 && row["writes"] == 10.0;
    let of = |metric: &str| {
        let mut rows = rows(&document).iter().filter(here);
        rows.find(|row| row["subject"] == "std" && row["metric"] == metric).expect("a row").clone()
    };
    assert_eq!(of("total")["samples"].as_array().map(Vec::len), Some(2));
    let together = of("together");
    assert_eq!(together["samples"].as_array().map(Vec::len), Some(1));
    assert!(together["median"].as_f64().is_some_and(|share| (0.0..=1.0).contains(&share)));
}

#[test]
fn results_of_plane_are_a_map_and_words() {
    let line = [&PLANE[..], &PLANE_SHORT, &["--subjects", "rwsem,std,usync", "--cells"]].concat();
    program(&line)
        .env("NO_COLOR", "1")
        .assert()
        .success()
        .stdout(contains(", 10 % writes").and(contains("1 µs ")).and(contains("Rows: how long")))
        .stdout(contains("Cells: ours / best fair peer"))
        .stdout(contains("Plane: ").and(contains("cells hold")).and(contains("\u{1b}[").not()));
}

#[test]
fn results_of_plane_without_a_peer_compare_nothing() {
    let line = [&PLANE[..], &PLANE_SHORT, &["--subjects", "rwsem"]].concat();
    program(&line).assert().success().stdout(contains("no peer is fair in 4 cells"));
}

#[test]
fn results_of_changes_have_each_corner_alone_and_in_turn() {
    let line = ["changes", "--threads", "2", "--rounds", "2", "--every", "2ms"];
    let document = results(&[&line[..], &["--subjects", "rwsem,std"]].concat());
    assert_eq!(document["experiment"], "changes");
    assert_eq!(document["params"]["every"], 2e-3);
    assert_eq!(document["params"]["seconds"], 16e-3);
    let own = ["total", "reads", "writes", "processors_busy", "at_corner", "mean_alone", "kept"];
    assert_eq!(metrics(&document, "rwsem", 2), with(&own, &[&PRESSURE, &WAITS]));
    let samples = |metric: &str, corner: bool| {
        let here = move |row: &&Value| {
            let at_corner = row["hold"].is_number() && row["writes"].is_number();
            row["subject"] == "std" && row["metric"] == metric && at_corner == corner
        };
        let samples = |row: &Value| {
            let numbers = row["samples"].as_array().expect("samples").iter();
            numbers.map(|one| one.as_f64().expect("a number")).collect::<Vec<_>>()
        };
        rows(&document).iter().filter(here).map(samples).collect::<Vec<_>>()
    };
    let (alone, in_turn) = (samples("total", true), samples("at_corner", true));
    assert_eq!((alone.len(), in_turn.len(), alone[7].len(), in_turn[7].len()), (8, 8, 2, 2));
    // 10 µs inside, and writes alone.
    assert!(alone.iter().chain(&in_turn).any(|rates| rates.iter().all(|&rate| rate < 1e5)));
    let [changing, mean, kept] = ["total", "mean_alone", "kept"].map(|one| samples(one, false));
    for round in 0..2 {
        let expected = alone.iter().map(|rates| rates[round]).sum::<f64>() / 8.0;
        assert!((mean[0][round] / expected - 1.0).abs() < 1e-9);
        assert!((kept[0][round] * mean[0][round] / changing[0][round] - 1.0).abs() < 1e-9);
    }
}
