//! Carries out the command `simulate`.

use clap::ValueEnum;
use siftlock_sim::presets;

use super::plan::{self, Plan};
use super::refuse::refuse;
use super::rows::Rows;
use super::runs::{by_seed, failed};
use super::setting::{Setting, shape};
use super::subjects::Subject;
use super::table::{self, Cell};
use super::{counts, plane, published, sifting};
use crate::cli::{Cli, SimulateArgs, Simulated, name_of};
use crate::error::Error;
use crate::report::{JsonFile, Steps, say};

/// Milliseconds of a test of the locks that handlers may read.
const CONTEXTS_MILLIS: u64 = 50;

/// Carries out the command.
pub(crate) fn execute(args: &SimulateArgs, cli: &Cli) -> Result<(), Error> {
    if args.list {
        list_locks();
        return Ok(());
    }
    refuse(args, cli)?;
    match args.experiment {
        Simulated::Counts => {
            say(&counts::all().map_err(Error::Simulation)?);
            Ok(())
        }
        Simulated::List => {
            list_machines();
            Ok(())
        }
        Simulated::Delays | Simulated::Sifting => contexts(args),
        Simulated::Plane => plane::show(args),
        Simulated::Published => published::show(&plan::seeds(args)),
        Simulated::Uncontended
        | Simulated::Trylock
        | Simulated::Mixed
        | Simulated::Mail
        | Simulated::Readers => compare(args, cli),
    }
}

fn list_locks() {
    for lock in Subject::value_variants() {
        let about = lock.to_possible_value().and_then(|value| value.get_help().cloned());
        say(&format!("{:18} {}", lock.name(), about.unwrap_or_default()));
    }
}

fn list_machines() {
    for machine in presets::all() {
        say(&format!("{:12} {:8} {}", machine.name, shape(&machine.topology), machine.about));
    }
}

/// Runs, shows and writes a comparison. If a run fails, the runs before it are written all the
/// same.
fn compare(args: &SimulateArgs, cli: &Cli) -> Result<(), Error> {
    let setting = Setting::of(args)?;
    let plan = Plan::of(args, &setting.machine);
    let file = cli.json.as_deref().map(JsonFile::open).transpose()?;
    say(&format!("{}\n{}", setting.head(), plan.head()));
    let mut rows = Rows::default();
    let outcome = tables(&setting, &plan, &mut rows);
    keep(file, rows, &setting, &plan, outcome)
}

/// Writes the runs so far, and passes the outcome on.
fn keep(
    file: Option<JsonFile>,
    rows: Rows,
    setting: &Setting,
    plan: &Plan,
    outcome: Result<(), Error>,
) -> Result<(), Error> {
    let written = match file {
        Some(file) if !rows.is_empty() => {
            file.write(&rows.document(setting, plan, outcome.as_ref().err()))
        }
        _ => Ok(()),
    };
    outcome.and(written)
}

/// One table for each number of threads.
fn tables(setting: &Setting, plan: &Plan, rows: &mut Rows) -> Result<(), Error> {
    let steps = Steps::of(plan.threads.len() * plan.locks.len());
    for &threads in &plan.threads {
        let study = plan.study(&setting.machine, threads);
        let title = plan.title(threads);
        let mut cells: Vec<(String, Cell)> = Vec::new();
        for &lock in &plan.locks {
            let name = lock.name();
            steps.begin(format!("{title}, {name}"));
            let look = |seed, run: &_| rows.add(&name, threads, seed, run);
            let runs = by_seed(&study, lock, &plan.seeds, look)?;
            cells.push((name, runs));
            steps.end();
        }
        steps.say(&table::of(&title, &cells));
    }
    Ok(())
}

/// The tables of the locks that handlers may read, for each seed.
fn contexts(args: &SimulateArgs) -> Result<(), Error> {
    let setting = Setting::of(args)?;
    let (seeds, millis) = (plan::seeds(args), args.ms.unwrap_or(CONTEXTS_MILLIS));
    let (name, nanos) = (name_of(&args.experiment), millis * 1_000_000);
    let joined = plan::joined(&seeds);
    say(&format!("{}\nrun      {name}, {millis} ms a test\nseeds    {joined}", setting.head()));
    let steps = Steps::of(seeds.len());
    for seed in seeds {
        steps.begin(format!("{name}, seed {seed}"));
        let table = match args.experiment {
            Simulated::Delays => sifting::delays_table(&setting.machine, nanos, seed),
            _ => sifting::sifting_table(&setting.machine, nanos, seed),
        };
        let run = || format!("{name}, {}, seed {seed}", setting.machine.name);
        let table = table.map_err(|why| failed(&run(), &why))?;
        steps.say(&format!("\nSeed {seed}{table}"));
        steps.end();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Command;

    #[test]
    fn request_that_fails_keeps_the_runs_before() {
        let line = "siftlock-bench simulate mixed --threads 1 --ms 1 --seed 1 --locks limit";
        let cli = Cli::try_parse_from(line.split(' ')).expect("a good line");
        let Some(Command::Simulate { simulate: args }) = &cli.command else { panic!("another") };
        let setting = Setting::of(args).expect("a machine");
        let plan = Plan::of(args, &setting.machine);
        let mut rows = Rows::default();
        tables(&setting, &plan, &mut rows).expect("a run");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.json");
        let file = JsonFile::open(&path).expect("a writable file");
        let outcome = keep(Some(file), rows, &setting, &plan, Err(failed("mutex", "stuck")));
        assert!(outcome.is_err_and(|error| error.to_string().contains("mutex: stuck")));
        let text = std::fs::read_to_string(&path).expect("a file");
        assert!(text.contains("mutex: stuck") && text.contains("operations_per_second"), "{text}");
    }
}
