//! The library, built as it is meant to be used, in a folder of its own: the tests' own profile
//! unwinds.

use crate::compiler::run;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where it is.
pub(crate) fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libraries");
        run(Command::new(env!("CARGO"))
            .args(["build", "--offline", "--quiet", "--lib", "--profile", "preload"])
            .arg("--manifest-path")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&target));
        target.join("preload/libsiftlock_preload.so")
    })
}
