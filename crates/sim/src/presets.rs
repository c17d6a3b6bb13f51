//! Machines by name: the machines of the sources, and those on which the project was measured.

use crate::machine::{Cycles, IdleState, Machine, Memory, System, Topology, Way, cycles};

/// The machine of this name.
#[must_use]
pub fn named(name: &str) -> Option<Machine> {
    all().into_iter().find(|machine| machine.name == name)
}

/// All machines.
#[must_use]
pub fn all() -> [Machine; 4] {
    [amd_2(), intel_2(), ivb_ex(), harpertown()]
}

/// The ways of a machine of one socket: all distances cost the same.
const fn one_way(dirty: Cycles, clean: Cycles) -> [Way; 4] {
    [Way { dirty, clean }; 4]
}

/// The costs of an operating system in nanoseconds. `at` converts them to cycles of a clock.
struct Nanos {
    call: u64,
    clock: u64,
    switch: u64,
    wake_near: u64,
    wake_far: u64,
    kick: u64,
    ipi: u64,
    late: u64,
    slice: u64,
    granularity: u64,
    barrier: u64,
    barrier_busy: u64,
    barrier_each: u64,
    barrier_other: u64,
    interrupt: u64,
}

impl Nanos {
    const fn at(&self, mhz: u64, idle: &'static [IdleState]) -> System {
        System {
            call: cycles(mhz, self.call),
            clock: cycles(mhz, self.clock),
            switch: cycles(mhz, self.switch),
            wake_near: cycles(mhz, self.wake_near),
            wake_far: cycles(mhz, self.wake_far),
            kick: cycles(mhz, self.kick),
            ipi: cycles(mhz, self.ipi),
            late: cycles(mhz, self.late),
            slice: cycles(mhz, self.slice),
            granularity: cycles(mhz, self.granularity),
            barrier: cycles(mhz, self.barrier),
            barrier_busy: cycles(mhz, self.barrier_busy),
            barrier_each: cycles(mhz, self.barrier_each),
            barrier_other: cycles(mhz, self.barrier_other),
            interrupt: cycles(mhz, self.interrupt),
            idle,
        }
    }
}

const AMD_MHZ: u64 = 2_596;

fn amd_2() -> Machine {
    const IDLE: &[IdleState] = &[
        IdleState { exit: cycles(AMD_MHZ, 12_000), residency: 0, whole_core: false },
        IdleState {
            exit: cycles(AMD_MHZ, 25_000),
            residency: cycles(AMD_MHZ, 50_000),
            whole_core: false,
        },
        IdleState {
            exit: cycles(AMD_MHZ, 40_000),
            residency: cycles(AMD_MHZ, 500_000),
            whole_core: false,
        },
    ];
    Machine {
        name: "amd-2",
        about: "two processors of an AMD EPYC, virtual, as measured; overlap and rmw fitted on \
                readers with one thread",
        mhz: AMD_MHZ,
        topology: Topology { sockets: 1, clusters: 1, cores: 2, threads: 1 },
        memory: Memory {
            hit: 1,
            overlap: 2,
            rmw: 4,
            fence: 41,
            pause: 63,
            ways: one_way(70, 70),
            dram: 250,
            serial: 12,
            keep: 31,
        },
        system: Nanos {
            call: 250,
            clock: 23,
            switch: 1_000,
            wake_near: 1_500,
            wake_far: 1_500,
            kick: 7_000,
            ipi: 500,
            late: 50_000,
            slice: 4_000_000,
            granularity: 500_000,
            barrier: 500,
            barrier_busy: 11_000,
            barrier_each: 500,
            barrier_other: 6_500,
            interrupt: 300,
        }
        .at(AMD_MHZ, IDLE),
    }
}

const INTEL_MHZ: u64 = 2_600;

fn intel_2() -> Machine {
    const IDLE: &[IdleState] = &[IdleState { exit: 0, residency: 0, whole_core: false }];
    Machine {
        name: "intel-2",
        about: "two processors of an Intel Xeon, virtual, as measured",
        mhz: INTEL_MHZ,
        topology: Topology { sockets: 1, clusters: 1, cores: 2, threads: 1 },
        memory: Memory {
            hit: 5,
            overlap: 1,
            rmw: 20,
            fence: 35,
            pause: 140,
            ways: one_way(169, 169),
            dram: 300,
            serial: 12,
            keep: 30,
        },
        system: Nanos {
            call: 150,
            clock: 30,
            switch: 900,
            wake_near: 1_500,
            wake_far: 1_500,
            kick: 0,
            ipi: 1_500,
            late: 50_000,
            slice: 3_000_000,
            granularity: 1_000_000,
            barrier: 500,
            barrier_busy: 13_000,
            barrier_each: 2_500,
            barrier_other: 2_500,
            interrupt: 500,
        }
        .at(INTEL_MHZ, IDLE),
    }
}

const IVB_MHZ: u64 = 2_800;

/// The machine on which the whole-queue patch was measured.
#[must_use]
pub fn ivb_ex() -> Machine {
    const IDLE: &[IdleState] = &[
        IdleState { exit: cycles(IVB_MHZ, 1_000), residency: 0, whole_core: false },
        IdleState {
            exit: cycles(IVB_MHZ, 10_000),
            residency: cycles(IVB_MHZ, 500_000),
            whole_core: false,
        },
        IdleState {
            exit: cycles(IVB_MHZ, 59_000),
            residency: cycles(IVB_MHZ, 600_000),
            whole_core: true,
        },
        IdleState {
            exit: cycles(IVB_MHZ, 88_000),
            residency: cycles(IVB_MHZ, 700_000),
            whole_core: true,
        },
    ];
    Machine {
        name: "ivb-ex",
        about: "8 sockets of an Intel Xeon E7 v2, 240 processors; costs from the literature, \
                idle states as published; serial and keep fitted on the try-read patch's table",
        mhz: IVB_MHZ,
        topology: Topology { sockets: 8, clusters: 1, cores: 15, threads: 2 },
        memory: Memory {
            hit: 4,
            overlap: 1,
            rmw: 20,
            fence: 33,
            pause: 10,
            ways: [
                Way { dirty: 110, clean: 50 },
                Way { dirty: 110, clean: 50 },
                Way { dirty: 360, clean: 280 },
                Way { dirty: 500, clean: 420 },
            ],
            dram: 300,
            serial: 12,
            keep: 20,
        },
        system: Nanos {
            call: 100,
            clock: 25,
            switch: 1_000,
            wake_near: 600,
            wake_far: 1_200,
            kick: 0,
            ipi: 500,
            late: 50_000,
            slice: 3_000_000,
            granularity: 1_000_000,
            barrier: 500,
            barrier_busy: 2_000,
            barrier_each: 200,
            barrier_other: 200,
            interrupt: 500,
        }
        .at(IVB_MHZ, IDLE),
    }
}

const HARPERTOWN_MHZ: u64 = 2_000;

fn harpertown() -> Machine {
    const IDLE: &[IdleState] =
        &[IdleState { exit: cycles(HARPERTOWN_MHZ, 1_000), residency: 0, whole_core: false }];
    Machine {
        name: "harpertown",
        about: "two sockets of an Intel Xeon E5405, 8 processors: the 2008 lock",
        mhz: HARPERTOWN_MHZ,
        topology: Topology { sockets: 2, clusters: 2, cores: 2, threads: 1 },
        memory: Memory {
            hit: 3,
            overlap: 1,
            rmw: 20,
            fence: 33,
            pause: 10,
            ways: [
                Way { dirty: 60, clean: 14 },
                Way { dirty: 220, clean: 220 },
                Way { dirty: 260, clean: 260 },
                Way { dirty: 260, clean: 260 },
            ],
            dram: 220,
            serial: 8,
            keep: 20,
        },
        system: Nanos {
            call: 150,
            clock: 60,
            switch: 1_500,
            wake_near: 1_000,
            wake_far: 1_500,
            kick: 0,
            ipi: 1_000,
            late: 50_000,
            slice: 3_000_000,
            granularity: 1_000_000,
            barrier: 500,
            barrier_busy: 2_000,
            barrier_each: 500,
            barrier_other: 500,
            interrupt: 500,
        }
        .at(HARPERTOWN_MHZ, IDLE),
    }
}
