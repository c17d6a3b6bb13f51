//! What the library gives to a program, and what it takes from it.

use crate::compiler::run;
use crate::library;
use std::process::Command;

/// Names of the library's dynamic symbols, of those that it defines or of those that it needs.
fn symbols(which: &str) -> Vec<String> {
    let said = run(Command::new("nm").args(["--dynamic", which]).arg(library::built())).stdout;
    let names = String::from_utf8(said).expect("names");
    let name = |line: &str| line.split_whitespace().last().map(str::to_owned);
    let mut names: Vec<_> = names.lines().filter_map(name).collect();
    names.sort();
    names
}

#[test]
fn library_exports_what_it_replaces_and_nothing_else() {
    let calls = ["init", "destroy", "rdlock", "tryrdlock", "wrlock", "trywrlock", "unlock"];
    let mut expected: Vec<_> = calls
        .iter()
        .flat_map(|call| ["", "__"].map(|prefix| format!("{prefix}pthread_rwlock_{call}")))
        .collect();
    let timed = ["timedrdlock", "clockrdlock", "timedwrlock", "clockwrlock"];
    expected.extend(timed.map(|call| format!("pthread_rwlock_{call}")));
    expected.sort();
    assert_eq!(symbols("--defined-only"), expected);
}

#[test]
fn library_needs_nothing_that_allocates_or_unwinds() {
    let needed = symbols("--undefined-only");
    for name in ["malloc", "calloc", "realloc", "free", "_Unwind", "__tls_get_addr", "__errno"] {
        let found: Vec<_> = needed.iter().filter(|needed| needed.starts_with(name)).collect();
        assert!(found.is_empty(), "{found:?}");
    }
}

#[test]
fn library_needs_the_c_library_alone_and_comes_first() {
    let said = run(Command::new("readelf").args(["--dynamic", "--wide"]).arg(library::built()));
    let said = String::from_utf8(said.stdout).expect("text");
    let needed: Vec<_> = said.lines().filter(|line| line.contains("(NEEDED)")).collect();
    assert!(needed.len() == 1 && needed[0].contains("libc.so"), "{needed:?}");
    for flag in ["INITFIRST", "NODELETE", "STATIC_TLS"] {
        assert!(said.contains(flag), "{flag}: {said}");
    }
}

/// Tools find a probe by its note, which has its provider, its name and where its arguments are.
#[test]
fn library_has_probes_where_calls_wait() {
    let said = run(Command::new("readelf").args(["--notes", "--wide"]).arg(library::built()));
    let said = String::from_utf8(said.stdout).expect("text");
    for call in ["rdlock", "wrlock"] {
        for (end, arguments) in [("begin", 1), ("end", 2)] {
            let name = format!("Name: {call}_wait_{end}");
            let mut lines = said.lines().map(str::trim).skip_while(|line| *line != name);
            let after: Vec<_> = lines.by_ref().skip(1).take(2).collect();
            let given = after.get(1).and_then(|line| line.strip_prefix("Arguments: "));
            assert_eq!(
                given.map(|given| given.split_whitespace().count()),
                Some(arguments),
                "{name}: {said}"
            );
        }
    }
    assert!(said.contains("Provider: siftlock"), "{said}");
}
