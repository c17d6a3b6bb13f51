//! A run: threads with their bodies, from the first event to the last.
//!
//! The loop takes the first event, and resumes the thread whose turn it is until the thread
//! suspends itself. The run ends when the body of every thread has returned. Handlers have no end.

use crate::machine::{Cycles, Machine};
use crate::outcome::{Outcome, Stuck};
use crate::queue::{Event, ThreadId};
use crate::thread::{Body, Device, State, Thread};
use crate::world::{World, suspended, until_go};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// More events than this in a simulated millisecond mean that threads only wake each other.
const EVENTS_A_MILLISECOND: u64 = 20_000_000;

/// A run that has not begun.
///
/// ```
/// use siftlock_sim::{Aligned, AtomicU32, Run, presets};
/// use std::rc::Rc;
/// use std::sync::atomic::Ordering;
///
/// let word = Rc::new(Aligned(AtomicU32::new(0)));
/// let mut run = Run::new(presets::named("amd-2").unwrap(), 1_000_000, None);
/// for processor in 0..2 {
///     let word = Rc::clone(&word);
///     run.thread(processor, move || {
///         word.fetch_add(1, Ordering::Relaxed);
///     });
/// }
/// let outcome = run.go().unwrap();
/// assert_eq!(outcome.total().transfers, 2);
/// ```
pub struct Run {
    world: World,
    bodies: Vec<Body>,
}

impl Run {
    /// A run on this machine, of so many nanoseconds. With a seed the run is a little disorderly,
    /// like a real machine. Without a seed every count is exact.
    #[must_use]
    pub fn new(machine: Machine, nanos: u64, seed: Option<u64>) -> Self {
        let end = machine.cycles(nanos);
        Self { world: World::new(machine, end, seed), bodies: Vec::new() }
    }

    /// Makes the first `nanos` nanoseconds a warm-up: the measured part begins after them.
    #[must_use]
    pub fn measured_from(mut self, nanos: u64) -> Self {
        self.world.measured.start = self.world.machine.cycles(nanos);
        self
    }

    /// Adds a thread that begins on this processor, or on an idle one if an earlier thread has it.
    /// Returns the thread's number.
    ///
    /// # Panics
    /// If there is no such processor.
    pub fn thread(&mut self, processor: usize, body: impl FnOnce() + 'static) -> ThreadId {
        self.add(processor, None, body)
    }

    /// Adds a handler of interrupts of this class, from 1 on. The interrupts come to this processor
    /// every `every` nanoseconds. A handler must not sleep.
    ///
    /// # Panics
    /// If there is no such processor.
    pub fn handler(
        &mut self,
        processor: usize,
        class: u8,
        every: u64,
        mut body: impl FnMut() + 'static,
    ) -> ThreadId {
        let every = self.world.machine.cycles(every);
        self.add(processor, Some(Device { class, every }), move || {
            loop {
                body();
                until_go(World::take_turn);
                suspended(World::end_interrupt);
            }
        })
    }

    fn add(
        &mut self,
        processor: usize,
        device: Option<Device>,
        body: impl FnOnce() + 'static,
    ) -> ThreadId {
        let machine = self.world.machine.name;
        assert!(processor < self.world.processors.len(), "{machine} has no processor {processor}");
        let (id, nodes) = (self.world.threads.len(), self.world.memory.new_line());
        self.world.threads.push(Thread::new(processor, nodes, device));
        self.bodies.push(Body::new(id, body));
        id
    }

    /// Runs all threads to their ends.
    ///
    /// # Errors
    /// If threads sleep and no thread can wake them, if threads do nothing but wake each other, or
    /// if a thread has not ended two simulated seconds after the measured part. The bodies of such
    /// a run, and all that they own, are never dropped.
    ///
    /// # Panics
    /// If a body panics, and inside another run.
    pub fn go(mut self) -> Result<Outcome, Stuck> {
        let world = &mut self.world;
        for id in 0..world.threads.len() {
            match world.threads[id].device {
                // The devices begin one after another.
                Some(device) => {
                    let first = device.every * (id as u64 + 1) / (world.threads.len() as u64 + 1);
                    world.queue.add(first, Event::Interrupt { handler: id });
                }
                None => world.make_ready(id, 0),
            }
        }
        for at in [world.measured.start, world.measured.end] {
            world.queue.add(at, Event::Mark);
        }
        assert!(World::set(Some(self.world)).is_none(), "one run at a time");
        let mut alive = World::with(|world| {
            world.threads.iter().filter(|thread| thread.device.is_none()).count()
        });
        let mut watchdog = Watchdog::default();
        let result = loop {
            if alive == 0 {
                break Ok(());
            }
            match World::with(|world| {
                let next = next(world)?;
                watchdog.check(world).map(|()| next)
            }) {
                Ok(None) => {}
                Ok(Some(thread)) => {
                    let resumed = AssertUnwindSafe(|| self.bodies[thread].resume());
                    let has_ended = match catch_unwind(resumed) {
                        Ok(has_ended) => has_ended,
                        Err(panic) => {
                            World::set(None);
                            resume_unwind(panic);
                        }
                    };
                    World::with(|world| {
                        if has_ended {
                            world.leave(State::Ended);
                        }
                        world.current = None;
                    });
                    alive -= usize::from(has_ended);
                }
                Err(why) => break Err(why),
            }
        };
        let world = World::set(None).expect("the run's own");
        match result {
            Ok(()) => Ok(Outcome::of(&world)),
            Err(why) => Err(Stuck::new(why, &world)),
        }
    }
}

/// Handles the next event. Returns the thread that goes on, if one does.
fn next(world: &mut World) -> Result<Option<ThreadId>, &'static str> {
    let (at, event) = world.queue.pop().ok_or("every thread sleeps, and nobody can wake one")?;
    world.now = at;
    match event {
        Event::Resume { thread, epoch } => {
            if world.threads[thread].epoch == epoch {
                debug_assert_eq!(world.threads[thread].state, State::Running);
                world.current = Some(thread);
                return Ok(Some(thread));
            }
        }
        Event::Timeout { thread, epoch } => world.time_out(thread, epoch),
        Event::SliceEnd { processor, epoch } => world.end_slice(processor, epoch),
        Event::Interrupt { handler } => world.interrupt(handler),
        Event::Mark => world.mark(),
    }
    Ok(None)
}

/// Finds a run that does not end.
#[derive(Default)]
struct Watchdog {
    since: Cycles,
    events: u64,
}

impl Watchdog {
    fn check(&mut self, world: &World) -> Result<(), &'static str> {
        self.events += 1;
        if world.now > self.since + world.machine.mhz * 1_000 {
            (self.since, self.events) = (world.now, 0);
        }
        if self.events > EVENTS_A_MILLISECOND {
            return Err("threads do nothing but wake each other");
        }
        if world.now > world.limit {
            return Err("a thread does not come to its end");
        }
        Ok(())
    }
}
