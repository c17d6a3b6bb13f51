//! The installed package, made once for all tests.

use crate::compiler::run;
use crate::library::home;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder to which `install` installed the package.
pub(crate) fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let prefix = dir.join("installed");
        let _ = std::fs::remove_dir_all(&prefix);
        run(Command::new(home().join("install"))
            .arg(&prefix)
            .env("CARGO_TARGET_DIR", dir.join("libraries"))
            .env("CARGO_NET_OFFLINE", "true")
            .env_remove("DESTDIR")
            .env_remove("LIBDIR"));
        prefix
    })
}

/// The shared library, under the name that linkers look for.
pub(crate) fn shared_library() -> PathBuf {
    prefix().join("lib/libsiftlock.so")
}
