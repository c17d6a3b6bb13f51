//! What a machine is: its processors, and what everything costs on it. Costs are in cycles.

/// A time, or a length of time.
pub type Cycles = u64;

/// A machine. To add one, write another [preset](crate::presets): nothing else knows machines by
/// name.
#[derive(Clone, Debug)]
pub struct Machine {
    /// What `--machine` calls it.
    pub name: &'static str,
    /// What it stands for, and which of its numbers were fitted on which table.
    pub about: &'static str,
    /// Cycles in a microsecond.
    pub mhz: u64,
    /// How its processors hang together.
    pub topology: Topology,
    /// What its memory costs.
    pub memory: Memory,
    /// What its operating system costs.
    pub system: System,
}

/// Sockets of clusters of cores of processors. A cluster's cores share a cache below the socket's.
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
    /// In two sockets with another between them.
    TwoHops,
}

/// What it costs to get a line from a core at some distance.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The other core has changed the line.
    pub dirty: Cycles,
    /// The other core has not changed the line, or a cache that both share has it.
    pub clean: Cycles,
}

/// What accesses to memory cost.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// A load or a store of a line that the core has.
    pub hit: Cycles,
    /// Of so many loads and stores of lines that the core has, only one costs `hit`: they overlap.
    pub overlap: u64,
    /// A read-modify-write of a line that the core has alone.
    pub rmw: Cycles,
    /// A full fence.
    pub fence: Cycles,
    /// A pause instruction.
    pub pause: Cycles,
    /// The ways to other cores, by [`Distance`].
    pub ways: [Way; 4],
    /// A line that no core has.
    pub dram: Cycles,
    /// The part of a way, in sixteenths, that passes after the cores before have had the line. The
    /// rest overlaps with the wait for them.
    pub serial: u64,
    /// How long a core keeps a line that others wait for, on average.
    pub keep: Cycles,
}

/// What the operating system does, and costs.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// A system call, there and back.
    pub call: Cycles,
    /// A look at the clock.
    pub clock: Cycles,
    /// A switch from one thread to another, or out of a thread, or into one.
    pub switch: Cycles,
    /// Waking a thread of the caller's socket, for the caller.
    pub wake_near: Cycles,
    /// Waking a thread of another socket, for the caller.
    pub wake_far: Cycles,
    /// What a wake-up costs the caller more if a processor is idle.
    pub kick: Cycles,
    /// From the wake-up until the idle processor that gets the thread notices.
    pub ipi: Cycles,
    /// How late a sleep with a limit ends by itself.
    pub late: Cycles,
    /// How long a thread runs while others wait for its processor.
    pub slice: Cycles,
    /// A woken thread preempts a thread that has run longer than it by more than this.
    pub granularity: Cycles,
    /// A fence in all threads, while no other thread runs.
    pub barrier: Cycles,
    /// What the fence costs more if another thread runs.
    pub barrier_busy: Cycles,
    /// What the fence costs more for each other thread that runs.
    pub barrier_each: Cycles,
    /// What the fence costs each other thread that runs.
    pub barrier_other: Cycles,
    /// An interrupt's way in, and its way out.
    pub interrupt: Cycles,
    /// How an idle processor sleeps, the lightest sleep first.
    pub idle: &'static [IdleState],
}

/// A state in which an idle processor waits.
#[derive(Clone, Copy, Debug)]
pub struct IdleState {
    /// The way out of this state.
    pub exit: Cycles,
    /// It is chosen where a sleep of at least so long is expected.
    pub residency: Cycles,
    /// Whether the core's other processors have to be idle as well.
    pub whole_core: bool,
}

/// Nanoseconds in which a processor on its way to sleep turns back.
pub(crate) const TURN_BACK_NANOS: u64 = 150;

impl Machine {
    /// Cycles in so many nanoseconds.
    #[must_use]
    pub const fn cycles(&self, nanos: u64) -> Cycles {
        cycles(self.mhz, nanos)
    }

    /// Nanoseconds in so many cycles.
    #[must_use]
    pub const fn nanos(&self, cycles: Cycles) -> u64 {
        (cycles as u128 * 1_000 / self.mhz as u128) as u64
    }

    /// The same machine with so many sockets, clusters in each, and so on.
    #[must_use]
    pub fn with_topology(mut self, topology: Topology) -> Self {
        self.topology = topology;
        self
    }

    /// The same machine with idle processors that never sleep deeply.
    #[must_use]
    pub fn without_idle_states(mut self) -> Self {
        self.system.idle = &self.system.idle[..self.system.idle.len().min(1)];
        self
    }
}

/// Cycles in so many nanoseconds.
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

    /// The core of a processor. The first processors are one of each core, as Linux numbers them.
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
    /// The way over a distance.
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
