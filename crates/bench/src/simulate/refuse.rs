//! Refuses options that an experiment would ignore.

use crate::cli::{Cli, SimulateArgs, Simulated, name_of};
use crate::error::Error;

/// An option, whether it was given, and the experiments that take it.
struct Choice {
    option: &'static str,
    is_given: fn(&SimulateArgs, &Cli) -> bool,
    experiments: &'static [Simulated],
}

/// The experiments that compare locks.
const COMPARED: &[Simulated] = {
    use Simulated::{Mail, Mixed, Readers, Trylock, Uncontended};
    &[Uncontended, Trylock, Mixed, Mail, Readers]
};
/// The experiments that run for a while on a machine of the user's choice.
const TIMED: &[Simulated] = {
    use Simulated::{Delays, Mail, Mixed, Plane, Readers, Sifting, Trylock, Uncontended};
    &[Uncontended, Trylock, Mixed, Mail, Readers, Plane, Delays, Sifting]
};
/// [`COMPARED`] and the plane: the experiments that place threads on processors.
const PLACED: &[Simulated] = {
    use Simulated::{Mail, Mixed, Plane, Readers, Trylock, Uncontended};
    &[Uncontended, Trylock, Mixed, Mail, Readers, Plane]
};
/// The experiments with disorder.
const SEEDED: &[Simulated] = {
    use Simulated::{
        Delays, Mail, Mixed, Plane, Published, Readers, Sifting, Trylock, Uncontended,
    };
    &[Uncontended, Trylock, Mixed, Mail, Readers, Plane, Delays, Sifting, Published]
};

const CHOICES: [Choice; 14] = [
    Choice { option: "--machine", is_given: |args, _| args.machine.is_some(), experiments: TIMED },
    Choice {
        option: "--topology",
        is_given: |args, _| args.topology.is_some(),
        experiments: TIMED,
    },
    Choice { option: "--idle", is_given: |args, _| args.idle.is_some(), experiments: TIMED },
    Choice { option: "--ms", is_given: |args, _| args.ms.is_some(), experiments: TIMED },
    Choice { option: "--seed", is_given: |args, _| !args.seed.is_empty(), experiments: SEEDED },
    Choice {
        option: "--placement",
        is_given: |args, _| args.placement.is_some(),
        experiments: PLACED,
    },
    Choice { option: "--locks", is_given: |args, _| !args.locks.is_empty(), experiments: COMPARED },
    Choice {
        option: "--threads",
        is_given: |args, _| !args.threads.is_empty(),
        experiments: PLACED,
    },
    Choice { option: "--load", is_given: |args, _| args.load.is_some(), experiments: COMPARED },
    Choice {
        option: "--write-share",
        is_given: |args, _| args.write_share.is_some(),
        experiments: &[Simulated::Uncontended, Simulated::Readers, Simulated::Plane],
    },
    Choice {
        option: "--hold",
        is_given: |args, _| args.hold.is_some(),
        experiments: &[Simulated::Readers, Simulated::Plane],
    },
    Choice {
        option: "--gap",
        is_given: |args, _| args.gap.is_some(),
        experiments: &[Simulated::Readers, Simulated::Plane],
    },
    Choice { option: "--each", is_given: |args, _| args.each, experiments: &[Simulated::Mixed] },
    Choice { option: "--json", is_given: |_, cli| cli.json.is_some(), experiments: COMPARED },
];

/// An error for the first option that the experiment would ignore.
pub(super) fn refuse(args: &SimulateArgs, cli: &Cli) -> Result<(), Error> {
    let experiment = args.experiment;
    let refused = |option: &str, instead| {
        let command = format!("simulate {}", name_of(&experiment));
        Err(Error::NoSuchOption { command, option: option.to_owned(), instead })
    };
    if let Some((option, instead)) = measured_only(args) {
        return refused(option, instead.to_owned());
    }
    for choice in &CHOICES {
        if (choice.is_given)(args, cli) && !choice.experiments.contains(&experiment) {
            return refused(choice.option, instead(experiment, choice));
        }
    }
    let without_tries = args.locks.iter().find(|lock| !lock.tries());
    match without_tries.filter(|_| experiment == Simulated::Trylock) {
        Some(lock) => {
            let instead = "that lock has no try-read; leave it out".to_owned();
            refused(&format!("--locks {}", lock.name()), instead)
        }
        None => Ok(()),
    }
}

/// The first given option that only measured experiments have, and what to use instead.
fn measured_only(args: &SimulateArgs) -> Option<(&'static str, &'static str)> {
    let measured = &args.measured;
    [
        (
            !measured.subjects.is_empty(),
            "--subjects",
            "name simulated locks by --locks; see --list",
        ),
        (measured.pin, "--pin", "--placement says where simulated threads begin"),
        (measured.no_pin, "--no-pin", "--placement says where simulated threads begin"),
        (
            measured.pressure,
            "--pressure",
            "the tables have the longest wait and the slowest thread",
        ),
        (
            measured.compare.is_some(),
            "--compare",
            "equal seeds give equal files, so any program that compares texts will do",
        ),
        (measured.published, "--published", "the sources' tables are in `simulate published`"),
    ]
    .into_iter()
    .find_map(|(is_given, option, instead)| is_given.then_some((option, instead)))
}

/// The options that the experiment takes, and the experiments that take the option.
fn instead(experiment: Simulated, choice: &Choice) -> String {
    let taken = CHOICES.iter().filter(|it| it.experiments.contains(&experiment));
    let taken = listed(taken.map(|it| it.option.to_owned()));
    let taken = if taken.is_empty() { "no options".to_owned() } else { taken };
    let takers = listed(choice.experiments.iter().map(name_of));
    format!("it takes {taken}; {} is for {takers}", choice.option)
}

/// `a, b and c`.
fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
