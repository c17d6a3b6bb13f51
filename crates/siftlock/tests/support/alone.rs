//! Tests that end their process: each has one of its own.

use std::env;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;

/// Defines tests, each of which ends its process by `abort`, with a message.
macro_rules! ends {
    ($($(#[$meta:meta])* fn $name:ident() says $says:expr; $body:block)*) => {$(
        $(#[$meta])*
        #[test]
        fn $name() {
            let (status, said) = $crate::alone::alone(module_path!(), stringify!($name), || $body);
            assert_eq!(status, Some(libc::SIGABRT), "{said}");
            for word in $says {
                assert!(said.contains(word), "{word:?} is not in: {said}");
            }
        }
    )*};
}
pub(crate) use ends;

/// Runs `body` in a process of its own, which runs the test once more. Returns the signal that
/// ended the process, and its output.
pub(crate) fn alone(module: &str, name: &str, body: impl FnOnce()) -> (Option<i32>, String) {
    const MARK: &str = "SIFTLOCK_TEST_ALONE";
    if env::var_os(MARK).is_some() {
        // SAFETY: if it hangs, the system ends it.
        unsafe { libc::alarm(60) };
        body();
        std::process::exit(0);
    }
    let test = format!("{module}::{name}");
    let test = test.split_once("::").map_or("", |(_crate, test)| test);
    let output = Command::new(env::current_exe().expect("the tests' own program"))
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(MARK, "1")
        .output()
        .expect("a process for the test");
    (output.status.signal(), String::from_utf8_lossy(&output.stderr).into_owned())
}
