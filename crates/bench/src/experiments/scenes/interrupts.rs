//! Readers in signal handlers: a timer on each thread, whose handler reads the lock.

use std::cell::{Cell, UnsafeCell};
use std::sync::OnceLock;

use siftlock::context::{self, Interrupt, Irq};

use super::actor::inside;
use super::stage::Stage;
use super::watch::{Stopwatch, Watch};
use crate::machine::{Timer, masked};
use crate::run::Fault;
use crate::stats::Interruption;
use crate::subjects::Placed;
use crate::verify::Witness;

/// The most interruptions of a thread that are kept: 21 MB.
const MOST: usize = 1 << 19;

thread_local! {
    /// The reader in this thread's handler.
    static POST: Cell<Option<Call>> = const { Cell::new(None) };
}

/// A reader, and the function that it runs when the timer fires.
#[derive(Clone, Copy)]
struct Call {
    post: *mut (),
    read: unsafe fn(*mut ()),
}

/// The handler's side of a thread.
struct Post<'a, L> {
    stage: &'a Stage<L>,
    lock: &'a L,
    witness: Witness<'a>,
    watch: Stopwatch,
    /// Has room for the interruptions that are kept: a handler does not allocate.
    seen: Vec<Interruption>,
    /// How many were too many.
    lost: u64,
}

/// The interruptions of the calling thread, for as long as this lives.
pub(super) struct Interrupts<'a, L> {
    /// Not a `Box`: the handler has a pointer to it.
    post: *mut UnsafeCell<Post<'a, L>>,
    timer: Timer,
}

impl<'a, L: Placed> Interrupts<'a, L> {
    /// Begins to interrupt the calling thread, which has this seat.
    pub(super) fn start(stage: &'a Stage<L>, seat: usize) -> Result<Self, Fault> {
        let signal = signal()?;
        let post = Post {
            stage,
            lock: stage.lock(seat),
            witness: stage.ward().witness(),
            watch: Stopwatch::new(&stage.clock),
            seen: Vec::with_capacity(MOST.min(stage.expected_interruptions())),
            lost: 0,
        };
        // The threads are interrupted in turn, so that not all handlers meet every time.
        let turn = (seat + 1) as f64 / stage.test.threads() as f64;
        let timer = Timer::start(signal, stage.interrupt_delay, turn);
        let timer = timer.map_err(|source| Fault::NoInterrupts { why: source.to_string() })?;
        let post = Box::into_raw(Box::new(UnsafeCell::new(post)));
        POST.set(Some(Call { post: post.cast(), read: read::<L> }));
        Ok(Self { post, timer })
    }

    /// Ends the interruptions. Returns the times of each read, and the number of reads whose times
    /// found no room.
    pub(super) fn stop(self) -> (Vec<Interruption>, u64) {
        drop(self.timer);
        // A signal that is still on its way finds no reader.
        POST.set(None);
        // SAFETY: made by `Box::into_raw` above; no handler has the pointer any more.
        let post = unsafe { Box::from_raw(self.post) };
        let Post { seen, lost, .. } = post.into_inner();
        (seen, lost)
    }
}

/// Called by the handler.
fn on_timer(_: &Interrupt<'_, Irq>) {
    if let Some(Call { post, read }) = POST.get() {
        // SAFETY: `POST` holds a post of the type that `read` expects, for as long as it lives.
        masked::in_handler(|| unsafe { read(post) });
    }
}

/// # Safety
/// `post` points to a `Post<L>` that nothing else uses now.
unsafe fn read<L: Placed>(post: *mut ()) {
    // SAFETY: the caller's promise. The thread beneath touches the post only before and after the
    // timer, and the handler does not interrupt itself.
    let post = unsafe { &mut *post.cast::<UnsafeCell<Post<'_, L>>>() }.get_mut();
    let Post { stage, lock, witness, watch, seen, lost } = post;
    let asked = watch.mark();
    let look = || witness.read(|| stage.read_in_handler());
    let (took, leaving) = lock.reading(Irq, || inside(watch, &asked, look));
    let unlock = watch.since(&leaving);
    if seen.len() == seen.capacity() {
        *lost += 1;
        return;
    }
    // SAFETY: asks for the processor's number.
    let cpu = unsafe { libc::sched_getcpu() };
    seen.push(Interruption { cpu: u32::try_from(cpu).unwrap_or(0), lock: took, unlock });
}

/// The signal whose handler reads, registered by its first caller.
fn signal() -> Result<libc::c_int, Fault> {
    static REGISTERED: OnceLock<Result<(), String>> = OnceLock::new();
    let signal = libc::SIGRTMIN() + 2;
    let registered = REGISTERED.get_or_init(|| {
        // SAFETY: `on_timer` reads a lock, and writes its times into memory that is already there.
        let registered = unsafe { context::register::<Irq>(signal, on_timer) };
        registered.map(drop).map_err(|error| error.to_string())
    });
    registered.clone().map(|()| signal).map_err(|why| Fault::NoInterrupts { why })
}
