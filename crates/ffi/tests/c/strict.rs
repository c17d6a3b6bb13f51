//! The headers give no warning, with any compiler and any standard of the language.

use crate::compiler::run;
use crate::library::home;
use std::path::PathBuf;
use std::process::Command;

const BOTH: [&str; 8] = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wshadow",
    "-Wundef",
    "-Werror",
];

/// Compiles the source by each compiler that is installed, for each standard.
#[track_caller]
fn gives_no_warning(compilers: [&str; 2], standards: [&str; 2], more: &[&str], source: &str) {
    for compiler in compilers {
        if Command::new(compiler).arg("--version").output().is_err() {
            eprintln!("{source}: not compiled by {compiler}, which is not there");
            continue;
        }
        for standard in standards {
            let source: PathBuf = home().join(source);
            run(Command::new(compiler)
                .args(BOTH)
                .args(more)
                .args([standard, "-fsyntax-only", "-D_GNU_SOURCE", "-I"])
                .arg(home().join("include"))
                .arg(source));
        }
    }
}

#[test]
fn header_for_c_gives_no_warning() {
    for source in ["examples/handler.c", "tests/programs/misuse.c"] {
        let more = ["-Wstrict-prototypes", "-Wcast-qual", "-Wc++-compat"];
        gives_no_warning(["gcc", "clang"], ["-std=c11", "-std=gnu17"], &more, source);
    }
}

#[test]
fn headers_for_cpp_give_no_warning() {
    let more = ["-Wold-style-cast", "-Wnon-virtual-dtor"];
    let standards = ["-std=c++17", "-std=c++20"];
    gives_no_warning(["g++", "clang++"], standards, &more, "tests/programs/requirements.cpp");
    gives_no_warning(["g++", "clang++"], standards, &more, "examples/modules.cpp");
}

/// This covers the header that is included for ThreadSanitizer alone.
#[test]
fn headers_for_thread_sanitizer_give_no_warning() {
    let more = ["-fsanitize=thread"];
    let c = ["-std=c11", "-std=gnu17"];
    gives_no_warning(["gcc", "clang"], c, &more, "examples/handler.c");
    let more = ["-fsanitize=thread", "-Wold-style-cast"];
    let cpp = ["-std=c++17", "-std=c++20"];
    gives_no_warning(["g++", "clang++"], cpp, &more, "examples/modules.cpp");
}
