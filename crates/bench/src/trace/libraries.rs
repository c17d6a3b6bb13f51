//! Where the libraries are that a program runs under.
//!
//! In a clone of the repository they are built on demand: cargo has nothing to do if they are up to date. The program
//! may stand elsewhere, with the libraries beside it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;

/// A library, and the package that it is built from.
pub(super) struct Library {
    package: &'static str,
    file: &'static str,
}

pub(super) const TRACER: Library =
    Library { package: "siftlock-trace", file: "libsiftlock_trace.so" };
pub(super) const LOCKS: Library =
    Library { package: "siftlock-preload", file: "libsiftlock_preload.so" };

/// The profile that they are meant to be built with.
const PROFILE: &str = "preload";

/// Where to look.
pub(super) struct Libraries {
    folder: Option<PathBuf>,
}

impl Libraries {
    /// In this folder, or where they are built, or beside the program.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Self { folder: folder.map(Path::to_owned) }
    }

    /// The library's path.
    pub(super) fn find(&self, library: &Library) -> Result<PathBuf, Error> {
        let own = env::current_exe().ok().and_then(|program| Some(program.parent()?.to_owned()));
        let (folder, why) = match (&self.folder, own) {
            (Some(folder), _) => (Some(folder.clone()), String::new()),
            (None, Some(own)) if own.join(library.file).exists() => (Some(own), String::new()),
            (None, own) => match build(library, own.as_deref()) {
                Ok(folder) => (Some(folder), String::new()),
                Err(why) => (None, why),
            },
        };
        let path = folder.map(|folder| folder.join(library.file)).filter(|path| path.exists());
        let path = path.and_then(|path| std::path::absolute(path).ok());
        path.ok_or_else(|| Error::NoLibrary { file: library.file, package: library.package, why })
    }
}

/// Builds it in the clone that this program was built in, and says in which folder it then is.
fn build(library: &Library, own: Option<&Path>) -> Result<PathBuf, String> {
    let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = clone.join("Cargo.toml");
    if !manifest.exists() {
        return Err("this program's sources are gone".to_owned());
    }
    // Beside the folder of this program's own profile, wherever the user's settings have put that.
    let target = own.and_then(Path::parent).map_or(clone.join("target"), Path::to_owned);
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--profile", PROFILE, "--package", library.package])
        .arg("--manifest-path")
        .arg(manifest)
        .arg("--target-dir")
        .arg(&target)
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    match built.status.success() {
        true => Ok(target.join(PROFILE)),
        false => Err(String::from_utf8_lossy(&built.stderr).trim().to_owned()),
    }
}
