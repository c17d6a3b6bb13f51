//! A fence in all threads that run, like `membarrier`.

use crate::queue::ThreadId;
use crate::world::World;

impl World {
    /// Makes the fence for the calling thread. Every other thread that runs is delayed, unless it
    /// spins on a line.
    pub(crate) fn fence_all(&mut self) {
        let system = &self.machine.system;
        let (each, busy, other) = (system.barrier_each, system.barrier_busy, system.barrier_other);
        let mut cost = system.barrier;
        let here = self.me().processor;
        let running: Vec<ThreadId> = (0..self.processors.len())
            .filter(|&processor| processor != here)
            .filter_map(|processor| self.processors[processor].current)
            .collect();
        if !running.is_empty() {
            cost += busy + each * running.len() as u64;
        }
        for thread in running {
            if !self.threads[thread].is_watching {
                let resumes = self.threads[thread].resumes;
                self.resume_at(thread, resumes + other);
            }
        }
        self.counts().barriers += 1;
        self.now += cost;
    }
}
