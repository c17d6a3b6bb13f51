//! Runs the programs of `tests/programs` and the examples, without and with the compiler's
//! sanitizers.

use crate::compiler::{Sanitizer, compile, run};
use crate::library::{self, home};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Compiles the program and runs it. `None`: there is no such sanitizer.
#[track_caller]
fn output(source: &str, sanitizer: Option<Sanitizer>, broken: bool) -> Option<Output> {
    if let Some(sanitizer) = sanitizer.filter(|sanitizer| !sanitizer.is_there()) {
        eprintln!("{source}: not run, since the compiler has no {:?}", sanitizer.flags());
        return None;
    }
    let program = program(source, sanitizer, broken);
    Some(Command::new(&program).output().expect("the program starts"))
}

#[track_caller]
fn program(source: &str, sanitizer: Option<Sanitizer>, broken: bool) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    std::fs::create_dir_all(&dir).expect("a place for the programs");
    let kind = sanitizer.map_or_else(|| "plain".to_owned(), |sanitizer| format!("{sanitizer:?}"));
    let name = source.replace('/', "_");
    let program = dir.join(format!("{name}-{kind}{}", if broken { "-broken" } else { "" }));
    let source = home().join(source);
    let mut compiler = compile(&source);
    if source.starts_with(home().join("tests")) {
        // For the system's threads and clocks. The examples define what they need.
        compiler.arg("-D_GNU_SOURCE");
    }
    compiler.arg("-I").arg(home().join("include"));
    if broken {
        compiler.arg("-include").arg(home().join("tests/programs/broken.h"));
    }
    compiler.args(sanitizer.iter().flat_map(|sanitizer| sanitizer.flags()));
    compiler.arg("-o").arg(&program).arg(library::built()).args(library::NATIVE);
    run(&mut compiler);
    program
}

#[track_caller]
fn succeeds(source: &str, sanitizer: Option<Sanitizer>) {
    let Some(output) = output(source, sanitizer, false) else { return };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{source}: {}\n{said}", output.status);
}

/// The program fails, with locks that do not exclude if they are `broken`.
#[track_caller]
fn notices(source: &str, sanitizer: Option<Sanitizer>, broken: bool) {
    let Some(output) = output(source, sanitizer, broken) else { return };
    // A program that hangs is ended by a signal: it noticed nothing.
    let notices = output.status.code().is_some_and(|code| code != 0);
    assert!(notices, "{source} does not notice what is wrong: {}", output.status);
}

macro_rules! programs {
    ($($name:ident: $source:literal)*) => { $(
        mod $name {
            use super::{Sanitizer, succeeds};

            #[test]
            fn runs() {
                succeeds($source, None);
            }

            #[test]
            fn runs_under_thread_sanitizer() {
                succeeds($source, Some(Sanitizer::Thread));
            }

            #[test]
            fn runs_under_address_sanitizer() {
                succeeds($source, Some(Sanitizer::AddressAndUndefined));
            }
        }
    )* };
}

programs! {
    exclusion: "tests/programs/exclusion.c"
    trying: "tests/programs/trying.c"
    deadlines: "tests/programs/deadlines.c"
    misuse: "tests/programs/misuse.c"
    beginning: "tests/programs/beginning.c"
    recursion: "tests/programs/recursion.c"
    upgrades: "tests/programs/upgrades.c"
    psrw: "tests/programs/psrw.c"
    psrw_misuse: "tests/programs/psrw_misuse.c"
    handlers: "tests/programs/handlers.c"
    updates: "tests/programs/updates.c"
    guards: "tests/programs/guards.cpp"
    timed: "tests/programs/timed.cpp"
    interrupts: "tests/programs/interrupts.cpp"
    changes: "tests/programs/changes.cpp"
    errors: "tests/programs/errors.cpp"
    requirements: "tests/programs/requirements.cpp"
    example_routes_c: "examples/routes.c"
    example_handler_c: "examples/handler.c"
    example_patience_c: "examples/patience.c"
    example_routes_cpp: "examples/routes.cpp"
    example_modules_cpp: "examples/modules.cpp"
}

#[test]
fn exclusion_notices_broken_locks() {
    notices("tests/programs/exclusion.c", None, true);
}

#[test]
fn handlers_notice_broken_locks() {
    notices("tests/programs/handlers.c", None, true);
    notices("tests/programs/interrupts.cpp", None, true);
}

/// So ThreadSanitizer does check the data that the locks guard.
#[test]
fn thread_sanitizer_notices_broken_locks() {
    notices("tests/programs/guards.cpp", Some(Sanitizer::Thread), true);
}

/// The two reads do not overlap.
#[test]
fn thread_sanitizer_notices_changes_under_reads() {
    notices("tests/programs/race.c", Some(Sanitizer::Thread), false);
}

/// So a static program is prepared before `main`.
#[test]
fn static_program_has_the_constructor() {
    let program = program("examples/routes.c", None, false);
    let names = run(Command::new("nm").arg(&program)).stdout;
    assert!(String::from_utf8_lossy(&names).contains("WHEN_LOADED"), "the linker has dropped it");
}
