//! Runs the programs of `tests/conformance` twice: with the C library's own locks, and with the
//! crate's under `LD_PRELOAD`.
//!
//! `CC` and `CXX` name the compilers, in place of `cc` and `c++`. `SIFTLOCK_PRELOAD` names the
//! library under test, in place of the crate's own.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any program takes on a loaded machine. Each assertion has a watchdog of its own.
const PATIENCE: Duration = Duration::from_secs(300);

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> PathBuf {
    home().join("tests/conformance")
}

/// A folder for what the compilers make.
fn built() -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance");
    fs::create_dir_all(&dir).expect("a place for the programs");
    dir
}

/// Runs a tool and fails with its message.
#[track_caller]
fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
}

/// The library under test. Cargo builds no cdylib for tests alone.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        if let Some(other) = env::var_os("SIFTLOCK_PRELOAD") {
            return other.into();
        }
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library");
        run(Command::new(env!("CARGO"))
            .args(["build", "--offline", "--quiet", "--lib", "--profile", "preload"])
            .arg("--manifest-path")
            .arg(home().join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&target));
        target.join("preload/libsiftlock_preload.so")
    })
}

/// Compiles `source` to `name`. Tests run in parallel, so each has its own names.
#[track_caller]
fn compile(source: &str, name: &str, flags: &[&str]) -> PathBuf {
    let (variable, usual, standard) = if source.ends_with(".cpp") {
        ("CXX", "c++", "-std=c++17")
    } else {
        ("CC", "cc", "-std=c11")
    };
    let program = built().join(name);
    run(Command::new(env::var_os(variable).unwrap_or_else(|| usual.into()))
        .args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread", "-O1", "-g"])
        .arg("-D_GNU_SOURCE")
        .args(flags)
        .arg(sources().join(source))
        .arg("-o")
        .arg(&program));
    program
}

/// The output of a program, and whether it has ended with success.
fn output(mut command: Command) -> (bool, String) {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut pipe = child.stdout.take().expect("it is piped");
    let reader = thread::spawn(move || {
        let mut said = Vec::new();
        pipe.read_to_end(&mut said).map(|_| String::from_utf8_lossy(&said).into_owned())
    });
    let started = Instant::now();
    let status = loop {
        match child.try_wait().expect("the program is a child of this one") {
            Some(status) => break status,
            None if started.elapsed() > PATIENCE => {
                child.kill().expect("it runs");
                break child.wait().expect("it is killed");
            }
            None => thread::sleep(Duration::from_millis(10)),
        }
    };
    let said = reader.join().expect("it only reads").expect("the pipe can be read");
    (status.success(), said)
}

#[track_caller]
fn conforms(source: &str, preload: bool) {
    let suffix = if preload { "preload" } else { "glibc" };
    let name = format!("{}-{suffix}", source.replace('.', "-"));
    let mut command = Command::new(compile(source, &name, &[]));
    if source == "lifetime.c" {
        command.env("PLUGIN", compile("plugin.c", &format!("plugin-{suffix}.so"), SHARED));
    }
    command.env_remove("LD_PRELOAD");
    if preload {
        command.env("LD_PRELOAD", library());
    }
    let (succeeds, said) = output(command);
    assert!(succeeds, "{source} under {suffix}:\n{said}");
    // The loader only warns of a library that it cannot load.
    assert_eq!(said.contains("\nlocks of glibc\n"), !preload, "which locks?\n{said}");
}

const SHARED: &[&str] = &["-shared", "-fPIC"];

macro_rules! programs {
    ($($name:ident: $source:literal)*) => {
        $(
            mod $name {
                #[test]
                fn glibc() {
                    super::conforms($source, false);
                }

                #[test]
                fn preload() {
                    super::conforms($source, true);
                }
            }
        )*

        const PROGRAMS: &[&str] = &[$($source),*];
    };
}

programs! {
    attributes: "attributes.c"
    init: "init.c"
    locking: "locking.c"
    timed: "timed.c"
    clocks: "clocks.c"
    kinds: "kinds.c"
    unlock: "unlock.c"
    nesting: "nesting.c"
    threads: "threads.c"
    memory: "memory.c"
    signals: "signals.c"
    handlers: "handlers.c"
    cancel: "cancel.c"
    forks: "forks.c"
    processes: "processes.c"
    lifetime: "lifetime.c"
    symbols: "symbols.c"
    allocator: "allocator.c"
    limits: "limits.c"
    shared_mutex: "shared_mutex.cpp"
}

#[test]
fn every_program_is_run() {
    for entry in fs::read_dir(sources()).expect("the programs") {
        let name = entry.expect("a file").file_name().into_string().expect("a plain name");
        let runs = PROGRAMS.contains(&name.as_str()) || name == "plugin.c" || name.ends_with(".h");
        assert!(runs, "{name} is not in the list");
    }
}
