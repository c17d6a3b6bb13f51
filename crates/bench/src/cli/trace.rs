//! The options of `trace`, for a program that is not ours.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::values;

/// Which program is traced or compared, and where the figures go besides.
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// How often --compare runs the program in each of the two ways (3 to 1000): 10 by default
    #[arg(long, value_name = "N", value_parser = values::runs)]
    pub(crate) rounds: Option<usize>,

    /// Write stacks to this file, for flame graphs; its name ends with .folded
    #[arg(long, value_name = "FILE", conflicts_with = "rounds", value_parser = values::folded)]
    pub(crate) folded: Option<PathBuf>,

    /// Trace the program with our lock in place of the C library's
    #[arg(long, conflicts_with_all = ["rounds"])]
    pub(crate) replaced: bool,

    /// The folder of libsiftlock_trace.so and libsiftlock_preload.so, in place of building them
    #[arg(long, value_name = "FOLDER")]
    pub(crate) libraries: Option<PathBuf>,

    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(crate) program: Vec<OsString>,
}
