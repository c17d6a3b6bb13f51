//! The settings, which are environment variables.

use core::ffi::CStr;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Where reports go: places with colons between them. `1` is the standard error, `0` is no place,
/// any other text is a file.
const REPORT: &CStr = c"SIFTLOCK_REPORT";
/// The signal at which a report is made: a name such as `USR1`, or a number.
const SIGNAL: &CStr = c"SIFTLOCK_REPORT_SIGNAL";

/// Where a report goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Output {
    Stderr,
    File(PathBuf),
}

/// Whether the user asks for a report. Allocates nothing.
pub(crate) fn asks_for_report() -> bool {
    variable(REPORT).is_some_and(|places| places.split(is_colon).any(is_place))
}

/// Where reports go. The places are separated by colons, like the folders in `PATH`.
pub(crate) fn outputs() -> Vec<Output> {
    let places =
        variable(REPORT).unwrap_or_default().split(is_colon).filter(|place| is_place(place));
    let output = |place: &'static [u8]| match place {
        b"1" => Output::Stderr,
        path => Output::File(PathBuf::from(OsStr::from_bytes(path))),
    };
    places.map(output).collect()
}

fn is_colon(byte: &u8) -> bool {
    *byte == b':'
}

fn is_place(place: &[u8]) -> bool {
    !place.is_empty() && place != b"0"
}

/// The signal at which a report is made, if the user asks for one.
///
/// # Errors
/// A text for the user, if the variable names no signal that can be handled.
pub(crate) fn signal() -> Result<Option<libc::c_int>, String> {
    let Some(asked) = variable(SIGNAL).filter(|asked| !asked.is_empty()) else { return Ok(None) };
    let asked = String::from_utf8_lossy(asked);
    let name = asked.to_ascii_uppercase();
    let name = name.strip_prefix("SIG").unwrap_or(&name);
    let named = NAMES.iter().find(|(known, _)| *known == name).map(|&(_, signal)| signal);
    let number = name.parse().ok().filter(|number| (1..=libc::SIGRTMAX()).contains(number));
    let forbidden = [libc::SIGKILL, libc::SIGSTOP];
    let signal = named.or(number).filter(|signal| !forbidden.contains(signal));
    signal.map(Some).ok_or_else(|| {
        let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
        format!("SIFTLOCK_REPORT_SIGNAL={asked} is no signal that can be handled: use one of {}, or a number", names.join(", "))
    })
}

const NAMES: [(&str, libc::c_int); 7] = [
    ("USR1", libc::SIGUSR1),
    ("USR2", libc::SIGUSR2),
    ("HUP", libc::SIGHUP),
    ("QUIT", libc::SIGQUIT),
    ("ALRM", libc::SIGALRM),
    ("PROF", libc::SIGPROF),
    ("WINCH", libc::SIGWINCH),
];

/// The value of a variable. `std`'s function would take a lock and allocate; `getenv` does neither.
fn variable(name: &CStr) -> Option<&'static [u8]> {
    // SAFETY: the name is a C string, and so is the answer. The answer stays valid until the
    // program changes the variable; the callers read or copy it at once.
    unsafe {
        let value = libc::getenv(name.as_ptr());
        (!value.is_null()).then(|| CStr::from_ptr(value).to_bytes())
    }
}
