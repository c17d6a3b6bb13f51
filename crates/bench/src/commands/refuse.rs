//! Refuses options that a measured experiment would ignore.

use crate::cli::{Cli, Command, ReadersArgs};
use crate::error::Error;
use crate::experiments::{Hold, Mix};
use crate::subjects::{Role, Subject};

/// An option of an experiment, and why it has none of it.
type Ignored = (&'static str, String, &'static str);

const NO_READS: &str = "nobody reads there, so no reads can begin together";
const NO_FLOORS: &str = "a floor does not exclude, and these sections need a lock; leave it out";
const OWN_SUBJECTS: &str = "it measures forms of our lock alone; leave it out";
const NO_PRESSURE: &str = "it measures ratios and single calls; leave it out";
const NO_RATES: &str = "--compare has rates of sections, cycles of a pair and times of a wake-up, \
                        and none of these is measured here; leave it out";

/// An error for the first option that the experiment would ignore.
pub(super) fn refuse(cli: &Cli) -> Result<(), Error> {
    match cli.command.as_ref().and_then(|command| ignored(command, cli)) {
        None => Ok(()),
        Some((command, option, instead)) => Err(Error::NoSuchOption {
            command: command.to_owned(),
            option,
            instead: instead.into(),
        }),
    }
}

fn ignored(command: &Command, cli: &Cli) -> Option<Ignored> {
    let none = |command, is_given: bool, option: &str, why| {
        is_given.then(|| (command, option.to_owned(), why))
    };
    let compared = |command| none(command, cli.compare.is_some(), "--compare", NO_RATES);
    match command {
        Command::Mixed { mix, together, .. } => {
            none("mixed --mix writers", *together && *mix == Mix::Writers, "--together", NO_READS)
        }
        Command::Mail { .. } => floor("mail", cli),
        Command::Holds { holds, together, .. } => {
            let asleep = !holds.is_empty() && holds.iter().all(|hold| *hold == Hold::Sleep);
            none("holds --holds sleep", *together && asleep, "--together", NO_READS)
                .or_else(|| floor("holds", cli))
        }
        Command::Wakeups { point } => {
            none("wakeups", point.load.is_some(), "--load", "its sections are empty; leave it out")
                .or_else(|| floor("wakeups", cli))
        }
        Command::Readers { readers: ReadersArgs { price: true, .. } } => {
            let named = !cli.subjects.is_empty();
            none("readers --price", named, "--subjects", OWN_SUBJECTS)
                .or_else(|| none("readers --price", cli.pressure, "--pressure", NO_PRESSURE))
        }
        #[cfg(target_os = "linux")]
        Command::Readers { readers: ReadersArgs { revoke: true, .. } } => {
            let revoke = "readers --revoke";
            none(revoke, !cli.subjects.is_empty(), "--subjects", OWN_SUBJECTS)
                .or_else(|| none(revoke, cli.pin, "--pin", "it binds no thread; leave it out"))
                .or_else(|| none(revoke, cli.pressure, "--pressure", NO_PRESSURE))
                .or_else(|| compared(revoke))
        }
        #[cfg(target_os = "linux")]
        Command::Latency { .. } => compared("latency"),
        #[cfg(target_os = "linux")]
        Command::Delays { .. } => compared("delays"),
        _ => None,
    }
}

/// The first floor that was named, for an experiment that measures none.
fn floor(command: &'static str, cli: &Cli) -> Option<Ignored> {
    let floor = cli.subjects.iter().find(|subject| subject.role() == Role::Floor);
    let floor = floor.copied().map(Subject::name)?;
    Some((command, format!("--subjects {floor}"), NO_FLOORS))
}
