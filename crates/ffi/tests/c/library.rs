//! The static library, built for the tests in a folder of their own: cargo builds none for them.

use crate::compiler;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where the crate is.
pub(crate) fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What the linker needs of the C library for it.
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
