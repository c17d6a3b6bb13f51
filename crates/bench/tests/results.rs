//! The file of results: its shape, its names, and that every sample is in it.

mod program;

use std::collections::BTreeSet;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use program::program;
use serde_json::Value;

/// Runs the program with these arguments and reads the file that it writes.
fn results(line: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("results.json");
    let path = file.to_str().expect("a path in UTF-8");
    program(&[line, &["--json", path]].concat()).assert().success();
    let text = std::fs::read_to_string(&file).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

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
/// And where waits are taken.
const WAITS: [&str; 2] = ["wait_max", "wait_p999"];

fn with<'a>(own: &[&'a str], more: &[&[&'a str]]) -> BTreeSet<&'a str> {
    [&[own], more].concat().concat().into_iter().collect()
}

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
    let line = ["trylock", "--threads", "2", "--rounds", "1", "--seconds", "0.01"];
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
    let line = ["mail", "--threads", "2", "--rounds", "1", "--seconds", "0.02"];
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
    // One call at most for each reader, and all that were made, by somebody.
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

#[test]
fn results_of_readers_tell_shares_of_writes_and_forms_of_ours() {
    let line = ["readers", "--threads", "2", "--rounds", "2", "--seconds", "0.02"];
    let document = results(&[&line[..], &["--writes", "0,10", "--policies"]].concat());
    assert_eq!(document["params"]["writes"], serde_json::json!([0.0, 10.0]));
    let totals = rows(&document).iter().filter(|row| row["metric"] == "total");
    let told: Vec<_> =
        totals.map(|row| (row["writes"].as_f64(), row["subject"].as_str())).collect();
    let forms = ["rwsem", "rwsem-unbiased", "rwsem-eager"];
    let expected: Vec<_> = [0.0, 10.0]
        .into_iter()
        .flat_map(|writes| forms.map(|form| (Some(writes), Some(form))))
        .collect();
    assert_eq!(told.len(), expected.len());
    assert!(expected.iter().all(|one| told.contains(one)), "{told:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn results_of_readers_have_the_cost_of_a_revocation_by_threads() {
    let document = results(&["readers", "--revoke", "--threads", "3,1", "--rounds", "2"]);
    let readers: Vec<_> = rows(&document).iter().map(|row| row["readers"].as_u64()).collect();
    assert_eq!(readers, [Some(1), Some(3)]);
    assert_eq!(rows(&document)[1]["cold"].as_array().map(Vec::len), Some(2));
}

#[test]
fn results_of_readers_have_the_price_of_biases_as_ratios() {
    let line = ["readers", "--price", "--threads", "1,2", "--rounds", "3", "--seconds", "0.01"];
    program(&line).assert().success().stdout(
        contains("membarrier")
            .and(contains("read and write in turn"))
            .and(contains("where they cannot pay, at worst: ")),
    );
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

#[test]
fn results_of_the_quick_comparison_tell_experiments_apart() {
    let document = results(&["--subjects", "std"]);
    assert_eq!(document["experiment"], "quick");
    let experiments: BTreeSet<_> =
        rows(&document).iter().filter_map(|row| row["experiment"].as_str()).collect();
    assert_eq!(experiments, BTreeSet::from(["uncontended", "trylock", "mixed", "mail", "plane"]));
    assert!(document["params"]["mixed"]["seconds"].is_number());
}

#[cfg(target_os = "linux")]
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

#[cfg(target_os = "linux")]
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

#[cfg(target_os = "linux")]
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

#[cfg(target_os = "linux")]
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
    let uncontended = ["uncontended", "--rounds", "1", "--seconds", "0.01", "--compare", path];
    program(&uncontended).assert().success().stdout(contains("No cell of this run"));
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
