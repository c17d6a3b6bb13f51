//! What makes no sense is refused before anything runs: status 2, a reason, and no output.

mod program;

use predicates::str::{contains, is_empty};
use program::program;

fn refuses(line: &[&str], reason: &str) {
    program(line).assert().code(2).stdout(is_empty()).stderr(contains(reason));
}

#[test]
fn unknown_subjects_are_refused_with_a_suggestion() {
    refuses(&["mixed", "--subjects", "std,parkinglot"], "did you mean parking_lot?");
    refuses(&["--subjects", "nothing-like-it"], "--list shows them all");
    refuses(&["trylock", "--subjects", ""], "no such subject");
}

#[test]
fn impossible_numbers_of_threads_are_refused() {
    for threads in ["0", "4,0", "-1", "5000", "two", ""] {
        refuses(&["mixed", &format!("--threads={threads}")], "give 1 to 4096 threads");
        refuses(&["mixed", "--threads", threads], "give 1 to 4096 threads");
    }
}

#[test]
fn absurd_durations_are_refused() {
    for seconds in ["0", "-1", "NaN", "inf", "1e300", "86401", "soon"] {
        refuses(&["trylock", &format!("--seconds={seconds}")], "seconds");
    }
}

#[test]
fn absurd_rounds_and_loads_are_refused() {
    refuses(&["uncontended", "--rounds", "0"], "give 1 to 1000 rounds");
    refuses(&["uncontended", "--rounds", "1001"], "give 1 to 1000 rounds");
    refuses(&["mixed", "--load", "1000001"], "--load");
    refuses(&["mixed", "--mix", "shaken"], "dedicated");
}

#[cfg(target_os = "linux")]
#[test]
fn subjects_of_which_none_takes_part_are_refused() {
    refuses(&["latency", "--subjects", "std"], "none of these subjects takes part in latency");
}

#[cfg(target_os = "linux")]
#[test]
fn tests_that_are_not_there_are_refused() {
    refuses(&["latency", "--tests", "nothing"], "there are contention");
    refuses(&["latency", "--tests", "single-preader"], "latency has no test single-preader");
    refuses(&["latency", "--tests", "slow-readers,single-preader"], "no test single-preader");
    refuses(&["delays", "--full", "--seconds", "1"], "cannot be used with");
    refuses(&["delays", "--interrupts-every", "0"], "give 0.0001 to 3600 seconds");
}

#[test]
fn parts_of_the_plane_that_are_none_are_refused() {
    for holds in ["10", "-1us", "1s", "long", ""] {
        refuses(&["plane", &format!("--holds={holds}")], "give a time of 0ns to 10ms");
    }
    refuses(&["plane", "--pauses", "11ms"], "give a time of 0ns to 10ms");
    refuses(&["plane", "--writes", "101"], "give 0 to 100 per cent");
    refuses(&["plane", "--threads", "0"], "give 1 to 4096 threads");
    refuses(&["plane", "--short", "--holds", "1us"], "cannot be used with");
}

#[test]
fn changes_that_are_none_are_refused() {
    for every in ["100", "0ms", "1h", "often", ""] {
        refuses(&["changes", &format!("--every={every}")], "give a time of 1ms to 10s");
    }
    refuses(&["changes", "--threads", "0"], "give 1 to 4096 threads");
}

#[test]
fn options_that_an_experiment_would_ignore_are_refused() {
    refuses(&["wakeups", "--load", "5"], "wakeups has no --load");
    refuses(&["mixed", "--mix", "writers", "--together"], "mixed --mix writers has no --together");
    refuses(&["holds", "--holds", "sleep", "--together"], "holds --holds sleep has no --together");
    for experiment in ["mail", "holds", "wakeups"] {
        let reason = format!("{experiment} has no --subjects limit");
        refuses(&[experiment, "--subjects", "rwsem,limit"], &reason);
    }
    refuses(&["readers", "--price", "--subjects", "std"], "readers --price has no --subjects");
    refuses(&["readers", "--price", "--pressure"], "readers --price has no --pressure");
}

#[cfg(target_os = "linux")]
#[test]
fn options_that_the_measurements_of_2008_and_of_revocations_would_ignore_are_refused() {
    for (option, value) in [("--subjects", Some("std")), ("--pin", None), ("--pressure", None)] {
        let line = [&["readers", "--revoke", option][..], value.as_slice()].concat();
        refuses(&line, &format!("readers --revoke has no {option}"));
    }
    // Before the file is read.
    for experiment in [&["latency"][..], &["delays"], &["readers", "--revoke"]] {
        let line = [experiment, &["--compare", "/no/such/file.json"]].concat();
        refuses(&line, &format!("{} has no --compare", experiment.join(" ")));
    }
}

#[test]
fn an_unwritable_file_is_refused() {
    refuses(&["--json", "/no/such/folder/results.json"], "cannot write /no/such/folder");
    refuses(&["mixed", "--json", "/"], "cannot write /");
}

#[test]
fn files_that_cannot_be_compared_with_are_refused() {
    refuses(&["mixed", "--compare"], "--compare needs a file");
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a path in UTF-8").to_owned()
    };
    let row = r#"{"subject":"std","threads":2,"metric":"total","unit":"operations/s","samples":[1],"median":1}"#;
    let written = |params: &str| {
        format!(
            r#"{{"machine":{{"cpu":"Z80","cpus":1}},"experiment":"mixed","params":{params},"results":[{row}]}}"#
        )
    };
    let elsewhere = file("other", &written(r#"{"subjects":["std"],"load":10,"mix":"dedicated"}"#));
    let longer = file("longer", &written(r#"{"subjects":["std"],"load":1000,"mix":"dedicated"}"#));
    refuses(&["mixed", "--compare", "/no/such/file.json"], "name a file that --json has written");
    refuses(
        &["mixed", "--compare", &file("text", "results")],
        "name a file that --json has written",
    );
    refuses(&["mixed", "--compare", &file("empty", "{}")], "no results that can be compared");
    refuses(&["mixed", "--compare", &elsewhere], "another machine (Z80, 1 CPU(s)");
    refuses(&["trylock", "--compare", &elsewhere], "figures of mixed, and this is trylock");
    refuses(&["mixed", "--mix", "each", "--compare", &elsewhere], "and this is mixed, mix each");
    refuses(&["mixed", "--compare", &longer], "mixed, load 1000, and this is mixed, load 10");
}

#[cfg(target_os = "linux")]
#[test]
fn options_that_mean_nothing_to_a_traced_program_are_refused() {
    refuses(&["trace", "--subjects", "std", "--", "true"], "trace has no --subjects");
    refuses(&["trace", "--pressure", "--", "true"], "trace has no --pressure");
}

#[cfg(target_os = "linux")]
#[test]
fn programs_that_cannot_be_traced_are_refused() {
    refuses(&["trace"], "<PROGRAM>");
    refuses(&["trace", "--", "no-such-program"], "no-such-program is not there");
    refuses(&["trace", "--", "/"], "/ is not there, or is no program");
    refuses(&["trace", "--compare", "ls", "--", "ls"], "put two dashes before it");
    refuses(&["trace", "--rounds", "5", "--", "ls"], "add --compare");
    refuses(&["trace", "--compare", "--replaced", "--", "ls"], "leave --replaced out");
    refuses(&["trace", "--compare", "--folded", "a.folded", "--", "ls"], "leave --folded out");
    refuses(&["trace", "--compare", "--rounds", "2", "--", "ls"], "give 3 to 1000 rounds");
    refuses(&["trace", "--folded", "x.txt", "--", "ls"], "ends with .folded");
    refuses(&["trace", "--json", "x.txt", "--", "ls"], "must end with .json");
    refuses(&["trace", "--json", "/no/such/x.json", "--", "ls"], "cannot write /no/such/x.json");
    refuses(&["trace", "--folded", "/no/such/x.folded", "--", "ls"], "cannot write /no/such/x");
    refuses(&["trace", "--libraries", "/nowhere", "--", "ls"], "no libsiftlock_trace.so");
}
