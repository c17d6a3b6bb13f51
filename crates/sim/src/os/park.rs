//! Sleep and wake on a word, as by futexes.

use crate::machine::Cycles;
use crate::queue::{Event, ThreadId};
use crate::thread::State;
use crate::world::World;

impl World {
    /// The calling thread sleeps on the word at this address, at most until `until`.
    pub(crate) fn sleep_on(&mut self, address: usize, until: Option<Cycles>) {
        let thread = self.current.expect("a thread runs");
        self.leave(State::Sleeping);
        self.sleepers.entry(address).or_default().push_back(thread);
        let it = &mut self.threads[thread];
        it.asleep_on = address;
        it.counts.parks += 1;
        let epoch = it.epoch;
        if let Some(until) = until {
            let late = self.machine.system.late;
            self.queue.add(until.max(self.now) + late, Event::Timeout { thread, epoch });
        }
    }

    /// The calling thread wakes up to so many that sleep on the word at this address.
    pub(crate) fn wake(&mut self, address: usize, most: usize) {
        for _ in 0..most {
            let Some(thread) = self.sleepers.get_mut(&address).and_then(|all| all.pop_front()) else {
                return;
            };
            let cost = self.wake_cost(thread);
            self.counts().wakes += 1;
            self.now += cost;
            self.wake_up(thread);
        }
    }

    fn wake_cost(&mut self, thread: ThreadId) -> Cycles {
        let topology = self.machine.topology;
        let socket = |processor| topology.socket_of(topology.core_of(processor));
        let is_near = socket(self.me().processor) == socket(self.threads[thread].processor);
        let system = &self.machine.system;
        let kick = if self.has_idle() { system.kick } else { 0 };
        kick + if is_near { system.wake_near } else { system.wake_far }
    }

    /// A sleeping thread's time is over.
    pub(crate) fn time_out(&mut self, thread: ThreadId, epoch: u64) {
        let it = &self.threads[thread];
        if it.epoch == epoch && it.state == State::Sleeping {
            if let Some(all) = self.sleepers.get_mut(&it.asleep_on) {
                all.retain(|&sleeper| sleeper != thread);
            }
            self.wake_up(thread);
        }
    }

    fn wake_up(&mut self, thread: ThreadId) {
        let it = &mut self.threads[thread];
        it.epoch += 1;
        it.left = 0;
        self.make_ready(thread, self.now);
    }
}
