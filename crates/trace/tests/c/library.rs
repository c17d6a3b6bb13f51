//! The libraries, built as they are meant to be used.

use crate::compiler::run;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where the tracer is.
pub(crate) fn tracer() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| built("siftlock-trace", "libsiftlock_trace.so"))
}

/// Where the library is that replaces glibc's locks.
pub(crate) fn locks() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| built("siftlock-preload", "libsiftlock_preload.so"))
}

fn built(package: &str, file: &str) -> PathBuf {
    let target =
        Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder");
    run(Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet", "--profile", "preload", "--package", package])
        .arg("--target-dir")
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR")));
    target.join("preload").join(file)
}
