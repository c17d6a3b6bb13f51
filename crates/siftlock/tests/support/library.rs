//! Examples that a test compiles as shared libraries: cargo builds none for a target without them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the example of this name as a shared library, in a folder of the tests' own.
pub(crate) fn build(example: &str, directory: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(directory);
    let output = Command::new(env!("CARGO"))
        .args(["rustc", "--offline", "--quiet", "--example", example, "--crate-type", "cdylib"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .arg("--target-dir")
        .arg(&directory)
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    directory.join(format!("debug/examples/lib{example}.so"))
}
