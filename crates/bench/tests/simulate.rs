//! The simulated machine: exact counts against the stored ones, and what a new user types.

#[path = "program/file.rs"]
mod file;
mod program;

use file::results;
use predicates::str::{contains, is_empty};
use program::program;

fn output(line: &[&str]) -> String {
    let done = program(line).assert().success();
    String::from_utf8(done.get_output().stdout.clone()).expect("text")
}

fn refuses(line: &[&str], reason: &str) {
    program(line).assert().code(2).stdout(is_empty()).stderr(contains(reason));
}

/// What each operation costs. A commit that changes a count says why. To write the new counts:
/// `cargo run --release -- simulate counts`, or `INSTA_UPDATE=always cargo test -p siftlock-bench
/// --test simulate`.
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

/// Readers that come at once add to the count and subtract from it all the time: the first waiter
/// has the lock reserved all the same, so no thread is left without a turn.
#[test]
fn simulate_lets_writers_in_where_readers_always_come() {
    let machine = ["simulate", "mixed", "--machine", "ivb-ex", "--topology", "2x8x1"];
    let run = ["--threads", "16", "--locks", "rwsem-counted", "--ms", "10", "--seed", "1,6"];
    let shown = output(&[&machine[..], &run].concat());
    assert!(!shown.contains("fewer than 20 operations"), "{shown}");
}

/// A writer that waits awake does not look in vain for the moment between two reads; if it did, all
/// threads would sleep in the end. So most reads begin beside another reader.
#[test]
fn simulate_reads_together_beside_a_writer_that_waits_awake() {
    for (machine, hold) in [("amd-2", "1000"), ("amd-2", "10000"), ("intel-2", "1000")] {
        let readers =
            ["simulate", "readers", "--threads", "2", "--gap", "1", "--write-share", "10"];
        let run = ["--locks", "rwsem", "--seed", "1", "--machine", machine, "--hold", hold];
        let file = results(&[&readers[..], &run].concat());
        let of = |what: &str| file["results"][0][what].as_u64().expect("a number");
        assert!(of("reads_together") * 2 > of("reads"), "{machine}, {hold} ns: {file}");
    }
}

/// Where holds outlast a sleep, readers queue behind writers, and then read together. 16 threads
/// with holds of 100 µs have some 50 sections a millisecond; with readers that join they have 31.
/// All readers at once behind each group of writers would have 61.
#[test]
fn simulate_lets_readers_queue_where_holds_are_long() {
    let machine = ["simulate", "readers", "--machine", "intel-2", "--topology", "1x16x1"];
    let load = ["--threads", "16", "--hold", "100000", "--gap", "1", "--write-share", "10"];
    let run = ["--locks", "rwsem,rwsem-counted", "--ms", "60", "--seed", "1,2,3"];
    let file = results(&[&machine[..], &load, &run].concat());
    for result in file["results"].as_array().expect("results") {
        let rate = result["operations_per_second"].as_f64().expect("a number");
        assert!(rate > 40_000.0, "{result}");
    }
}

#[test]
fn simulate_says_what_there_is() {
    assert!(output(&["simulate", "list"]).contains("ivb-ex"));
    assert!(output(&["simulate", "--list"]).contains("rwsem-counted"));
    let help = output(&["simulate", "--help"]);
    assert!(help.contains("--topology") && !help.contains("--pin"), "{help}");
}

#[test]
fn simulate_refuses_machines_that_are_not_there() {
    for (option, reason) in [
        ("--machine=pdp-11", "ivb-ex"),
        ("--topology=2x0x1", "8x15x2"),
        ("--topology=4294967296x4294967296x1", "8x15x2"),
    ] {
        refuses(&["simulate", "mixed", option], reason);
    }
}

#[test]
fn simulate_needs_as_many_processors_as_an_experiment_names() {
    for (experiment, enough, short) in
        [("delays", "1x8x1", "1x7x1"), ("sifting", "1x49x1", "1x48x1")]
    {
        let line =
            |topology| ["simulate", experiment, "--ms=1", "--seed=1", "--topology", topology];
        program(&line(enough)).assert().success();
        refuses(&line(short), "processors");
    }
    refuses(&["simulate", "delays", "--machine", "amd-2"], "needs 8 processors");
}

#[test]
fn simulate_takes_clusters() {
    let line = ["--threads=2", "--ms=1", "--seed=1", "--locks=limit", "--machine=harpertown"];
    let shown = |topology| output(&[&["simulate", "mixed", topology], &line[..]].concat());
    assert!(shown("--topology=2x2x2x1").contains("machine  harpertown: two sockets"));
    assert!(shown("--topology=2x4x1").contains("machine  the costs of harpertown"));
}

#[test]
fn simulate_says_what_was_run() {
    let shown = output(&[
        "simulate",
        "mixed",
        "--each",
        "--machine=ivb-ex",
        "--topology=2x4x2",
        "--idle=off",
        "--threads=1,1",
        "--seed=7,7",
        "--locks=rwsem,rwsem",
        "--ms=1",
        "--load=3",
    ]);
    for part in
        ["2x4x2, 16 processors", "sleep lightly", "load 3", "each thread by coin, 1 thread\n"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    // Each lock, number and seed once, and no spread of one run.
    let rows: Vec<&str> = shown.lines().filter(|line| line.starts_with("rwsem ")).collect();
    assert!(matches!(rows[..], [row] if row.contains(" – ")), "{shown}");
    assert!(!shown.contains("240") && shown.contains("seeds    7\n"), "{shown}");
}

#[test]
fn simulate_names_the_seed_of_each_table() {
    let shown = output(&["simulate", "delays", "--ms", "1", "--seed", "3,4"]);
    assert!(shown.contains("\nSeed 3\n") && shown.contains("\nSeed 4\n"), "{shown}");
}

#[test]
fn simulate_says_where_a_run_is_too_short() {
    let line = ["simulate", "mixed", "--threads=16", "--ms=1", "--seed=1", "--locks=rwsem"];
    assert!(
        output(&line).contains("In 1 of 1 runs a thread made fewer than 20 operations (rwsem)")
    );
}

#[test]
fn simulate_writes_each_run_to_a_file() {
    let line =
        ["simulate", "mail", "--threads", "2", "--ms", "1", "--seed", "1,2", "--locks", "rwsem"];
    let file = results(&line);
    let rows = &file["results"];
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    assert!(rows[1]["seed"] == 2 && rows[1]["counts"]["steps"].as_u64() > Some(0), "{rows}");
    assert!(file["machine"]["topology"] == "1x2x1" && file["params"]["load"] == 0, "{file}");
    assert!(file["program"].as_str().is_some_and(|it| it.contains("siftlock-bench")), "{file}");
}

#[test]
fn simulate_writes_how_long_each_run_was() {
    // Long holds: little to simulate.
    let run = ["--seed=1", "--locks=limit", "--machine=amd-2", "--hold=1000000"];
    let lasts = |more: &[&str]| {
        let file = results(&[&["simulate", "readers"], &run[..], more].concat());
        let length = |row: &serde_json::Value| row["measured_ns"].as_u64().expect("a number");
        file["results"].as_array().expect("results").iter().map(length).collect::<Vec<_>>()
    };
    assert_eq!(lasts(&["--threads=2,3", "--ms=1"]), [1_000_000; 2]);
    // Where threads share processors, a run has slices for each of them.
    let usual = lasts(&["--threads=2,3"]);
    assert!(usual[0] == 10_000_000 && usual[1] > usual[0], "{usual:?}");
}

#[test]
fn simulate_refuses_what_it_would_pass_over() {
    for (experiment, option, instead) in [
        ("counts", "--seed=1", "it takes no options"),
        ("list", "--idle=off", "it takes no options"),
        ("published", "--machine=ivb-ex", "it takes --seed"),
        ("delays", "--threads=4", "it takes --machine, --topology, --idle, --ms and --seed"),
        ("sifting", "--locks=psrw", "--locks is for uncontended"),
        ("sifting", "--json=x", "--json is for uncontended"),
        ("mail", "--each", "--each is for mixed"),
        ("trylock", "--locks=rwsem-cas-first,psrw", "that lock has no try-read"),
        ("mixed", "--write-share=5", "--write-share is for uncontended, readers and plane"),
        ("mixed", "--subjects=std", "--locks"),
        ("mixed", "--pin", "--placement"),
        ("mixed", "--no-pin", "--placement"),
        ("mixed", "--published", "simulate published"),
        ("mixed", "--compare=x.json", "equal files"),
        ("mixed", "--pressure", "slowest thread"),
    ] {
        refuses(&["simulate", experiment, option], instead);
    }
    refuses(&["--pin", "simulate", "mixed"], "--placement");
}

#[test]
fn simulate_shows_the_plane() {
    let line = ["simulate", "plane", "--threads", "2", "--write-share", "1", "--ms", "1"];
    let shown = output(&[&line[..], &["--hold", "1000", "--seed", "1"]].concat());
    assert!(shown.contains("plane, 2 threads, 1 % writes") && shown.contains("100 µs"), "{shown}");
}
