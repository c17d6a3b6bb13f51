//! The forms of a report.

use crate::compiler::compiled;
use crate::traced::{Traced, has_frame, lock_of};

#[test]
fn folded_stacks_begin_with_what_they_weigh() {
    let folded = Traced::new("waits", "report.folded").report();
    for line in folded.lines() {
        let (stack, weight) = line.rsplit_once(' ').expect("a weight");
        assert!(weight.parse::<u64>().is_ok(), "{line}");
        let mut frames = stack.split(';');
        assert!(matches!(frames.next(), Some("waited" | "held" | "calls")), "{line}");
        assert!(frames.next().is_some_and(|lock| lock.starts_with("lock 0x")), "{line}");
        assert!(frames.next().is_some(), "{line}");
    }
    let waited: Vec<_> = folded.lines().filter(|line| line.starts_with("waited;")).collect();
    assert!(waited.len() == 1 && waited[0].contains(";reader_that_waits"), "{folded}");
    // The innermost frame comes last.
    let at = |name| waited[0].find(name);
    assert!(at("reader_that_waits") > at("start_thread"), "{folded}");
}

#[test]
fn text_shows_the_hottest_lock_first() {
    let text = Traced::new("waits", "report").report();
    let after_title = text.split_once("#1  lock at 0x").expect("a first lock").1;
    for part in [
        "1 read, 1 write, 1 contended, 0 refused, 2 threads",
        "who waited, by time\n      100 %",
        "who held it",
    ] {
        assert!(after_title.contains(part), "{part}: {text}");
    }
}

#[test]
fn text_says_how_many_locks_it_leaves_out() {
    let text = Traced::new("many", "report").report();
    assert!(text.contains("thread used 1,500 locks: "), "{text}");
    let last = "1,490 more rows: SIFTLOCK_REPORT=FILE.json has the next 990\n";
    assert!(text.ends_with(last), "{text}");
}

#[test]
fn text_says_whose_place_is_not_known() {
    let text = Traced::of("shapes.c", "brief", "report").report();
    assert!(text.contains(" locks that were created at one place and have ended\n"), "{text}");
    assert!(text.contains(" locks whose place is not known and that have ended\n"), "{text}");
}

#[test]
fn text_says_why_nothing_was_measured() {
    let keys = compiled("library_keys.c");
    let text = Traced::new("counts", "report").above(&keys).report();
    assert!(text.contains("the program left no pthread key below 32"), "{text}");
}

#[test]
fn a_library_that_is_opened_late_has_names() {
    let mut traced = Traced::of("shapes.c", "opens_late", "report.json");
    let path = traced.path();
    traced.command.env("SIFTLOCK_REPORT_SIGNAL", "USR1").env("REPORT", path);
    traced.command.env("LATE", compiled("library_late.c"));
    let report = traced.json();
    let frame = "late_read (library_late.c.so)";
    assert!(has_frame(&lock_of(&report, "late_read")["created"]["stack"], frame), "{report:#}");
}

#[test]
fn a_c_function_keeps_its_name() {
    let text = Traced::new("short_names", "report").report();
    assert!(text.contains("  w < short_names\n"), "{text}");
}

#[test]
fn a_program_without_locks_is_told_so() {
    let text = Traced::new("nothing", "report").report();
    assert!(text.contains("it took no pthread_rwlock"), "{text}");
}

#[test]
fn text_names_the_caller_of_a_wrapper_as_it_is_written() {
    let text = Traced::in_cpp("report").report();
    let used = text.lines().find(|line| line.trim_start().starts_with("#1 ")).expect("a lock");
    assert!(used.ends_with("  shop::Prices::of(int) < main"), "{used}");
    assert!(text.contains("std::shared_mutex::lock_shared()"), "{text}");
}
