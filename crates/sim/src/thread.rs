//! What the machine knows of each thread, and the coroutine that is the thread's body.

use crate::counts::Counts;
use crate::machine::Cycles;
use crate::memory::LineId;
use crate::queue::ThreadId;
use crate::world::{World, until_go};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::mem::ManuallyDrop;

/// What a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has a processor.
    Running,
    /// It waits for a processor.
    Ready,
    /// It sleeps until it is woken, or its time is over.
    Sleeping,
    /// It is a handler between two interrupts.
    Idle,
    /// Its body has returned.
    Ended,
}

/// A thread, or a handler of interrupts.
#[derive(Debug)]
pub(crate) struct Thread {
    pub(crate) state: State,
    /// The number of its last wait: events of earlier waits are stale.
    pub(crate) epoch: u64,
    /// Its processor, or the one on which it last ran.
    pub(crate) processor: usize,
    /// When it goes on, as far as that is known.
    pub(crate) resumes: Cycles,
    /// Whether it spins until `resumes`, or until a line changes.
    pub(crate) is_watching: bool,
    /// The cycles that were left until `resumes` when it was put off its processor.
    pub(crate) left: Cycles,
    /// How long it has run, as the scheduler counts it.
    pub(crate) has_run: Cycles,
    /// The address of the word on which it sleeps.
    pub(crate) asleep_on: usize,
    /// Its present section keeps out interrupts of classes up to this one.
    pub(crate) level: u8,
    /// The line of its nodes.
    pub(crate) nodes: LineId,
    pub(crate) counts: Counts,
    /// A handler's device.
    pub(crate) device: Option<Device>,
    yielder: *const Yielder<(), ()>,
}

/// When a handler is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Device {
    pub(crate) class: u8,
    pub(crate) every: Cycles,
}

impl Thread {
    pub(crate) fn new(processor: usize, nodes: LineId, device: Option<Device>) -> Self {
        Self {
            state: if device.is_some() { State::Idle } else { State::Ready },
            epoch: 0,
            processor,
            resumes: 0,
            is_watching: false,
            left: 0,
            has_run: 0,
            asleep_on: 0,
            level: 0,
            nodes,
            counts: Counts::default(),
            device,
            yielder: std::ptr::null(),
        }
    }

    pub(crate) fn yielding(&self) -> Yielding {
        Yielding(self.yielder)
    }
}

/// The way out of a thread's body, to the loop that has resumed it.
#[derive(Clone, Copy)]
pub(crate) struct Yielding(*const Yielder<(), ()>);

impl Yielding {
    /// Leaves the calling coroutine until it is resumed. Its own thread alone calls this.
    pub(crate) fn suspend(self) {
        debug_assert!(!self.0.is_null());
        // SAFETY: the coroutine that called is the thread's own, so its yielder is on its stack,
        // and alive.
        unsafe { (*self.0).suspend(()) };
    }
}

/// Bytes of a body's stack. Builds for debugging take tens of thousands.
const STACK: usize = 256 << 10;

/// A body on a stack of its own.
///
/// A body that is dropped before its end stays where it is, for ever: to unwind it would run the
/// code of the lock. Such bodies are handlers that wait for the next interrupt, and threads of a
/// stuck run.
pub(crate) struct Body(ManuallyDrop<Coroutine<(), (), (), DefaultStack>>);

impl Body {
    /// The body of this thread.
    pub(crate) fn new(thread: ThreadId, body: impl FnOnce() + 'static) -> Self {
        let stack = DefaultStack::new(STACK).expect("memory for a stack of 256 KiB");
        let whole = move |yielder: &Yielder<(), ()>, ()| {
            World::with(|world| world.threads[thread].yielder = yielder);
            body();
            // What is due before the body's end happens first.
            until_go(World::take_turn);
        };
        Self(ManuallyDrop::new(Coroutine::with_stack(stack, whole)))
    }

    /// Runs it until it suspends itself. True: it has ended.
    pub(crate) fn resume(&mut self) -> bool {
        matches!(self.0.resume(()), CoroutineResult::Return(()))
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        if self.0.done() {
            // SAFETY: not used again.
            unsafe { ManuallyDrop::drop(&mut self.0) };
        }
    }
}
