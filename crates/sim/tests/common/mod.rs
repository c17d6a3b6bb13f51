//! What the tests of whole runs share.

#![allow(dead_code, reason = "each test file takes what it needs")]

use siftlock_sim::machine::Topology;
use siftlock_sim::{Aligned, AtomicU32, Machine, Outcome, Run, calls, presets};
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

/// A thread's body.
pub(crate) type Body = Box<dyn FnOnce()>;

/// One socket of so many cores with so many processors, whose idle processors sleep lightly.
pub(crate) fn machine(cores: usize, threads: usize) -> Machine {
    let topology = Topology { sockets: 1, clusters: 1, cores, threads };
    let machine = presets::named("ivb-ex").unwrap();
    machine.with_topology(topology).without_idle_states()
}

/// Words, each in a line of its own.
pub(crate) fn words<const N: usize>() -> [Rc<Aligned<AtomicU32>>; N] {
    std::array::from_fn(|_| Rc::new(Aligned(AtomicU32::new(0))))
}

/// Runs bodies, the first on processor 0, and so on, for a simulated millisecond.
pub(crate) fn run(machine: Machine, bodies: Vec<Body>) -> Outcome {
    let mut run = Run::new(machine, 1_000_000, None);
    for (processor, body) in bodies.into_iter().enumerate() {
        run.thread(processor, body);
    }
    run.go().unwrap_or_else(|stuck| panic!("{stuck}"))
}

/// Works for so many nanoseconds, and looks at a word every microsecond: there it can be put off.
pub(crate) fn toil(word: &AtomicU32, nanos: u64) {
    for _ in 0..nanos / 1_000 {
        calls::work(calls::cycles(1_000));
        word.load(Relaxed);
    }
}
