//! Names of functions, found by the crate `backtrace`: from debug information if there is some,
//! else from the tables of symbols.

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
            names.push(match line {
                Some((line, path)) => format!("{name:#} ({}:{line})", file_name(path)),
                None => format!("{name:#}"),
            });
        }
    });
    let module = module_of(call);
    match (names.is_empty(), module) {
        (true, Some((module, offset))) => vec![format!("{module}+{offset:#x}")],
        (true, None) => vec![format!("{frame:#x}")],
        (false, Some((module, _))) => {
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

/// The name of the file that holds an address, and the distance from where the file is loaded.
fn module_of(address: *mut libc::c_void) -> Option<(String, usize)> {
    // SAFETY: zeroes are a value of it.
    let mut found: libc::Dl_info = unsafe { core::mem::zeroed() };
    // SAFETY: a place for the answer. A name in the answer is a C string.
    unsafe {
        if libc::dladdr(address, &mut found) == 0 || found.dli_fname.is_null() {
            return None;
        }
        let path = Path::new(OsStr::from_bytes(CStr::from_ptr(found.dli_fname).to_bytes()));
        Some((file_name(path), address.addr() - found.dli_fbase.addr()))
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
