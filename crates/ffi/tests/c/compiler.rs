//! The system's compilers for C and C++.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

/// A language, as the ending of a file's name tells it.
#[derive(Clone, Copy, PartialEq)]
enum Language {
    C,
    Cpp,
}

impl Language {
    fn of(source: &Path) -> Self {
        if source.extension().is_some_and(|end| end == "cpp") { Self::Cpp } else { Self::C }
    }

    fn compiler(self) -> OsString {
        let (variable, usual) = match self {
            Self::C => ("CC", "cc"),
            Self::Cpp => ("CXX", "c++"),
        };
        env::var_os(variable).unwrap_or_else(|| usual.into())
    }

    /// Flags that ask for warnings, and turn them into errors.
    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::C => &["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread"],
            Self::Cpp => &["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread"],
        }
    }
}

/// The compiler for this file's language, with strict flags. The caller adds its other arguments.
pub(crate) fn compile(source: &Path) -> Command {
    let language = Language::of(source);
    let mut command = Command::new(language.compiler());
    // -g1: sanitizers need only lines, and debug information about variables takes a quarter of the
    // time.
    command.args(language.flags()).args(["-O1", "-g1"]).arg(source);
    command
}

/// Runs a command, and fails with its error output.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| {
        panic!(
            "{:?}: {error}. The tests of the C interface need compilers for C and C++: install gcc and \
             g++, or say by CC and CXX which to use",
            command.get_program()
        )
    });
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    output
}

/// A checker that the compiler builds into a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sanitizer {
    Thread,
    AddressAndUndefined,
}

impl Sanitizer {
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Thread => &["-fsanitize=thread"],
            Self::AddressAndUndefined => {
                &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
            }
        }
    }

    /// Whether the compiler has this sanitizer, and programs with it start here.
    pub(crate) fn is_there(self) -> bool {
        static THERE: [OnceLock<bool>; 2] = [const { OnceLock::new() }; 2];
        *THERE[self as usize].get_or_init(|| {
            let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
            let (source, program) =
                (dir.join(format!("{self:?}.c")), dir.join(format!("{self:?}")));
            std::fs::write(&source, "int main(void) { return 0; }\n").expect("a place for it");
            let mut compiler = compile(&source);
            let compiled = compiler.args(self.flags()).arg("-o").arg(&program).output();
            let succeeds = |output: Output| output.status.success();
            compiled.is_ok_and(succeeds) && Command::new(&program).output().is_ok_and(succeeds)
        })
    }
}
