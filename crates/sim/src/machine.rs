//! The description of a machine: its processors and its costs, in cycles.

/// A time, or a length of time.
pub type Cycles = u64;

/// A machine. To add one, write another [preset](crate::presets): nothing else knows machines by
/// name.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The machine's name on the command line (`--machine`).
    pub name: &'static str,
    /// The real machine that it stands for, and which of its numbers were fitted on which table.
    pub about: &'static str,
    /// The clock: cycles in a microsecond.
    pub mhz: u64,
    /// How its processors are connected.
    pub topology: Topology,
    /// The costs of its memory.
    pub memory: Memory,
    /// The costs of its operating system.
    pub system: System,
}

/// Sockets, made of clusters, made of cores, made of processors. A cluster's cores share a cache
/// below the socket's.
#[derive(Clone, Copy, Debug)]
pub struct Topology {
    /// Sockets in the machine.
    pub sockets: usize,
    /// Clusters in a socket.
    pub clusters: usize,
    /// Cores in a cluster.
    pub cores: usize,
    /// Processors in a core: they share all caches.
    pub threads: usize,
}

/// How far two cores are from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// In one cluster.
    Cluster,
    /// In one socket.
    Socket,
    /// In two sockets that a link joins.
    OneHop,
    /// In two sockets with another socket between them.
    TwoHops,
}

/// The cost of a line from a core at some distance.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The other core has changed the line.
    pub dirty: Cycles,
    /// The other core has not changed the line, or a cache that both cores share has it.
    pub clean: Cycles,
}

/// The costs of accesses to memory.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// A load or a store of a line that the core has.
    pub hit: Cycles,
    /// Only one of this many loads and stores of lines that the core has costs `hit`: they overlap.
    pub overlap: u64,
    /// A read-modify-write of a line that the core owns.
    pub rmw: Cycles,
    /// A full fence.
    pub fence: Cycles,
    /// A pause instruction.
    pub pause: Cycles,
    /// The ways to other cores, by [`Distance`].
    pub ways: [Way; 4],
    /// A line that no core has.
    pub dram: Cycles,
    /// The part of a way, in sixteenths, that begins only after the earlier cores have had the
    /// line. The rest overlaps with the wait for them.
    pub serial: u64,
    /// How long a core keeps a line that other cores wait for, on average.
    pub keep: Cycles,
}

/// The costs and the rules of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// A system call, in and out.
    pub call: Cycles,
    /// A look at the clock.
    pub clock: Cycles,
    /// A thread gives up its processor, or gets one. Where one thread preempts another, both
    /// together.
    pub switch: Cycles,
    /// The caller's cost of waking a thread of its own socket.
    pub wake_near: Cycles,
    /// The caller's cost of waking a thread of another socket.
    pub wake_far: Cycles,
    /// The caller's additional cost of a wake-up if a processor is idle.
    pub kick: Cycles,
    /// The time from a wake-up until the idle processor that gets the thread notices.
    pub ipi: Cycles,
    /// How late a sleep ends that nobody wakes before its limit.
    pub late: Cycles,
    /// How long a thread runs while other threads wait for its processor.
    pub slice: Cycles,
    /// A woken thread preempts the running thread if that has run longer by more than this.
    pub granularity: Cycles,
    /// A fence in all threads while no other thread runs.
    pub barrier: Cycles,
    /// The fence's additional cost if another thread runs.
    pub barrier_busy: Cycles,
    /// The fence's additional cost for each other thread that runs.
    pub barrier_each: Cycles,
    /// The delay of each other thread that runs.
    pub barrier_other: Cycles,
    /// An interrupt's way in, and also its way out.
    pub interrupt: Cycles,
    /// The states of an idle processor, the lightest sleep first.
    pub idle: &'static [IdleState],
}

/// A state in which an idle processor waits.
#[derive(Clone, Copy, Debug)]
pub struct IdleState {
    /// The time of the way out.
    pub exit: Cycles,
    /// A processor chooses the state if it expects a sleep of at least this length.
    pub residency: Cycles,
    /// Whether all of the core's processors have to be idle.
    pub whole_core: bool,
}

/// Nanoseconds that a processor on its way to sleep needs to turn back.
pub(crate) const TURN_BACK_NANOS: u64 = 150;

impl Machine {
    /// Converts nanoseconds to cycles of this machine.
    #[must_use]
    pub const fn cycles(&self, nanos: u64) -> Cycles {
        cycles(self.mhz, nanos)
    }

    /// Converts cycles of this machine to nanoseconds.
    #[must_use]
    pub const fn nanos(&self, cycles: Cycles) -> u64 {
        (cycles as u128 * 1_000 / self.mhz as u128) as u64
    }

    /// This machine with another topology.
    #[must_use]
    pub fn with_topology(mut self, topology: Topology) -> Self {
        self.topology = topology;
        self
    }

    /// This machine with the lightest idle state only.
    #[must_use]
    pub fn without_idle_states(mut self) -> Self {
        self.system.idle = &self.system.idle[..self.system.idle.len().min(1)];
        self
    }
}

/// Converts nanoseconds to cycles of a clock.
pub(crate) const fn cycles(mhz: u64, nanos: u64) -> Cycles {
    nanos.saturating_mul(mhz) / 1_000
}

impl Topology {
    /// How many processors there are.
    #[must_use]
    pub const fn processors(&self) -> usize {
        self.all_cores() * self.threads
    }

    /// How many cores there are.
    #[must_use]
    pub const fn all_cores(&self) -> usize {
        self.sockets * self.cores_a_socket()
    }

    const fn cores_a_socket(&self) -> usize {
        self.clusters * self.cores
    }

    /// The core of a processor. The first processors are in one core each, as Linux numbers them.
    #[must_use]
    pub const fn core_of(&self, processor: usize) -> usize {
        processor % self.all_cores()
    }

    /// The socket of a core.
    #[must_use]
    pub const fn socket_of(&self, core: usize) -> usize {
        core / self.cores_a_socket()
    }

    /// How far one core is from another.
    #[must_use]
    pub const fn distance(&self, a: usize, b: usize) -> Distance {
        if a / self.cores == b / self.cores {
            return Distance::Cluster;
        }
        match (self.socket_of(a) ^ self.socket_of(b)).count_ones() {
            0 => Distance::Socket,
            1 => Distance::OneHop,
            _ => Distance::TwoHops,
        }
    }
}

impl Memory {
    /// The costs of a way over this distance.
    #[must_use]
    pub const fn way(&self, distance: Distance) -> Way {
        self.ways[distance as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topology_tells_how_far_cores_are() {
        let topology = Topology { sockets: 4, clusters: 2, cores: 2, threads: 2 };
        assert_eq!((topology.processors(), topology.all_cores()), (32, 16));
        assert_eq!((topology.core_of(3), topology.core_of(16), topology.core_of(31)), (3, 0, 15));
        let far = [1, 2, 4, 8, 12].map(|core| topology.distance(0, core));
        use Distance::{Cluster, OneHop, Socket, TwoHops};
        assert_eq!(far, [Cluster, Socket, OneHop, OneHop, TwoHops]);
    }
}
