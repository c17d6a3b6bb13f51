//! What was asked for, carried out.

use siftlock_sim::machine::Topology;
use siftlock_sim::{Machine, presets};

use super::scene::{Pace, Scene};
use super::study::Study;
use super::subjects::Subject;
use super::table::{self, Cell};
use super::{counts, published, sifting};
use crate::cli::{SimulateArgs, Simulated, Switch};
use crate::error::Error;
use crate::report::say;

/// Nanoseconds that a reading of the time stamp takes: the real experiments make one before and one inside.
const READING: u64 = 23;

/// Does what the command line asks for.
pub(crate) fn execute(args: &SimulateArgs) -> Result<(), Error> {
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
        _ => compare(args).map_err(Error::Simulation),
    }
}

/// One table for each number of threads.
fn compare(args: &SimulateArgs) -> Result<(), String> {
    let machine = machine(args)?;
    let (scene, pace, locks, millis) = plan(args);
    let locks = if args.locks.is_empty() { locks.to_vec() } else { args.locks.clone() };
    say(&format!("Simulated: {}, {}", machine.name, machine.about));
    for threads in threads(args, &machine) {
        let study = Study {
            machine: machine.clone(),
            scene,
            pace,
            threads,
            placement: args.placement,
            nanos: args.ms.unwrap_or(millis) * 1_000_000,
            seed: None,
        };
        let cells = locks.iter().map(|&lock| Ok((lock.name(), study.of_seeds(lock, &args.seed)?)));
        let cells: Vec<(String, Cell)> = cells.collect::<Result<_, String>>()?;
        say(&table::of(&format!("{:?}, {threads} threads", args.experiment), &cells));
    }
    Ok(())
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
