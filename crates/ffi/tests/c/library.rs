//! The static library for the tests. Cargo builds none for them, so this module does, in a folder
//! of its own.

use crate::compiler;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder of this crate.
pub(crate) fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The system's libraries that the static library needs.
pub(crate) const NATIVE: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

pub(crate) fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libraries");
        compiler::run(
            Command::new(env!("CARGO"))
                .args(["build", "--offline", "--quiet", "--lib", "--manifest-path"])
                .arg(home().join("Cargo.toml"))
                .arg("--target-dir")
                .arg(&target),
        );
        target.join("debug/libsiftlock_c.a")
    })
}
