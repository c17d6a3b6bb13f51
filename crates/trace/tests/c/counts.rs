//! What is exact: operations, reads, writes, refusals, waits, threads, and where a lock comes from.

use crate::library;
use crate::traced::{Traced, has_frame, lock_of, locks};
use serde_json::Value;

/// The counts of a lock in one order.
fn counts(lock: &Value) -> [u64; 6] {
    ["operations", "reads", "writes", "contended", "refused", "threads"]
        .map(|name| lock[name].as_u64().expect("a number"))
}

#[track_caller]
fn are_exact(traced: &mut Traced) {
    let report = traced.json();
    assert_eq!(locks(&report).len(), 3, "{report:#}");
    // 3 threads read 10,000 times and write 2,000 times each; `main` writes once and tries 7 times
    // in vain.
    let busy = lock_of(&report, "make_busy");
    assert_eq!(counts(busy), [36_001, 30_000, 6_001, busy["contended"].as_u64().unwrap(), 7, 4]);
    assert_eq!((&busy["is_alive"], &busy["created"]["by"]), (&true.into(), &"init".into()));
    let still = lock_of(&report, "use_static");
    assert_eq!(counts(still), [5, 4, 1, 0, 0, 1]);
    assert_eq!(still["created"]["by"], "first use");
    // One address, and 100 locks.
    let short = lock_of(&report, "make_short");
    assert_eq!(counts(short), [200, 100, 100, 0, 0, 1]);
    assert_eq!((&short["locks"], &short["is_alive"]), (&100.into(), &false.into()));
    assert_eq!(report["threads"], 4);
}

#[test]
fn counts_are_exact() {
    are_exact(&mut Traced::new("counts", "report.json"));
}

#[test]
fn counts_are_exact_with_our_locks() {
    are_exact(&mut Traced::new("counts", "report.json").above(library::locks()));
}

/// A call that finds a deadlock, or an invalid time, has not waited. One whose time is over has.
#[test]
fn errors_at_once_are_no_waits() {
    let report = Traced::new("answers", "report.json").json();
    assert_eq!(counts(&locks(&report)[0]), [6, 4, 2, 2, 6, 1]);
    let text = Traced::new("answers", "report").report();
    let row = text.lines().find(|line| line.trim_start().starts_with("#1 ")).expect("a lock");
    let row: Vec<_> = row.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
    assert_eq!(row[3..6], ["6", "67 %", "17 %"], "{text}");
}

#[test]
fn a_wait_names_the_waiter_and_the_holder() {
    let report = Traced::new("waits", "report.json").json();
    let lock = &locks(&report)[0];
    assert_eq!(counts(lock), [2, 1, 1, 1, 0, 2]);
    let [total, longest] =
        ["total_ns", "longest_ns"].map(|name| lock["wait"][name].as_u64().unwrap());
    assert!(total == longest && total > 0, "{lock:#}");
    let stacks = lock["stacks"].as_array().expect("stacks");
    let under = |field: &str, function: &str| {
        let weighs = |stack: &&Value| stack[field].as_u64() > Some(0);
        stacks.iter().filter(weighs).any(|stack| has_frame(&stack["frames"], function))
    };
    assert!(under("waited_ns", "reader_that_waits"), "{lock:#}");
    assert!(!under("waited_ns", "writer_that_holds"), "{lock:#}");
    assert!(under("held_ns", "writer_that_holds"), "{lock:#}");
}

#[test]
fn a_long_wait_soon_after_another_has_its_stack() {
    let report = Traced::new("waits_twice", "report.json").json();
    let stacks = locks(&report)[0]["stacks"].as_array().expect("stacks");
    let is_second = |stack: &&Value| has_frame(&stack["frames"], "wait_once_more");
    let waited: u64 = stacks.iter().filter(is_second).filter_map(|s| s["waited_ns"].as_u64()).sum();
    assert!(waited > 20_000_000, "{report:#}");
}

#[test]
fn times_are_in_order() {
    let report = Traced::new("counts", "report.json").json();
    for lock in locks(&report) {
        for times in [&lock["wait"], &lock["hold"]] {
            let names = ["p50_ns", "p99_ns", "longest_ns"];
            let times = names.map(|name| times[name].as_u64().expect("a number"));
            assert!(times.is_sorted(), "{lock:#}");
        }
        assert!(lock["hold"]["longest_ns"].as_u64() > Some(0), "{lock:#}");
    }
}

#[test]
fn more_locks_than_a_table_has_are_counted() {
    let report = Traced::new("many", "report.json").json();
    let total: u64 = locks(&report).iter().map(|lock| counts(lock)[0]).sum();
    assert_eq!((locks(&report).len(), total), (1_000, 20_000));
    assert_eq!((&report["total"]["locks"], &report["left_out"]), (&1_500.into(), &500.into()));
}
