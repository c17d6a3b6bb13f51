//! What was asked for, carried out.

use serde_json::{Map, Value, json};
use siftlock_sim::machine::Topology;
use siftlock_sim::{Machine, presets};

use super::scene::{Pace, Scene};
use super::study::{Figures, Study};
use super::subjects::Subject;
use super::table::{self, Cell};
use super::{counts, published, sifting};
use crate::cli::{Cli, SimulateArgs, Simulated, Switch};
use crate::error::Error;
use crate::report::{JsonFile, Steps, say};

/// Nanoseconds that a reading of the time stamp takes: the real experiments make one before and one
/// inside.
const READING: u64 = 23;

/// Does what the command line asks for.
pub(crate) fn execute(args: &SimulateArgs, cli: &Cli) -> Result<(), Error> {
    refuse(args, cli)?;
    let file = cli.json.as_deref().map(JsonFile::open).transpose()?;
    match args.experiment {
        Simulated::Counts => {
            say(&counts::all().map_err(Error::Simulation)?);
            Ok(())
        }
        Simulated::List => {
            for machine in presets::all() {
                say(&format!("{:12} {}", machine.name, machine.about));
            }
            Ok(())
        }
        Simulated::Delays | Simulated::Sifting => contexts(args).map_err(Error::Simulation),
        Simulated::Published => published::show(&args.seed).map_err(Error::Simulation),
        _ => {
            let rows = compare(args).map_err(Error::Simulation)?;
            file.map_or(Ok(()), |file| file.write(&rows))
        }
    }
}

/// What would be passed over in silence.
fn refuse(args: &SimulateArgs, cli: &Cli) -> Result<(), Error> {
    use Simulated::{Counts, Delays, List, Published, Sifting};
    let refused = |option, instead| Err(Error::NotSimulated { option, instead });
    let prints_only = matches!(args.experiment, Counts | Delays | List | Published | Sifting);
    if !cli.subjects.is_empty() {
        return refused("--subjects", "name simulated locks by --locks");
    }
    if cli.pin || cli.pressure || cli.published {
        return refused(
            "--pin, --pressure or --published",
            "see `simulate published` for the sources' tables",
        );
    }
    if prints_only && cli.json.is_some() {
        return refused("--json", "these tables are printed only");
    }
    Ok(())
}

/// One table for each number of threads. Returns every run.
fn compare(args: &SimulateArgs) -> Result<Value, String> {
    let machine = machine(args)?;
    let (scene, pace, locks, millis) = plan(args);
    let locks = if args.locks.is_empty() { locks.to_vec() } else { args.locks.clone() };
    let numbers = threads(args, &machine);
    let steps = Steps::of(numbers.len() * locks.len());
    let mut rows = Vec::new();
    steps.say(&format!("Simulated: {}, {}", machine.name, machine.about));
    for threads in numbers {
        let study = Study {
            machine: machine.clone(),
            scene,
            pace,
            threads,
            placement: args.placement,
            nanos: args.ms.unwrap_or(millis) * 1_000_000,
            seed: None,
        };
        let title = format!("{:?}, {threads} threads", args.experiment);
        let mut cells: Vec<(String, Cell)> = Vec::new();
        for &lock in &locks {
            steps.begin(format!("{title}, {}", lock.name()));
            let runs = study.of_seeds(lock, &args.seed)?;
            let seeds = args.seed.iter().zip(&runs);
            rows.extend(seeds.map(|(seed, run)| row(args, &study, &lock.name(), *seed, run)));
            cells.push((lock.name(), runs));
            steps.end();
        }
        steps.say(&table::of(&title, &cells));
    }
    Ok(Value::Array(rows))
}

/// A run, for the file of results.
fn row(args: &SimulateArgs, study: &Study, lock: &str, seed: u64, run: &Figures) -> Value {
    let counts: Map<String, Value> =
        run.counts.all().map(|(name, count)| (name.to_owned(), count.into())).collect();
    json!({
        "experiment": format!("{:?}", args.experiment).to_lowercase(),
        "machine": study.machine.name,
        "processors": study.machine.topology.processors(),
        "lock": lock,
        "threads": study.threads,
        "seed": seed,
        "nanoseconds": study.nanos,
        "operations": run.done,
        "operations/s": run.rate,
        "writes": run.writes,
        "counts": counts,
        "idle": run.idle,
        "longest wait ns": run.longest,
        "hash": format!("{:016x}", run.hash),
    })
}

/// The tables of the locks that handlers may read, one for each seed.
fn contexts(args: &SimulateArgs) -> Result<(), String> {
    let machine = machine(args)?;
    let nanos = args.ms.unwrap_or(50) * 1_000_000;
    for &seed in &args.seed {
        say(&match args.experiment {
            Simulated::Delays => sifting::delays_table(&machine, nanos, seed)?,
            _ => sifting::sifting_table(&machine, nanos, seed)?,
        });
    }
    Ok(())
}

/// Four sockets of 16 cores.
const SIXTY_FOUR: [usize; 3] = [4, 16, 1];

fn machine(args: &SimulateArgs) -> Result<Machine, String> {
    let (usual, topology) = match args.experiment {
        Simulated::Delays => ("harpertown", None),
        Simulated::Sifting => ("ivb-ex", args.machine.is_none().then_some(SIXTY_FOUR)),
        _ => ("amd-2", None),
    };
    let name = args.machine.as_deref().unwrap_or(usual);
    let machine = presets::named(name)
        .ok_or_else(|| format!("no machine {name}; `simulate list` shows them"))?;
    let machine = match args.topology.or(topology) {
        Some([sockets, cores, threads]) => {
            machine.with_topology(Topology { sockets, clusters: 1, cores, threads })
        }
        None => machine,
    };
    Ok(if args.idle == Switch::Off { machine.without_idle_states() } else { machine })
}

/// 1, 2, 4 … up to the processors, and twice as many; at least 16.
fn threads(args: &SimulateArgs, machine: &Machine) -> Vec<usize> {
    if !args.threads.is_empty() {
        return args.threads.clone();
    }
    let most = (machine.topology.processors() * 2).max(16);
    std::iter::successors(Some(2), |threads| Some(threads * 2))
        .take_while(|&it| it <= most)
        .collect()
}

/// What is usual for an experiment: its threads, its times, its locks, and its milliseconds.
fn plan(args: &SimulateArgs) -> (Scene, Pace, &'static [Subject], u64) {
    use Subject::{
        KernelCasFirst, KernelLoadFirst, Limit, Mutex, Psrw, Rwsem, RwsemCasFirst, RwsemCounted,
        RwsemLoadFirst, StandardRwlock,
    };
    const USUAL: &[Subject] = &[Rwsem, RwsemCounted, Psrw, Mutex, Limit];
    const READERS: &[Subject] = &[Rwsem, RwsemCounted, Psrw, StandardRwlock, Mutex, Limit];
    const TRYLOCK: &[Subject] =
        &[RwsemLoadFirst, RwsemCasFirst, KernelLoadFirst, KernelCasFirst, Limit];
    let writes = args.write_share;
    let load = |usual| args.load.unwrap_or(usual);
    let short = Pace { load: load(0), hold: 0, gap: 1 };
    match args.experiment {
        Simulated::Uncontended => (Scene::Uncontended { writes }, short, USUAL, 1),
        Simulated::Trylock => {
            (Scene::TryLock, Pace { load: load(10), hold: 0, gap: 5 }, TRYLOCK, 5)
        }
        Simulated::Mail => (Scene::Mail, Pace { load: load(0), hold: 85, gap: 2_000 }, USUAL, 100),
        Simulated::Readers => (Scene::Readers { writes }, short, READERS, 10),
        _ => {
            let scene = if args.each { Scene::Each } else { Scene::Dedicated };
            (scene, Pace { load: load(10), hold: READING, gap: READING }, USUAL, 100)
        }
    }
}
