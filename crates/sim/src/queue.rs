//! The events to come, in their order.

use crate::machine::Cycles;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of a thread, in the order in which threads were added.
pub(crate) type ThreadId = usize;

/// An event of the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Event {
    /// A thread goes on, if the thread still has this epoch.
    Resume { thread: ThreadId, epoch: u64 },
    /// A sleep's time is over, if its thread still has this epoch.
    Timeout { thread: ThreadId, epoch: u64 },
    /// A slice ends, if the processor's turn still has this epoch.
    SliceEnd { processor: usize, epoch: u64 },
    /// A device interrupts a processor.
    Interrupt { handler: ThreadId },
    /// The measured part begins, or ends.
    Mark,
}

/// Events by time, and events of one time in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    heap: BinaryHeap<Reverse<(Cycles, u64, Event)>>,
    added: u64,
}

impl Queue {
    pub(crate) fn add(&mut self, at: Cycles, event: Event) {
        self.added += 1;
        self.heap.push(Reverse((at, self.added, event)));
    }

    /// When the first event is due.
    pub(crate) fn first(&self) -> Option<Cycles> {
        self.heap.peek().map(|Reverse((at, ..))| *at)
    }

    pub(crate) fn pop(&mut self) -> Option<(Cycles, Event)> {
        self.heap.pop().map(|Reverse((at, _, event))| (at, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queue_keeps_the_order_of_events_of_one_time() {
        let mut queue = Queue::default();
        for (at, handler) in [(5, 9), (3, 7), (3, 2), (4, 1)] {
            queue.add(at, Event::Interrupt { handler });
        }
        assert_eq!(queue.first(), Some(3));
        let order = std::iter::from_fn(|| queue.pop()).map(|(_, event)| match event {
            Event::Interrupt { handler } => handler,
            _ => unreachable!(),
        });
        assert_eq!(order.collect::<Vec<_>>(), [7, 2, 1, 9]);
    }
}
