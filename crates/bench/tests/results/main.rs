//! The file of results: its shape, its names, and that every sample is in it.

#[path = "../program/file.rs"]
mod file;
#[path = "../program/mod.rs"]
mod program;

mod plane;
mod readers;
#[cfg(target_os = "linux")]
mod scenes;
mod shown;
mod studies;

use std::collections::BTreeSet;

use file::results;
use serde_json::Value;

/// The rows of results.
fn rows(document: &Value) -> &Vec<Value> {
    document["results"].as_array().expect("a list")
}

/// The metrics that one subject has at one number of threads.
fn metrics<'a>(document: &'a Value, subject: &str, threads: u64) -> BTreeSet<&'a str> {
    let here = |row: &&Value| row["subject"] == subject && row["threads"] == threads;
    rows(document).iter().filter(here).filter_map(|row| row["metric"].as_str()).collect()
}

/// What every experiment tells of its threads.
const PRESSURE: [&str; 9] = [
    "thread_min",
    "thread_mean",
    "thread_max",
    "thread_min_over_mean",
    "thread_max_over_mean",
    "context_switches",
    "user_seconds_per_mop",
    "system_seconds_per_mop",
    "cpu_seconds_per_mop",
];
/// What an experiment tells besides, where waits are taken.
const WAITS: [&str; 2] = ["wait_max", "wait_p999"];

fn with<'a>(own: &[&'a str], more: &[&[&'a str]]) -> BTreeSet<&'a str> {
    [&[own], more].concat().concat().into_iter().collect()
}
