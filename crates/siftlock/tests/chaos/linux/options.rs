//! The options of the command line.

use std::env;
use std::time::Duration;

/// Long enough to meet every call, short enough for every `cargo test`.
const BY_DEFAULT: Duration = Duration::from_secs(3);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Decides all choices of all threads.
    pub(crate) seed: u64,
    pub(crate) run_for: Duration,
    /// How many threads use the locks all the time, beside those that come and go.
    pub(crate) threads: usize,
    /// A call that takes longer than this is lost.
    pub(crate) patience: Duration,
}

pub(crate) enum Asked {
    Run(Options),
    /// The test runner lists tests, or wants others.
    Nothing,
}

pub(crate) const USAGE: &str = "\
cargo test --release -p siftlock --test chaos -- [--minutes M | --seconds S] [--seed N] \
[--threads N] [--patience SECONDS]";

/// Reads the options. `cargo test` gives each test binary a filter for names, or an option of the
/// standard test runner: that is no mistake.
pub(crate) fn options() -> Result<Asked, String> {
    let mut options = Options {
        seed: fastrand::u64(..) >> 32,
        run_for: BY_DEFAULT,
        threads: std::thread::available_parallelism().map_or(2, usize::from) * 2 + 4,
        patience: Duration::from_secs(60),
    };
    let (mut filtered, mut wanted) = (false, false);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            let text = arguments.next().ok_or(format!("{argument} needs a value"))?;
            text.parse::<f64>()
                .ok()
                .filter(|value| *value >= 0.0)
                .ok_or(format!("{argument}: {text}"))
        };
        match argument.as_str() {
            "--minutes" => options.run_for = Duration::from_secs_f64(60.0 * value()?),
            "--seconds" => options.run_for = Duration::from_secs_f64(value()?),
            "--seed" => options.seed = value()? as u64,
            "--threads" => options.threads = value()? as usize,
            "--patience" => options.patience = Duration::from_secs_f64(value()?),
            "--list" => {
                println!("chaos: test");
                return Ok(Asked::Nothing);
            }
            // A test runner's option that has a value.
            "--test-threads" | "--skip" | "--format" | "--color" | "--logfile" => {
                arguments.next();
            }
            option if option.starts_with('-') => {}
            filter => {
                filtered = true;
                wanted |= "chaos".contains(filter);
            }
        }
    }
    Ok(if filtered && !wanted { Asked::Nothing } else { Asked::Run(options) })
}
