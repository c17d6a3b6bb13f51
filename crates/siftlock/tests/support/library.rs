//! Examples that a test compiles as shared libraries, for the kind of machine that it was compiled
//! for: cargo builds none for a target without them.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the example of this name as a shared library, in a folder of the tests' own.
pub(crate) fn build(example: &str, directory: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(directory);
    let output = Command::new(env!("CARGO"))
        .args(["rustc", "--offline", "--quiet", "--example", example, "--crate-type", "cdylib"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .args(["--target", &target()])
        .arg("--target-dir")
        .arg(&directory)
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    directory.join(target()).join(format!("debug/examples/lib{example}.so"))
}

/// The C compiler with which Rust's programs for this target are linked.
pub(crate) fn c_compiler() -> OsString {
    let linker = target().replace('-', "_").to_uppercase();
    env::var_os(format!("CARGO_TARGET_{linker}_LINKER")).unwrap_or_else(|| "cc".into())
}

fn target() -> String {
    let processor = if env::consts::ARCH == "x86" { "i686" } else { env::consts::ARCH };
    format!("{processor}-unknown-linux-gnu")
}
