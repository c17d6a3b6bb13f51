//! The machine's data of each thread, and the coroutine that is the thread's body.

use crate::counts::Counts;
use crate::machine::Cycles;
use crate::memory::LineId;
use crate::queue::ThreadId;
use crate::world::{World, until_go};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::mem::ManuallyDrop;

/// The state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has a processor.
    Running,
    /// It waits for a processor.
    Ready,
    /// It sleeps until another thread wakes it, or until its time is over.
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
    /// Whether it spins, until `resumes` or until a line changes.
    pub(crate) is_watching: bool,
    /// The cycles that were left until `resumes` when it lost its processor.
    pub(crate) left: Cycles,
    /// How long it has run, as the scheduler counts it.
    pub(crate) has_run: Cycles,
    /// The address of the word on which it sleeps.
    pub(crate) asleep_on: usize,
    /// The thread keeps out interrupts of classes up to this one.
    pub(crate) level: u8,
    /// The line of the nodes on its stack.
    pub(crate) nodes: LineId,
    pub(crate) counts: Counts,
    /// A handler's device.
    pub(crate) device: Option<Device>,
    yielder: *const Yielder<(), ()>,
}

/// The device that calls a handler: its class, and how often.
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

/// The way out of a thread's body, back to the loop that resumed it.
#[derive(Clone, Copy)]
pub(crate) struct Yielding(*const Yielder<(), ()>);

impl Yielding {
    /// Leaves the calling coroutine until the loop resumes it. Only the yielder's own thread may
    /// call this.
    pub(crate) fn suspend(self) {
        debug_assert!(!self.0.is_null());
        // SAFETY: the calling coroutine is the yielder's own, so the yielder is alive on its stack.
        unsafe { (*self.0).suspend(()) };
    }
}

/// Bytes of a body's stack. Debug builds use tens of thousands.
const STACK: usize = 256 << 10;

/// A body on a stack of its own.
///
/// A body that is dropped before its end is leaked with its stack: an unwind would run the code of
/// the lock. Such bodies are handlers that wait for the next interrupt, and threads of a stuck run.
pub(crate) struct Body(ManuallyDrop<Coroutine<(), (), (), DefaultStack>>);

impl Body {
    /// The body of this thread.
    pub(crate) fn new(thread: ThreadId, body: impl FnOnce() + 'static) -> Self {
        let stack = DefaultStack::new(STACK).expect("memory for a stack of 256 KiB");
        let whole = move |yielder: &Yielder<(), ()>, ()| {
            World::with(|world| world.threads[thread].yielder = yielder);
            body();
            // All events that are due before the body's end happen first.
            until_go(World::take_turn);
        };
        Self(ManuallyDrop::new(Coroutine::with_stack(stack, whole)))
    }

    /// Runs the body until it suspends itself. True: the body has ended.
    pub(crate) fn resume(&mut self) -> bool {
        matches!(self.0.resume(()), CoroutineResult::Return(()))
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        if self.0.done() {
            // SAFETY: the coroutine is not used again.
            unsafe { ManuallyDrop::drop(&mut self.0) };
        }
    }
}
