//! Sleep and wake on a word, as by futexes.
//!
//! The look at the word and the begin of the sleep are one step. Sleepers of a word wake in the
//! order in which they slept. A waker first takes its sleepers off the word, then wakes one after
//! another: a thread that sleeps again meanwhile is not woken twice. A sleep ends once, by a waker
//! or by its time-out: by the first that takes the sleeper off the word.

use crate::machine::Cycles;
use crate::queue::{Event, ThreadId};
use crate::thread::State;
use crate::world::World;

impl World {
    /// The calling thread sleeps on the word at this address, at most until `until`.
    pub(crate) fn sleep_on(&mut self, address: usize, until: Option<Cycles>) {
        let thread = self.current.expect("a thread runs");
        assert!(self.threads[thread].device.is_none(), "a handler of interrupts sleeps");
        self.leave(State::Sleeping);
        self.sleepers.entry(address).or_default().push_back(thread);
        let it = &mut self.threads[thread];
        it.asleep_on = address;
        it.counts.parks += 1;
        let epoch = it.epoch;
        if let Some(until) = until {
            let late = self.machine.system.late;
            self.queue
                .add(until.max(self.now).saturating_add(late), Event::Timeout { thread, epoch });
        }
    }

    /// The calling thread is about to wake at most `most` of the threads that sleep on the word at
    /// this address. From now on no other waker wakes them, nor do their time-outs.
    pub(crate) fn take_sleepers(&mut self, address: usize, most: usize) -> Vec<ThreadId> {
        let Some(all) = self.sleepers.get_mut(&address) else { return Vec::new() };
        let taken: Vec<ThreadId> = all.drain(..most.min(all.len())).collect();
        for &thread in &taken {
            self.threads[thread].epoch += 1;
        }
        taken
    }

    /// The calling thread pays for one wake-up.
    pub(crate) fn pay_for_wake(&mut self, thread: ThreadId) {
        let cost = self.wake_cost(thread);
        self.counts().wakes += 1;
        self.now += cost;
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

    /// A sleeping thread sleeps no more.
    pub(crate) fn wake_up(&mut self, thread: ThreadId) {
        let it = &mut self.threads[thread];
        debug_assert_eq!(it.state, State::Sleeping, "a sleep ends once");
        it.epoch += 1;
        it.left = 0;
        self.make_ready(thread, self.now);
    }
}
