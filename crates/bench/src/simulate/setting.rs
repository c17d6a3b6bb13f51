//! The machine that was asked for, and its description.

use serde_json::{Value, json};
use siftlock_sim::machine::Topology;
use siftlock_sim::{Machine, presets};

use crate::cli::{SimulateArgs, Simulated, Switch, name_of};
use crate::error::Error;
use crate::report::program;

/// Four sockets of 16 cores.
const SIXTY_FOUR: Topology = Topology { sockets: 4, clusters: 1, cores: 16, threads: 1 };

/// A machine, and how it differs from the preset of its name.
pub(super) struct Setting {
    pub(super) machine: Machine,
    /// Whether the topology is the preset's.
    has_own_topology: bool,
    idle: Switch,
}

impl Setting {
    /// The machine of the command line, or the experiment's default.
    pub(super) fn of(args: &SimulateArgs) -> Result<Self, Error> {
        let (usual, topology) = match args.experiment {
            Simulated::Delays => ("harpertown", None),
            Simulated::Sifting => ("ivb-ex", args.machine.is_none().then_some(SIXTY_FOUR)),
            _ => ("amd-2", None),
        };
        let name = args.machine.as_deref().unwrap_or(usual);
        let own = presets::named(name)
            .ok_or_else(|| Error::Simulation(format!("there is no machine {name}")))?;
        let topology = args.topology.or(topology).unwrap_or(own.topology);
        let has_own_topology = shape(&topology) == shape(&own.topology);
        let machine = own.with_topology(topology);
        check(args.experiment, &machine)?;
        let idle = args.idle.unwrap_or(Switch::On);
        let machine = if idle == Switch::Off { machine.without_idle_states() } else { machine };
        Ok(Self { machine, has_own_topology, idle })
    }

    /// The head above the tables.
    pub(super) fn head(&self) -> String {
        let Machine { name, about, topology, .. } = &self.machine;
        // The description tells the topology and the idle states of the preset.
        let is_as_described = self.has_own_topology && self.idle == Switch::On;
        let machine = match is_as_described {
            true => format!("{name}: {about}"),
            false => format!("the costs of {name}"),
        };
        let idle = match self.idle {
            Switch::On => "processors sleep as deeply as the machine's do",
            Switch::Off => "processors always sleep lightly",
        };
        let (shape, processors) = (shape(topology), topology.processors());
        format!(
            "machine  {machine}\ntopology {shape}, {processors} processors\nidle     {idle}\n\
             program  {}",
            program()
        )
    }

    /// The machine, for the file of results.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "simulated": self.machine.name,
            "topology": shape(&self.machine.topology),
            "processors": self.machine.topology.processors(),
            "idle": name_of(&self.idle),
        })
    }
}

/// Refuses a machine with too few processors.
fn check(experiment: Simulated, machine: &Machine) -> Result<(), Error> {
    let (needs, has) = (needs(experiment), machine.topology.processors());
    if has >= needs {
        return Ok(());
    }
    let (experiment, topology) = (name_of(&experiment), shape(&machine.topology));
    Err(Error::TooFewProcessors { experiment, machine: machine.name, topology, needs, has })
}

/// How many processors an experiment names.
const fn needs(experiment: Simulated) -> usize {
    match experiment {
        Simulated::Delays => 8,
        // A writer and up to 48 readers.
        Simulated::Sifting => 49,
        _ => 1,
    }
}

/// A topology as the command line has it.
pub(super) fn shape(topology: &Topology) -> String {
    let Topology { sockets, clusters, cores, threads } = topology;
    match clusters {
        1 => format!("{sockets}x{cores}x{threads}"),
        _ => format!("{sockets}x{clusters}x{cores}x{threads}"),
    }
}
