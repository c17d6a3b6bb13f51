//! Interrupts: a handler runs on top of a processor's thread, unless the thread keeps its class
//! out.
//!
//! Handlers nest: a handler of a higher class interrupts a handler of a lower class. A handler that
//! is kept out waits until the level drops: the thread lowers its level or leaves its processor, or
//! a handler ends. An interrupt is merged with an earlier one whose handler still runs or waits.

use crate::machine::Cycles;
use crate::queue::{Event, ThreadId};
use crate::thread::State;
use crate::world::World;

impl World {
    /// Handles an interrupt of a device: its handler begins, or is kept out.
    pub(crate) fn interrupt(&mut self, handler: ThreadId) {
        let it = &mut self.threads[handler];
        let device = it.device.expect("a handler has a device");
        let processor = it.processor;
        self.queue.add(self.now + device.every, Event::Interrupt { handler });
        // The handler still runs: the two interrupts are one.
        if self.threads[handler].state != State::Idle {
            return;
        }
        let level = self.processors[processor].current.map_or(0, |it| self.threads[it].level);
        if level >= device.class {
            let kept_out = &mut self.processors[processor].kept_out;
            if !kept_out.contains(&handler) {
                kept_out.push(handler);
            }
        } else {
            self.handle(processor, handler, self.now);
        }
    }

    /// Begins the handler on the processor.
    fn handle(&mut self, processor: usize, handler: ThreadId, at: Cycles) {
        let delay = match self.processors[processor].current {
            Some(thread) => {
                self.interrupt_thread(thread, at);
                self.processors[processor].interrupted.push(thread);
                0
            }
            None => {
                let delay = self.leave_idle(processor, at);
                self.begin_turn(processor, at);
                delay
            }
        };
        self.processors[processor].current = Some(handler);
        let it = &mut self.threads[handler];
        it.state = State::Running;
        it.level = it.device.map_or(0, |device| device.class);
        it.counts.interrupts += 1;
        self.resume_at(handler, at + delay + self.machine.system.interrupt);
    }

    /// Ends the calling handler. The thread or handler that it interrupted goes on.
    pub(crate) fn end_interrupt(&mut self) {
        let at = self.now + self.machine.system.interrupt;
        let me = self.me();
        me.state = State::Idle;
        me.level = 0;
        me.epoch += 1;
        let processor = me.processor;
        let it = &mut self.processors[processor];
        it.current = it.interrupted.pop();
        match it.current {
            Some(thread) => {
                let left = std::mem::take(&mut self.threads[thread].left);
                self.resume_at(thread, at + left);
                let it = &self.processors[processor];
                let is_overdue = it.is_overdue && !it.ready.is_empty();
                if !self.let_in(processor, at) && is_overdue {
                    self.preempt(processor, at);
                }
            }
            None => self.dispatch(processor, at),
        }
    }

    /// Begins the handler of the highest class that was kept out, if the level lets it in. Among
    /// equal classes it is the first that came. The end of a handler lets the next one in. True: a
    /// handler begins.
    pub(super) fn let_in(&mut self, processor: usize, at: Cycles) -> bool {
        let level = self.processors[processor].current.map_or(0, |it| self.threads[it].level);
        let class = |handler: ThreadId| self.threads[handler].device.map_or(0, |it| it.class);
        let kept_out = &self.processors[processor].kept_out;
        let Some(place) = (0..kept_out.len()).rev().max_by_key(|&place| class(kept_out[place]))
        else {
            return false;
        };
        let is_let_in = class(kept_out[place]) > level;
        if is_let_in {
            let handler = self.processors[processor].kept_out.remove(place);
            self.handle(processor, handler, at);
        }
        is_let_in
    }

    /// Makes the calling thread keep out classes up to `level`. Returns its old level.
    pub(crate) fn raise(&mut self, level: u8) -> u8 {
        let me = self.me();
        std::mem::replace(&mut me.level, level)
    }

    /// Lowers the level of the calling thread. True: the thread is interrupted, or preempted, at
    /// once.
    pub(crate) fn lower(&mut self, level: u8) -> bool {
        let (me, at) = (self.current.expect("a thread runs"), self.now);
        self.threads[me].level = level;
        self.threads[me].resumes = at;
        let processor = self.threads[me].processor;
        self.let_in(processor, at) || self.preempt_if_overdue()
    }
}
