//! The program under test.

use assert_cmd::Command;

/// `siftlock-bench` with these arguments.
pub(crate) fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_siftlock-bench"));
    command.args(arguments);
    command
}
