//! Names of functions, found by the crate `backtrace`: from debug information if there is some,
//! else from the tables of symbols. The crate lists the libraries once. In a library that was
//! opened later, the system finds the exported functions.

use backtrace::SymbolName;
use std::collections::HashMap;
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

/// The names of frames, kept once they are found.
#[derive(Default)]
pub(super) struct Names(HashMap<usize, Vec<String>>);

impl Names {
    /// The names of a stack's frames, the innermost first. A frame has several if functions are
    /// inlined in it.
    pub(super) fn of_all(&mut self, frames: &[usize]) -> Vec<String> {
        frames.iter().flat_map(|&frame| self.of(frame)).collect()
    }

    fn of(&mut self, frame: usize) -> Vec<String> {
        self.0.entry(frame).or_insert_with(|| names_of(frame)).clone()
    }
}

fn names_of(frame: usize) -> Vec<String> {
    // A frame is the address that the call returns to: the call itself ends one byte before.
    let call = ptr::without_provenance_mut(frame - 1);
    let mut names = Vec::new();
    backtrace::resolve(call, |symbol| {
        if let Some(name) = symbol.name() {
            let line = symbol.lineno().zip(symbol.filename());
            let name = shown(&name);
            names.push(match line {
                Some((line, path)) => format!("{name} ({}:{line})", file_name(path)),
                None => name,
            });
        }
    });
    let found = Found::at(call);
    if names.is_empty() {
        names.extend(found.as_ref().and_then(|found| found.name.clone()));
    }
    match (names.is_empty(), found) {
        (true, Some(Found { module, offset, .. })) => vec![format!("{module}+{offset:#x}")],
        (true, None) => vec![format!("{frame:#x}")],
        (false, Some(Found { module, .. })) => {
            // A name without a line says little without its library.
            let with_module = |name: String| match name.ends_with(')') && name.contains(" (") {
                true => name,
                false => format!("{name} ({module})"),
            };
            names.into_iter().map(with_module).collect()
        }
        (false, None) => names,
    }
}

/// A function's name as it is written. A C function may have the name of a C++ type's code, as `w`
/// is that of `wchar_t`. So only names of the two compilers' own forms are decoded.
fn shown(name: &SymbolName<'_>) -> String {
    match name.as_bytes() {
        [b'_', b'Z' | b'R', ..] => format!("{name:#}"),
        plain => String::from_utf8_lossy(plain).into_owned(),
    }
}

/// What the system knows of an address.
struct Found {
    /// The name of the file that holds the address.
    module: String,
    /// The distance from where the file is loaded.
    offset: usize,
    /// The name of the exported function.
    name: Option<String>,
}

impl Found {
    fn at(address: *mut libc::c_void) -> Option<Self> {
        // SAFETY: zeroes are a value of it.
        let mut found: libc::Dl_info = unsafe { core::mem::zeroed() };
        // SAFETY: a place for the answer.
        if unsafe { libc::dladdr(address, &mut found) } == 0 {
            return None;
        }
        let text = |name: *const libc::c_char| {
            // SAFETY: a name in the answer is a C string, or null.
            (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_bytes())
        };
        Some(Self {
            module: file_name(Path::new(OsStr::from_bytes(text(found.dli_fname)?))),
            offset: address.addr() - found.dli_fbase.addr(),
            name: text(found.dli_sname).map(|name| shown(&SymbolName::new(name))),
        })
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The name of the running program.
pub(super) fn program() -> String {
    let path = std::env::current_exe().unwrap_or_else(|_| "?".into());
    file_name(&path)
}
