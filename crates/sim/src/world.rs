//! The whole state of one run, and the accesses of its threads to memory.
//!
//! One thread runs at a time. It runs ahead of the queue while it touches no shared data. Before
//! each access it takes its turn: all events that are due earlier happen first. So every access is
//! made in the order of simulated time, and a run is the same every time.
//!
//! A suspended thread has one event in the queue, and the event has the thread's epoch. Each new
//! wait raises the epoch, so the events of earlier waits are stale.

use crate::counts::Counts;
use crate::line::{Answer, Need};
use crate::machine::{Cycles, Machine};
use crate::memory::{LineId, Memory, Watcher};
use crate::noise::Noise;
use crate::os::Processor;
use crate::queue::{Event, Queue, ThreadId};
use crate::thread::{State, Thread, Yielding};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;

/// Nanoseconds that threads have, after the measured part, to come to their ends.
const GRACE: u64 = 2_000_000_000;

thread_local! {
    static WORLD: RefCell<Option<World>> = const { RefCell::new(None) };
}

/// The kinds of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Load,
    Store,
    Step,
}

/// Whether a thread goes on at once or is suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Go,
    Suspend,
}

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) machine: Machine,
    pub(crate) queue: Queue,
    pub(crate) memory: Memory,
    pub(crate) threads: Vec<Thread>,
    pub(crate) processors: Vec<Processor>,
    /// The threads that sleep on each word, by the word's address.
    pub(crate) sleepers: FxHashMap<usize, VecDeque<ThreadId>>,
    pub(crate) noise: Noise,
    /// The thread that runs.
    pub(crate) current: Option<ThreadId>,
    /// The time of that thread, or of the event that happens.
    pub(crate) now: Cycles,
    /// The measured part. After it the bodies are to end.
    pub(crate) measured: Range<Cycles>,
    /// The counts of all threads when the measured part began, and when it ended.
    pub(crate) marks: Vec<Vec<Counts>>,
    /// When the run is given up: a body that has not ended by then is taken to be stuck.
    pub(crate) limit: Cycles,
    hash: u64,
}

impl World {
    pub(crate) fn new(machine: Machine, end: Cycles, seed: Option<u64>) -> Self {
        let processors = machine.topology.processors();
        Self {
            queue: Queue::default(),
            memory: Memory::default(),
            threads: Vec::new(),
            processors: (0..processors).map(|_| Processor::new(&machine)).collect(),
            sleepers: FxHashMap::default(),
            noise: Noise::new(seed),
            current: None,
            now: 0,
            measured: 0..end,
            marks: Vec::new(),
            limit: end.saturating_add(machine.cycles(GRACE)),
            hash: 0,
            machine,
        }
    }

    /// Makes this the world of the calling OS thread. Returns the old one.
    pub(crate) fn set(world: Option<Self>) -> Option<Self> {
        WORLD.replace(world)
    }

    /// The answer of `look` about the world; `None` outside a run.
    pub(crate) fn try_with<T>(look: impl FnOnce(&mut Self) -> T) -> Option<T> {
        WORLD.with_borrow_mut(|world| world.as_mut().map(look))
    }

    /// The answer of `look` about the world.
    ///
    /// # Panics
    /// Outside a run.
    pub(crate) fn with<T>(look: impl FnOnce(&mut Self) -> T) -> T {
        Self::try_with(look).expect("called by a thread of a simulated machine")
    }

    /// The calling thread.
    pub(crate) fn me(&mut self) -> &mut Thread {
        let me = self.current.expect("a thread runs");
        &mut self.threads[me]
    }

    pub(crate) fn counts(&mut self) -> &mut Counts {
        &mut self.me().counts
    }

    pub(crate) fn core(&mut self) -> usize {
        let processor = self.me().processor;
        self.machine.topology.core_of(processor)
    }

    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Lets the thread go on at this time, unless another event changes its epoch first.
    pub(crate) fn resume_at(&mut self, thread: ThreadId, at: Cycles) {
        let it = &mut self.threads[thread];
        debug_assert_ne!(it.state, State::Ended);
        it.epoch += 1;
        it.resumes = at;
        it.is_watching = false;
        let epoch = it.epoch;
        self.queue.add(at, Event::Resume { thread, epoch });
    }

    /// Keeps the counts of all threads: the measured part begins, or ends.
    pub(crate) fn mark(&mut self) {
        self.marks.push(self.threads.iter().map(|thread| thread.counts).collect());
    }

    /// Whether the calling thread may make its next access now: no event is due earlier. Past the
    /// limit the answer is always no, so that the watchdog finds a thread that polls without a
    /// pause.
    pub(crate) fn is_next(&self) -> bool {
        self.now <= self.limit && self.queue.first().is_none_or(|first| first >= self.now)
    }

    /// Lets the calling thread go on if no event is due earlier. Otherwise suspends it until those
    /// events have happened.
    pub(crate) fn take_turn(&mut self) -> Next {
        if self.is_next() {
            return Next::Go;
        }
        let me = self.current.expect("a thread runs");
        self.resume_at(me, self.now);
        Next::Suspend
    }

    /// Asks for one access of the calling thread. `Go`: the thread has paid, and makes the access
    /// now. `Suspend`: the caller asks again after the suspension.
    pub(crate) fn access(&mut self, address: usize, access: Access) -> Next {
        if self.take_turn() == Next::Suspend {
            return Next::Suspend;
        }
        let id = self.memory.line_of(address);
        let (core, now) = (self.core(), self.now);
        let need = if access == Access::Load { Need::Share } else { Need::Own };
        let place = self.memory.place(id);
        let busy_until = place.busy_until;
        let arrives = match place.line.ask(core, need, now, &self.machine, &mut self.noise) {
            Answer::Hit if busy_until > now => busy_until,
            Answer::Hit => {
                self.make(id, access);
                return Next::Go;
            }
            Answer::OnItsWay { arrives } => arrives,
            Answer::Asked { arrives, is_far, invalidates } => {
                let counts = self.counts();
                counts.transfers += 1;
                counts.far += u64::from(is_far);
                counts.invalidated += invalidates;
                arrives
            }
        };
        let me = self.current.expect("a thread runs");
        self.resume_at(me, arrives);
        Next::Suspend
    }

    /// Counts the access and charges the calling thread for it.
    fn make(&mut self, id: LineId, access: Access) {
        let me = self.current.expect("a thread runs");
        for word in [me as u64, id as u64, access as u64, self.now] {
            self.hash = (self.hash.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
        }
        let counts = self.counts();
        match access {
            Access::Load => counts.loads += 1,
            Access::Store => counts.stores += 1,
            Access::Step => counts.steps += 1,
        }
        if access != Access::Load {
            self.notice_change(id);
        }
        self.now += self.cost_of(access);
        if access == Access::Step {
            self.memory.place(id).busy_until = self.now;
        }
    }

    /// The cost of the access that the calling thread has just made, of a line that its core has.
    fn cost_of(&mut self, access: Access) -> Cycles {
        let hits = self.counts().loads + self.counts().stores;
        let memory = &self.machine.memory;
        match access {
            Access::Step => memory.rmw,
            Access::Load | Access::Store if hits.is_multiple_of(memory.overlap) => memory.hit,
            Access::Load | Access::Store => 0,
        }
    }

    /// Makes the spinners on a changed line look again, at their next beat.
    fn notice_change(&mut self, id: LineId) {
        let watchers = std::mem::take(&mut self.memory.place(id).watchers);
        let beat = self.beat();
        for Watcher { thread, epoch, since } in watchers {
            let it = &self.threads[thread];
            if it.epoch == epoch && it.state == State::Running {
                let at = self.now + self.noise.around(beat / 2);
                self.resume_at(thread, at.max(since));
            }
        }
    }

    /// Makes the calling thread spin on a line that its core has, until the line changes, for at
    /// most `beats` beats.
    pub(crate) fn watch(&mut self, address: usize, beats: u32) {
        let thread = self.current.expect("a thread runs");
        let since = self.now;
        self.resume_at(thread, since + self.beat() * u64::from(beats));
        self.me().is_watching = true;
        let epoch = self.me().epoch;
        let id = self.memory.line_of(address);
        self.memory.place(id).watchers.push(Watcher { thread, epoch, since });
    }

    /// The time from one look of a spin loop to the next.
    pub(crate) fn beat(&self) -> Cycles {
        self.machine.memory.pause + self.machine.memory.hit
    }
}

/// Suspends the calling thread until `ask` answers `Go`.
pub(crate) fn until_go(mut ask: impl FnMut(&mut World) -> Next) {
    loop {
        let asked = World::with(|world| (ask(world), world.me().yielding()));
        match asked {
            (Next::Go, _) => return,
            (Next::Suspend, yielder) => yielder.suspend(),
        }
    }
}

/// Makes a change to the world that suspends the calling thread, and then suspends it.
pub(crate) fn suspended<T>(change: impl FnOnce(&mut World) -> T) -> T {
    let (out, yielder): (T, Yielding) = World::with(|world| {
        let yielder = world.me().yielding();
        (change(world), yielder)
    });
    yielder.suspend();
    out
}
