//! PsRwLock: the priority-sifting reader-writer lock.
//!
//! # Promises
//! * Readers share, a writer excludes all. An uncontended lock or unlock is one atomic step.
//! * Contexts that interrupt each other may read: interrupt handlers, signal handlers. A reader
//!   above [`Thread`] never sleeps and never wakes a thread. It waits for a writer only while that
//!   writer waits for readers of the same class and higher ones, or is inside.
//! * So **a writer masks a context only while readers of that context's class and above leave,
//!   however slow the lock's other readers are**: it shuts the readers out class by class, lowest
//!   first.
//! * **An unlock's releasing step is its last access to the lock.** The same holds for the undo of
//!   a write that gives up. So the memory may be freed as soon as its last holder has let go.
//! * All-zero is unlocked; 16 bytes.
//!
//! Not promised: a Thread reader that reads again while a writer waits deadlocks, as with any fair
//! lock. A class never waits at a level above its own (debug builds panic): use the try forms
//! there. A handler of a *fault* uses [`try_read`](PsRwLock::try_read) only: the fault may lie
//! inside the write section.
//!
//! # Contexts
//! Four classes, lowest first: [`Thread`] (P), [`NonPreemptible`] (NP), [`SoftIrq`] (BH), [`Irq`].
//! A lock's type names the one class that writes, and the set of classes that read. A handler must
//! not read a value that its own thread may be writing unmasked. So no reading class is below the
//! writing one, and this does not compile:
//!
//! ```compile_fail,E0277
//! # use siftlock_core::psrw::{Irq, PsRwLock, SoftIrq, Thread, policy::Standard};
//! # type Any = ();
//! static LOCK: PsRwLock<(Thread, Irq), SoftIrq, Standard, Any> = PsRwLock::new();
//! ```
//!
//! Nor does a read in a class that the lock does not name:
//!
//! ```compile_fail,E0277
//! # use siftlock_core::psrw::{Irq, PsRwLock, SoftIrq, Thread, policy::Standard};
//! # use siftlock_core::platform::{Instant, Platform};
//! # use siftlock_core::{record::{Record, RecordId}, sync::AtomicU32};
//! # struct Any;
//! # unsafe impl Platform for Any {
//! #     fn current() -> &'static Record { unimplemented!() }
//! #     fn record(_: RecordId) -> &'static Record { unimplemented!() }
//! #     fn wait(_: &Record, _: &AtomicU32, _: u32, _: Option<Instant>) {}
//! #     fn wake(_: &Record, _: &AtomicU32) {}
//! #     fn yield_now() {}
//! #     fn now() -> Instant { Instant::from_nanos(0) }
//! #     fn may_spin() -> bool { false }
//! # }
//! static LOCK: PsRwLock<(Thread, Irq), Thread, Standard, Any> = PsRwLock::new();
//! let raised = LOCK.try_read(SoftIrq);
//! ```
//!
//! A read in a class that it names compiles:
//!
//! ```
//! # use siftlock_core::psrw::{Irq, PsRwLock, SoftIrq, Thread, policy::Standard};
//! # use siftlock_core::platform::{Instant, Platform};
//! # use siftlock_core::{record::{Record, RecordId}, sync::AtomicU32};
//! # struct Any;
//! # unsafe impl Platform for Any {
//! #     fn current() -> &'static Record { unimplemented!() }
//! #     fn record(_: RecordId) -> &'static Record { unimplemented!() }
//! #     fn wait(_: &Record, _: &AtomicU32, _: u32, _: Option<Instant>) {}
//! #     fn wake(_: &Record, _: &AtomicU32) {}
//! #     fn yield_now() {}
//! #     fn now() -> Instant { Instant::from_nanos(0) }
//! #     fn may_spin() -> bool { false }
//! # }
//! static LOCK: PsRwLock<(Thread, Irq), Thread, Standard, Any> = PsRwLock::new();
//! assert!(LOCK.try_read(Irq).is_some());
//! ```
//!
//! # Words
//! | bits of `word` | name | set by | cleared by |
//! | --- | --- | --- | --- |
//! | 0 | WRITER: one writer sifts or is inside | the writer whose turn it is | its unlock or undo |
//! | 1–4 | CLOSED(P), (NP), (BH), (Irq): no more readers of this class | that writer | the same |
//! | 5 | HANDOFF: no writer begins past the first waiter | the first waiter when overdue | the thread that changes HEAD |
//! | 6–23 | number of Thread readers | the readers, also as the first waiter | the readers |
//! | 24–41 | number of readers of all higher classes | the readers | the readers |
//! | 42–63 | HEAD: record id of the first waiter, 0 = none | that waiter, or its predecessor when it leaves | the same |
//!
//! `waiters` is the first node of one FIFO of Thread-class waiters. Its bit 0 is the list lock.
//! HEAD and HANDOFF change under the list lock only. A low class enters only while its field is
//! below a cap that leaves room for higher ones: P and Irq 2^18 − 1, BH 2^17 − 1, NP 2^16 − 1.
//!
//! # States
//! `(WRITER, CLOSED, threads, highs, HEAD)` of a lock that P, BH and Irq read: `(0,–,0,0,–)` free ·
//! `(0,–,n,m,–)` read · `(1,P,n,m,w)` *drain*: the writer w sleeps until n is 0, high readers come
//! and go · `(1,P BH,0,m,–)`, `(1,P BH Irq,0,m,–)` the last stages, raised and awake · `(1,P BH
//! Irq,0,0,–)` written. In drain HEAD is the draining writer. In all other states it is the first
//! of the queue.
//!
//! # Steps
//! * **Read**: raise to the own class; `v → v + reader` by compare-and-swap while CLOSED of the
//!   class is clear and its field is below the cap. Otherwise a Thread queues, and a higher class
//!   polls.
//! * **Unlock** of a high reader subtracts, and that is all. A Thread reader subtracts, and wakes
//!   HEAD if its field is left at 0 or just below the cap.
//! * **Write**, fast: raise to the top; `0 → WRITER + CLOSED(all)`. Otherwise lower again, and
//!   sift:
//!   * w1 `v → v + WRITER + CLOSED(P)` if there is no WRITER, with or without readers; otherwise
//!     queue;
//!   * w2 *drain*, if Threads read and are in: `v → v with HEAD(me)`, at the front, asleep;
//!   * w3 for each higher class that reads, from the lowest: raise to it, `v → v + CLOSED`, wait
//!     until both fields are 0.
//! * **Update**: w1; then the caller makes the new value from the old one; then w2, w3. While the
//!   caller prepares, only Threads wait, nothing is raised, and no higher class is closed. So the
//!   caller may wait there for a lock that a thread beneath a handler holds, the allocator's above
//!   all. Inside the section it may not: **a thread that a handler has interrupted may hold any
//!   lock, and the handler waits for the writer.**
//! * **Write unlock**, and the undo of every stage: `v → v − WRITER − CLOSED`; lower; wake HEAD.
//! * **Downgrade**: `v → v − WRITER − CLOSED + 1 Thread reader`; lower; wake HEAD.
//! * **The first waiter**, once woken, takes its own step, under the list lock: `v, me → v + its
//!   share, next`. A reader that does so wakes the next one: readers come in by a chain.
//! * A writer of a class above Thread polls in w1 at its own level. No Thread reads such a lock, so
//!   it has no w2, and no thread ever queues.
//!
//! A call that may sleep registers first. If its record's id does not fit HEAD (22 bits), it fails
//! with [`Refused::TooManyThreads`] before it has made any step. Contexts that do not sleep need no
//! record.
//!
//! Six rules:
//! * **U** The releasing step is an unlock's last access to the lock, undo included.
//! * **H** Only contexts of class Thread sleep, take the list lock or wake a thread. The Thread
//!   stage is the only one that sleeps, and it waits for Thread readers only. So a high reader
//!   wakes no thread.
//! * **F** After a step that brings the Thread field to 0 or off its cap, and after every step that
//!   takes WRITER off, the thread wakes HEAD, as it stands in the value *after* the step.
//! * **N** HEAD is set to a new waiter only by a compare-and-swap against a value in which that
//!   waiter's condition is *false*. A head that leaves wakes its heir, unless it leaves with
//!   WRITER.
//! * **R** Raise, then close; open, then lower.
//! * **L** A raised Thread waits for high readers only, never for a writer: writers queue first,
//!   then one of them sifts.
//!
//! # Policy
//! Constants of [`Policy`] decide whether writers steal, and whether a Thread waits awake for some
//! microseconds before it sleeps. The first waiter ends the steals after 4 ms. Rejected:
//! * closing all classes at once: the highest class would wait for the slowest reader;
//! * a word for each class, as published in 2008: it needs fences, and an unlock that wakes threads
//!   from handlers;
//! * looking at readers in w1: a stream of them would starve the queue;
//! * a reader's addition that is taken back: a handler between the two steps would wait for a
//!   writer that waits for the reader;
//! * wake-ups by high readers: a handler would wait for the list lock of the thread that it
//!   interrupts;
//! * reads by slot. If a class keeps to slots until it is closed, its writer waits, raised, for
//!   every processor. If slots are taken out of use before that, a raised `try_write` still has two
//!   bad choices: to wait for every processor, or to fail on a free lock.
//!
//! # Invariants
//! * **S1** At most one writer is inside, never with a reader.
//! * **S2** CLOSED ≠ 0 ⇒ WRITER.
//! * **S3** CLOSED(c), c above Thread ⇒ its writer is raised to c.
//! * **S4** Outside the list lock HEAD is the first of the list. HANDOFF ⇒ HEAD.
//! * **S5** While a writer sifts, no other writer does.
//! * **S6** A sleeper whose condition is true ⇒ HEAD's token is set, or HEAD runs, or a thread is
//!   between a step of rule F or N and its wake-up.
//! * **S7** At rest all words are 0.
//! * **S8** A reader of a class c above Thread enters by its own steps alone if no writer is raised
//!   to c and its field is below its cap. Every unlock ends by its own steps alone.
//! * **S9** Rule L.
//! * **R7** No unlock touches the lock after its releasing step.
//! * **S10** A call may have a part of the lock: a reader in the word, WRITER, CLOSED, a node in
//!   the queue, the list lock. Meanwhile it asks the platform for nothing that can allocate, open a
//!   file, end the thread, or block for another reason than this lock. A thread that may sleep gets
//!   its record before.
//!
//! # Memory orderings
//! One word is enough. A class is closed, and a reader is counted, by read-modify-writes of it. So
//! a writer that has closed c sees every reader of c that entered before. HEAD is published against
//! the very value in which the condition is false. So the thread that makes the condition true
//! finds HEAD. There is no store-load race, and no fence.
//!
//! Every step that enters is Acquire, and so is every look that ends a wait. They pair with the
//! Release of every step that leaves. All steps between are read-modify-writes, which keep a
//! release sequence whole. The token and the list lock order all that follows a wake-up.
//!
//! # Source
//! Mathieu Desnoyers' priority-sifting reader-writer lock of 2008 (`docs/sources.md`): its idea,
//! that a writer raises itself step by step, in a protocol of its own.

mod calls;
mod context;
pub mod policy;
mod poll;
#[cfg(siftlock_model)]
mod probe;
mod queue;
mod read;
mod sift;
mod step;
mod update;
mod word;
mod write;

pub use self::context::{
    Classes, Context, Irq, NonPreemptible, Readers, Reads, SoftIrq, Thread, Writes,
};
pub use self::policy::Policy;
#[cfg(siftlock_model)]
pub use self::probe::Snapshot;
pub use crate::Refused;

use crate::platform::Platform;
use crate::sync::{AtomicU64, const_fn};
use crate::wait::WaitList;
use core::marker::PhantomData;

/// The raw lock: no data, no guards. `W` is the class that writes, `R` the classes that read: one,
/// or a tuple of them.
///
/// A call returns what it has raised, for the unlock. On a platform without interruptions that is
/// nothing.
///
/// # Panics
/// [`read`](Self::read) and [`write`](Self::write) panic on [`Refused::TooManyThreads`]. In debug
/// builds, calls that wait panic if the caller stands above their class: they could wait for the
/// context that they have interrupted.
#[derive(Debug)]
#[repr(C)]
pub struct PsRwLock<R, W, L, P> {
    word: AtomicU64,
    waiters: WaitList,
    platform: PhantomData<fn() -> (L, P)>,
    contexts: PhantomData<fn() -> (R, W)>,
}

#[cfg(all(not(siftlock_model), target_pointer_width = "64"))]
const _: () = assert!(size_of::<PsRwLock<Thread, Thread, (), ()>>() == 16);

impl<R, W, L, P> PsRwLock<R, W, L, P> {
    const_fn! {
        /// An unlocked lock.
        #[must_use]
        pub const fn new() -> Self
        where
            W: Writes<R>,
            R: Readers
        {
            Self {
                word: AtomicU64::new(0),
                waiters: WaitList::new(),
                platform: PhantomData,
                contexts: PhantomData,
            }
        }
    }
}

impl<R: Readers, W: Writes<R>, L: Policy, P: Platform> Default for PsRwLock<R, W, L, P> {
    fn default() -> Self {
        Self::new()
    }
}
