//! Code that must not compile is refused at the user's own line, with a hint what to do instead.
//! `cargo check` refuses it already: the refusal does not rest on a constant of the lock, which the
//! compiler would evaluate only when it makes code.
//!
//! In `refused`, `//~` stands behind each line that is refused, with a part of the message. Behind
//! `|` stands one of the message's notes. No other line may be refused.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

const REFUSED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/types/refused");

/// Checks a program of this source. Returns the compiler's messages for each of its lines.
fn check(name: &str, source: &str) -> BTreeMap<usize, String> {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("types").join(name);
    let library = env!("CARGO_MANIFEST_DIR");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n\
         [lib]\npath = \"lib.rs\"\n\n\
         [dependencies]\nsiftlock = {{ path = {library:?} }}\n\n\
         [workspace]\n"
    );
    fs::create_dir_all(&package).expect("a place for the package");
    fs::write(package.join("Cargo.toml"), manifest).expect("a manifest");
    // The compiler quotes the lines, so they come without the expected messages.
    let lines = source.lines().map(|line| line.split("//~").next().unwrap_or(line));
    let source: Vec<&str> = lines.collect();
    fs::write(package.join("lib.rs"), source.join("\n")).expect("a source");
    let lock = Path::new(library).join("../../Cargo.lock");
    fs::copy(lock, package.join("Cargo.lock")).expect("the versions that there are");
    let checked = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--quiet", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("types/target"))
        .current_dir(&package)
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&checked.stderr);
    let mut lines = BTreeMap::<usize, String>::new();
    for error in said.split("\n\n").filter(|text| text.contains("error[")) {
        let at = error.lines().find_map(|line| line.trim_start().strip_prefix("--> lib.rs:"));
        let line = at.and_then(|at| at.split(':').next()?.parse().ok());
        let line = line.unwrap_or_else(|| panic!("an error elsewhere than in {name}: {error}"));
        lines.entry(line).or_default().push_str(error);
    }
    assert!(!checked.status.success() && !lines.is_empty(), "{name} was not checked: {said}");
    lines
}

#[test]
fn types_are_refused_at_the_users_line() {
    for file in fs::read_dir(REFUSED).expect("the cases") {
        let path = file.expect("a case").path();
        let source = fs::read_to_string(&path).expect("a source");
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a plain name");
        let mut said = check(name, &source);
        for (number, line) in source.lines().enumerate() {
            let Some((_, expected)) = line.split_once("//~ ") else { continue };
            let said = said.remove(&(number + 1)).unwrap_or_default();
            for part in expected.split(" | ") {
                assert!(said.contains(part), "{name}.rs:{}: no {part:?} in:\n{said}", number + 1);
            }
        }
        assert!(said.is_empty(), "{name}.rs: not expected: {said:#?}");
    }
}
