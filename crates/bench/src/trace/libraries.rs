//! The place of the libraries that a program runs under.
//!
//! In a clone of the repository they are built on demand: cargo has nothing to do if they are up to
//! date. Where the clone is gone, they stand beside this program.

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

/// The place where libraries are looked for.
pub(super) struct Libraries {
    folder: Option<PathBuf>,
}

impl Libraries {
    /// Libraries in this folder; without one, in the folder where they are built, or beside this
    /// program.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Self { folder: folder.map(Path::to_owned) }
    }

    /// The library's path.
    pub(super) fn find(&self, library: &Library) -> Result<PathBuf, Error> {
        let folder = match &self.folder {
            Some(folder) => Ok(folder.clone()),
            None => built(library),
        };
        let error = |why| Error::NoLibrary { file: library.file, package: library.package, why };
        let folder = folder.map_err(error)?;
        let path = std::path::absolute(folder.join(library.file));
        path.ok()
            .filter(|path| path.exists())
            .ok_or_else(|| error(format!("it is not in {}", folder.display())))
    }
}

/// The folder with the library: this program's own, or the one where cargo builds it now.
fn built(library: &Library) -> Result<PathBuf, String> {
    let own = env::current_exe().map_err(|error| error.to_string())?;
    let own = own.parent().map_or(PathBuf::new(), Path::to_owned);
    let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if clone.join("Cargo.toml").exists() { build(library, &clone, &own) } else { Ok(own) }
}

/// Builds it in the clone that this program was built in.
fn build(library: &Library, clone: &Path, own: &Path) -> Result<PathBuf, String> {
    // Beside the folder of this program's own profile, wherever the user's settings have put that.
    let target = own.parent().map_or(clone.join("target"), Path::to_owned);
    if !target.join(PROFILE).join(library.file).exists() {
        eprintln!("building {} for the first time, in a minute or two", library.file);
    }
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--profile", PROFILE, "--package", library.package])
        .arg("--manifest-path")
        .arg(clone.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .output()
        .map_err(|error| format!("cargo does not start ({error})"))?;
    match built.status.success() {
        true => Ok(target.join(PROFILE)),
        false => Err(String::from_utf8_lossy(&built.stderr).trim().to_owned()),
    }
}
