//! Sleep and wake on a word, like futexes.
//!
//! The look at the word and the begin of the sleep are one step. Sleepers of a word wake in the
//! order in which they began to sleep. A waker first takes its sleepers off the word, then wakes
//! one after another, so it does not wake a thread twice that sleeps again meanwhile. A sleep ends
//! once: by a waker or by its time-out, whichever takes the sleeper off the word first.

use crate::machine::Cycles;
use crate::queue::{Event, ThreadId};
use crate::thread::State;
use crate::world::World;

impl World {
    /// Puts the calling thread to sleep on the word at this address, until `until` at the latest.
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

    /// Takes at most `most` sleepers off the word at this address; the caller is about to wake
    /// them. From now on no other waker wakes these threads, and no time-out does.
    pub(crate) fn take_sleepers(&mut self, address: usize, most: usize) -> Vec<ThreadId> {
        let Some(all) = self.sleepers.get_mut(&address) else { return Vec::new() };
        let taken: Vec<ThreadId> = all.drain(..most.min(all.len())).collect();
        for &thread in &taken {
            self.threads[thread].epoch += 1;
        }
        taken
    }

    /// Charges the calling thread for one wake-up.
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

    /// Ends a sleep whose time is over, unless it has ended already.
    pub(crate) fn time_out(&mut self, thread: ThreadId, epoch: u64) {
        let it = &self.threads[thread];
        if it.epoch == epoch && it.state == State::Sleeping {
            if let Some(all) = self.sleepers.get_mut(&it.asleep_on) {
                all.retain(|&sleeper| sleeper != thread);
            }
            self.wake_up(thread);
        }
    }

    /// Ends the sleep of a thread that was taken off its word.
    pub(crate) fn wake_up(&mut self, thread: ThreadId) {
        let it = &mut self.threads[thread];
        debug_assert_eq!(it.state, State::Sleeping, "a sleep ends once");
        it.epoch += 1;
        it.left = 0;
        self.make_ready(thread, self.now);
    }
}
