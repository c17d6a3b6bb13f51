//! What the tables of threads tell apart.

use crate::traced::{Traced, locks};

/// The program counts the system calls of the slow path.
#[test]
fn a_lock_in_its_second_place_has_the_fast_path() {
    Traced::of("shapes.c", "one_place", "report.json").run();
}

/// The program rests for a second between the unlocks of another thread and its own last sections.
#[test]
fn a_section_that_another_thread_ended_is_no_long_one() {
    let report = Traced::of("shapes.c", "another_unlocks", "report.json").json();
    for lock in locks(&report) {
        assert!(lock["hold"]["longest_ns"].as_u64() < Some(1_000_000_000), "{lock:#}");
    }
}
