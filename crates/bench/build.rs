//! Tells the program which commit it was built from, so that its results can say so.

use std::path::Path;
use std::process::Command;

fn main() {
    // The program's figures depend on every crate of the workspace, not on this one alone.
    for path in ["../../.git/HEAD", "../../.git/index", "../../crates"] {
        // A missing path would make cargo run this, and build the crate, every time.
        if Path::new(path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    if let Some(commit) = commit() {
        println!("cargo:rustc-env=SIFTLOCK_COMMIT={commit}");
    }
}

/// The commit that is checked out, with `-dirty` if files differ from it; `None` outside a git
/// checkout, or before its first commit.
fn commit() -> Option<String> {
    let arguments = ["describe", "--always", "--dirty", "--abbrev=12"];
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
