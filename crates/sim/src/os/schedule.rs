//! Which thread has which processor.
//!
//! A small fair scheduler. Each processor has a queue, and takes from it the thread that has run
//! least. A woken thread goes to its last processor if that is idle, else to an idle one of its
//! socket, else to any idle one; else it waits at its last. A processor without a thread takes one
//! from the longest queue.

use super::Processor;
use crate::machine::{Cycles, TURN_BACK_NANOS};
use crate::queue::{Event, ThreadId};
use crate::thread::State;
use crate::world::World;

impl World {
    /// Makes a thread ready to run at `at`: it gets an idle processor, or lines up.
    pub(crate) fn make_ready(&mut self, thread: ThreadId, at: Cycles) {
        let processor = self.choose(thread);
        if self.processors[processor].is_idle() {
            let system = &self.machine.system;
            let is_awake = self.processors[processor].idle.is_falling_asleep(at);
            let notice = if is_awake { 0 } else { system.ipi + system.switch };
            let delay = notice + self.leave_idle(processor, at);
            self.start(processor, thread, at, delay);
        } else {
            self.line_up(processor, thread, at);
        }
    }

    /// Whether a processor is idle.
    pub(super) fn has_idle(&self) -> bool {
        self.processors.iter().any(Processor::is_idle)
    }

    fn choose(&self, thread: ThreadId) -> usize {
        let last = self.threads[thread].processor;
        let is_idle = |&at: &usize| self.processors[at].is_idle();
        let topology = &self.machine.topology;
        let home = topology.socket_of(topology.core_of(last));
        let is_near = |at: &usize| topology.socket_of(topology.core_of(*at)) == home;
        let all = || 0..self.processors.len();
        let near = || all().filter(is_near).find(is_idle);
        Some(last).filter(is_idle).or_else(near).or_else(|| all().find(is_idle)).unwrap_or(last)
    }

    /// Ends the idle time of a processor. Returns how long its way out takes.
    pub(super) fn leave_idle(&mut self, processor: usize, at: Cycles) -> Cycles {
        let cores = self.machine.topology.all_cores();
        let mut siblings = (processor % cores..self.processors.len()).step_by(cores);
        let others_sleep =
            siblings.all(|other| other == processor || self.processors[other].is_idle());
        let (machine, idle) = (&self.machine, &mut self.processors[processor].idle);
        if idle.is_falling_asleep(at) {
            return machine.cycles(TURN_BACK_NANOS);
        }
        idle.end(at, others_sleep, machine, &self.measured)
    }

    /// Gives the processor to the thread. After `delay` the thread goes on with the work that it
    /// had left.
    fn start(&mut self, processor: usize, thread: ThreadId, at: Cycles, delay: Cycles) {
        self.begin_turn(processor, at);
        self.processors[processor].current = Some(thread);
        let runs = &mut self.threads[thread];
        runs.state = State::Running;
        runs.processor = processor;
        let left = std::mem::take(&mut runs.left);
        self.resume_at(thread, at + delay + left);
        self.watch_slice(processor);
    }

    /// Begins a turn. The slice ends of earlier turns are stale from now on.
    pub(super) fn begin_turn(&mut self, processor: usize, at: Cycles) {
        let it = &mut self.processors[processor];
        it.since = at;
        it.epoch += 1;
        it.is_overdue = false;
    }

    /// Sets an end to the present thread's turn, if other threads wait.
    fn watch_slice(&mut self, processor: usize) {
        let it = &self.processors[processor];
        if !it.ready.is_empty() {
            let end = (it.since + self.machine.system.slice).max(self.now);
            self.queue.add(end, Event::SliceEnd { processor, epoch: it.epoch });
        }
    }

    /// Makes a thread wait for a processor that another thread has.
    fn line_up(&mut self, processor: usize, thread: ThreadId, at: Cycles) {
        let system = &self.machine.system;
        let it = &self.processors[processor];
        let running = *it.interrupted.first().or(it.current.as_ref()).expect("another has it");
        let ran = self.threads[running].has_run + at.saturating_sub(it.since);
        let new = &mut self.threads[thread];
        // A long sleep puts a thread ahead by one slice at most.
        new.has_run = new.has_run.max(ran.saturating_sub(system.slice));
        new.state = State::Ready;
        new.processor = processor;
        let preempts = ran > new.has_run + system.granularity;
        self.processors[processor].ready.push(thread);
        if preempts {
            // By an event, not at once: the preempted thread may be the caller.
            let epoch = self.processors[processor].epoch;
            self.queue.add(at, Event::SliceEnd { processor, epoch });
        } else if self.processors[processor].ready.len() == 1 {
            self.watch_slice(processor);
        }
    }

    /// Ends a slice: another thread gets the processor, if one waits.
    pub(crate) fn end_slice(&mut self, processor: usize, epoch: u64) {
        let it = &self.processors[processor];
        if it.epoch == epoch && !it.ready.is_empty() && !it.is_idle() {
            self.preempt(processor, self.now);
        }
    }

    /// Gives the processor to another thread. While the present one must not be preempted, the
    /// processor becomes overdue instead.
    pub(super) fn preempt(&mut self, processor: usize, at: Cycles) {
        let current = self.processors[processor].current.expect("a thread to preempt");
        if self.threads[current].level > 0 || !self.processors[processor].interrupted.is_empty() {
            self.processors[processor].is_overdue = true;
            return;
        }
        self.interrupt_thread(current, at);
        let it = &mut self.threads[current];
        it.state = State::Ready;
        it.counts.preempted += 1;
        self.put_off(processor, at);
        self.processors[processor].ready.push(current);
        self.dispatch(processor, at);
    }

    /// Stops a thread where it is. Later it first does the work that was left before its next step.
    pub(super) fn interrupt_thread(&mut self, thread: ThreadId, at: Cycles) {
        let it = &mut self.threads[thread];
        it.epoch += 1;
        it.left = if it.is_watching { 0 } else { it.resumes.saturating_sub(at) };
        it.is_watching = false;
    }

    /// Takes the processor from the present thread.
    fn put_off(&mut self, processor: usize, at: Cycles) {
        let it = &mut self.processors[processor];
        if let Some(thread) = it.current.take() {
            self.threads[thread].has_run += at.saturating_sub(it.since);
        }
    }

    /// Gives up the calling thread's processor, at the thread's own time.
    pub(crate) fn leave(&mut self, state: State) {
        let at = self.now + self.machine.system.switch;
        let me = self.me();
        me.state = state;
        me.epoch += 1;
        let processor = me.processor;
        self.put_off(processor, at);
        self.dispatch(processor, at);
    }

    /// Gives a thread to a processor that has none, or makes the processor idle.
    pub(super) fn dispatch(&mut self, processor: usize, at: Cycles) {
        match self.next_of(processor).or_else(|| self.steal_for(processor)) {
            Some(thread) => self.start(processor, thread, at, self.machine.system.switch),
            None => self.processors[processor].idle.begin(at),
        }
        // A thread that goes to sleep no longer keeps interrupts out.
        self.let_in(processor, at);
    }

    fn next_of(&mut self, processor: usize) -> Option<ThreadId> {
        let ready = &self.processors[processor].ready;
        let least = (0..ready.len()).min_by_key(|&at| self.threads[ready[at]].has_run)?;
        Some(self.processors[processor].ready.remove(least))
    }

    fn steal_for(&mut self, processor: usize) -> Option<ThreadId> {
        let waits = |&at: &usize| self.processors[at].ready.len();
        let busiest =
            (0..self.processors.len()).rev().max_by_key(waits).filter(|at| waits(at) > 0)?;
        debug_assert_ne!(busiest, processor);
        self.next_of(busiest)
    }

    /// Gives the calling thread's processor to a waiting thread. False: no thread waits for it, or
    /// the caller is a handler.
    pub(crate) fn give_way(&mut self) -> bool {
        let (me, at) = (self.current.expect("a thread runs"), self.now);
        let processor = self.threads[me].processor;
        let it = &self.processors[processor];
        if it.ready.is_empty() || self.threads[me].device.is_some() {
            return false;
        }
        let most = it.ready.iter().map(|&thread| self.threads[thread].has_run).max();
        self.put_off(processor, at);
        let it = &mut self.threads[me];
        it.has_run = it.has_run.max(most.unwrap_or(0) + 1);
        it.epoch += 1;
        it.left = 0;
        it.state = State::Ready;
        self.processors[processor].ready.push(me);
        self.dispatch(processor, at);
        true
    }

    /// Preempts the calling thread if its processor is overdue and its level is 0. True: it was
    /// preempted.
    pub(super) fn preempt_if_overdue(&mut self) -> bool {
        let (me, processor) = (self.current.expect("a thread runs"), self.me().processor);
        let it = &self.processors[processor];
        let is_due = it.is_overdue && !it.ready.is_empty() && it.interrupted.is_empty();
        if is_due && self.me().level == 0 {
            self.threads[me].resumes = self.now;
            self.preempt(processor, self.now);
            return true;
        }
        false
    }
}
