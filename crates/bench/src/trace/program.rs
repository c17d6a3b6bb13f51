//! A program that is not ours: found before anything runs, and run under libraries.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use object::LittleEndian;
use object::elf::{FileHeader64, PT_INTERP};
use object::read::elf::{FileHeader, ProgramHeader};

use crate::error::Error;

/// The loader's variable.
const PRELOAD: &str = "LD_PRELOAD";
/// The tracer's variable.
const REPORT: &str = "SIFTLOCK_REPORT";
/// Bytes at the beginning of a file that have its headers.
const HEADERS: u64 = 65_536;

/// A program that is there, and its arguments.
pub(super) struct Program {
    path: PathBuf,
    arguments: Vec<OsString>,
}

impl Program {
    /// Finds the program, as a shell does, and sees whether a library can be put under it.
    pub(super) fn find(line: &[OsString]) -> Result<Self, Error> {
        let (name, arguments) = line.split_first().expect("the command line has a program");
        let name = Path::new(name);
        let folders = env::var_os("PATH").unwrap_or_default();
        let found = match name.components().count() {
            1 => env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| runs(path)),
            _ => Some(name.to_owned()).filter(|path| runs(path)),
        };
        let missing = || Error::NoProgram { program: name.display().to_string() };
        let program = Self { path: found.ok_or_else(missing)?, arguments: arguments.to_vec() };
        match is_static(&program.path) {
            true => Err(Error::Static { program: program.name() }),
            false => Ok(program),
        }
    }

    /// Its name in messages.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Runs it under these libraries, and tells the tracer where reports go.
    pub(super) fn run(
        &self,
        under: &[PathBuf],
        reports: Option<OsString>,
    ) -> Result<ExitStatus, Error> {
        let mut command = self.command(under)?;
        if let Some(reports) = reports {
            command.env(REPORT, reports);
        }
        // Ctrl-C is for the program alone: this process still has its report to show.
        let ignored = keys::ignore();
        let ended = command.status();
        drop(ignored);
        ended.map_err(|source| Error::NoStart { program: self.name(), source })
    }

    /// Runs it under these libraries, without input and output.
    pub(super) fn run_silently(&self, under: &[PathBuf]) -> Result<ExitStatus, Error> {
        let mut command = self.command(under)?;
        command.env_remove(REPORT);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().map_err(|source| Error::NoStart { program: self.name(), source })
    }

    /// The command. Libraries that the user preloads come after ours.
    fn command(&self, under: &[PathBuf]) -> Result<Command, Error> {
        let users = env::var_os(PRELOAD).unwrap_or_default();
        let all = under.iter().cloned().chain(env::split_paths(&users));
        let all = all.filter(|path| !path.as_os_str().is_empty());
        let all = env::join_paths(all).map_err(|_| Error::ColonInPath)?;
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).env(PRELOAD, all);
        Ok(command)
    }
}

/// Whether this is a file that may be run.
fn runs(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Whether the program asks for no loader. A script is not static: its interpreter may ask for one.
fn is_static(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEADERS).read_to_end(&mut head));
    let Ok(header) = FileHeader64::<LittleEndian>::parse(head.as_slice()) else { return false };
    let segments = header.program_headers(LittleEndian, head.as_slice());
    let asks = |segments: &[_]| {
        segments.iter().any(|segment: &object::elf::ProgramHeader64<_>| {
            segment.p_type(LittleEndian) == PT_INTERP
        })
    };
    read.is_ok() && segments.is_ok_and(|segments| !asks(segments))
}

/// The key that ends a program: Ctrl-C (`SIGINT`).
mod keys {
    /// While this exists, the key does not end this process.
    pub(super) struct Ignored(libc::sighandler_t);

    /// A handler instead of `SIG_IGN`: a program that is started does not inherit it.
    extern "C" fn on_key(_: libc::c_int) {}

    pub(super) fn ignore() -> Ignored {
        // SAFETY: the handler does nothing.
        Ignored(unsafe { libc::signal(libc::SIGINT, on_key as *const () as libc::sighandler_t) })
    }

    impl Drop for Ignored {
        fn drop(&mut self) {
            // SAFETY: restores the handler that was there before.
            unsafe { libc::signal(libc::SIGINT, self.0) };
        }
    }
}
