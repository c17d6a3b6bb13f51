//! The priority-sifting reader-writer lock in its form of 2008, with the smallest repairs.
//!
//! Not for use: [`siftlock_core::psrw`] is the lock to use. The bench measures that lock against
//! this one, on the same machine and behind the same [`Platform`]. The models show what had to be
//! repaired in this lock, and what cannot be.
//!
//! # Promises
//! * Readers share, a writer excludes all. An uncontended lock, or unlock of a reader, is one
//!   atomic step. An uncontended unlock of a writer is a look and a step.
//! * Contexts that interrupt each other may read, as with [`siftlock_core::psrw`]: the same four
//!   classes, the same raw calls.
//! * A writer shuts the readers out class by class, lowest first, and raises itself class by class:
//!   it masks a class only when the readers of the lower classes have left.
//! * All-zero is unlocked.
//!
//! Not promised, and the reason for [`siftlock_core::psrw`] (S8 and S9 are invariants of that
//! lock):
//! * **S8 fails**: an unlock wakes threads, in a handler too, and waits for WQ_MUTEX before that.
//!   The holder of WQ_MUTEX may have lost its processor.
//! * **S9 fails**: a writer waits for LOCK_MUTEX with every reading class masked, through the
//!   sections of all writers that come before it.
//! * Overlapping writers keep W(P) above 0, so Thread readers starve.
//! * The stage of Threads waits for readers of all classes.
//! * One slow writer, asleep behind one slow reader, sends the readers of every class down the slow
//!   path.
//! * An unlock touches the lock after its releasing step, so the last holder must not free the
//!   lock.
//! * A Thread reader that reads again while a writer waits deadlocks, as with any fair lock.
//! * A `try_read` that fails may wait for WQ_MUTEX, so the handler of a fault must not use it.
//!
//! # Words
//! | bits of `uc` | name | set by | cleared by |
//! | --- | --- | --- | --- |
//! | 0 | UC_WRITER: a writer of the fast path is inside | that writer | its unlock |
//! | 1 | UC_SLOW_WRITER: there are writers on the slow path | the first of them | the last of them |
//! | 2 | UC_WQ_ACTIVE: a thread sleeps, or is about to | a thread that is about to sleep and finds the queue empty | the thread that leaves the queue empty |
//! | 3–31 | number of readers inside, of all classes | the readers | the readers |
//!
//! | bits of `ws` | name | set by | cleared by |
//! | --- | --- | --- | --- |
//! | 0 | WS_WQ_MUTEX: guards the wait queue and UC_WQ_ACTIVE | a thread that goes to sleep, has woken, or wakes another | the same |
//! | 1 | WS_COUNT_MUTEX: guards the number and UC_SLOW_WRITER | a writer that comes or goes | the same |
//! | 2 | WS_LOCK_MUTEX: a writer of the slow path is inside | that writer | its unlock |
//! | 3–31 | number of writers on the slow path | these writers | these writers |
//!
//! | bits of a class's word | name | set by | cleared by |
//! | --- | --- | --- | --- |
//! | 0–31 | W: writers that have shut the class out | these writers | these writers |
//! | 32–63 | R: readers of the class on the slow path | these readers | these readers |
//!
//! Each half has 32 bits, because 16 bits overflow. A low class enters only while `uc` counts fewer
//! readers than a cap that leaves room for higher ones: P 2^26 − 1, NP 2^27 − 1, BH 2^28 − 1, Irq
//! 2^29 − 1.
//!
//! # Steps
//! * **Read**, fast: raise to the own class; `uc → uc + reader` while neither writer bit is on and
//!   the count is below the cap. Slow:
//!   * r1 wait for W(c) = 0 and, in the same step, R(c) + 1;
//!   * r2 wait for UC_WRITER clear and room, whatever UC_SLOW_WRITER says: `uc + reader`;
//!   * r3 R(c) − 1.
//! * **Read unlock**: `uc − reader`; lower; UC_WQ_ACTIVE in the result → *wake*.
//! * **Write**, fast: raise to the top; `uc 0 → UC_WRITER`. Slow: lower;
//!   * w1 COUNT_MUTEX and the number + 1, in one step;
//!   * w2 the number became 1 → UC_SLOW_WRITER;
//!   * w3 COUNT_MUTEX off;
//!   * for each class that reads, from the lowest: raise; W(c) + 1; wait for R(c) = 0; wait until
//!     neither a writer of the fast path nor a reader of *any* class is inside;
//!   * wait for LOCK_MUTEX.
//! * **Write unlock**: UC_WRITER on → take it off; lower; UC_WQ_ACTIVE in the result → *wake*.
//!   Otherwise LOCK_MUTEX off; from the top W(c) − 1, then lower by that class; COUNT_MUTEX and the
//!   number − 1; 0 → UC_SLOW_WRITER off; COUNT_MUTEX off; *check*.
//! * **A read or write that gives up** undoes what it has done. In r1 and w1 that is nothing, in r2
//!   R(c) − 1, in a stage the slow unlock from W − 1 of that class on. Then *check*.
//! * **Check**: full fence; UC_WQ_ACTIVE → *wake*.
//! * **Wake**: mask; WQ_MUTEX; call the first sleeper whose condition holds, which unlinks itself;
//!   drop; unmask.
//! * **Sleep**: mask; WQ_MUTEX; queue empty → UC_WQ_ACTIVE; full fence; the condition again: true →
//!   undo, go on; false → append with the condition; drop; unmask; park. Woken: mask; WQ_MUTEX;
//!   unlink; queue empty → UC_WQ_ACTIVE off; drop; unmask; *check*; look again.
//!
//! Threads that have raised nothing may sleep, after 100 failed loops: in w1, r1, r2, both waits of
//! the stage of Threads, and for LOCK_MUTEX where Threads alone read. All others spin, then nap
//! between looks. No thread sleeps on WQ_MUTEX, or on COUNT_MUTEX in the unlock. A writer of a
//! class above Thread raises itself to that class before w1.
//!
//! # Policy
//! As published, with repairs where the posted code fails:
//! * The slow unlock *checks* at its end. The posted code tested a UC_WQ_ACTIVE that it had read at
//!   the start.
//! * A woken sleeper *checks*.
//! * A wake-up goes to the first sleeper whose own condition holds. In the posted code it went to
//!   the first writer, and to the first reader if there was no writer.
//! * A class's counts have 32 bits.
//!
//! Tries and time-outs are additions. Rejected: waking after WQ_MUTEX was dropped, and every other
//! improvement that would make it another lock.
//!
//! # Invariants
//! * **T1** At most one writer is inside, never with a reader.
//! * **T2** Never UC_WRITER with LOCK_MUTEX.
//! * **T3** Outside COUNT_MUTEX, UC_SLOW_WRITER ⇔ the number of slow writers > 0.
//! * **T4** Outside WQ_MUTEX, UC_WQ_ACTIVE ⇔ the queue is not empty.
//! * **T5** W(c) > 0, c above Thread ⇒ its writers are raised to c.
//! * **T6** No thread sleeps while its condition holds and no thread is inside or on the way.
//! * **T7** At rest all words are 0.
//! * **T8** A handler never waits for its own thread.
//!
//! # Memory orderings
//! A thread that gets in acquires from the threads that left before:
//! * by `uc`: the fast paths, r2, and the look that ends a stage;
//! * by W of the class: r1;
//! * by COUNT_MUTEX and then UC_SLOW_WRITER: a fast path after slow writers;
//! * by LOCK_MUTEX: slow writers among each other.
//!
//! All steps between are read-modify-writes, which keep a release sequence whole. R(c) − 1 is a
//! release, and the look at R(c) an acquire. So a writer that sees R(c) = 0 sees in `uc` the
//! readers that R(c) counted.
//!
//! A condition may be in a class's word or in `ws`, and UC_WQ_ACTIVE is in `uc`. Then each side
//! stores to one word and loads the other, so the *check* and the *sleep* have a full fence each.
//!
//! # Source
//! The priority-sifting reader-writer lock of 2008, built from its description: Mathieu Desnoyers,
//! "Priority Sifting Reader-Writer Locks, Design and Performance tests".

#![cfg_attr(not(siftlock_model), no_std)]

mod calls;
#[cfg(siftlock_model)]
pub mod mutant;
#[cfg(siftlock_model)]
pub mod probe;
mod queue;
mod read;
mod seam;
mod shape;
mod sleep;
mod step;
mod wait;
mod word;
mod write;

pub use siftlock_core::psrw::Refused;

use crate::queue::Queue;
use crate::shape::{Shape, Stages};
use core::fmt;
use core::marker::PhantomData;
use siftlock_core::platform::Platform;
use siftlock_core::psrw::{Context, Readers};
use siftlock_core::sync::{AtomicU32, AtomicU64, Cell, Ordering, const_fn};

/// The raw lock: no data, no guards. `W` is the class that writes, `R` the classes that read: one,
/// or a tuple of them.
///
/// A call returns what it has raised, for the unlock. The lock may be dropped or freed only when no
/// thread is in any call on it: an unlock may still touch it after the next holder has got in.
///
/// ```
/// # use siftlock::platform::Native;
/// # use siftlock_core::psrw::{Irq, Thread};
/// # use psrw_2008::PsRw2008;
/// static LOCK: PsRw2008<(Thread, Irq), Thread, Native> = PsRw2008::new();
///
/// let raised = LOCK.write(Thread);
/// assert!(LOCK.try_read(Irq).is_none());
/// // SAFETY: taken above.
/// unsafe { LOCK.write_unlock(Thread, raised) };
/// assert!(LOCK.try_read(Irq).is_some());
/// ```
///
/// A reading class below the writing one does not compile:
///
/// ```compile_fail,E0080
/// # use siftlock::platform::Native;
/// # use siftlock_core::psrw::{Irq, SoftIrq, Thread};
/// # use psrw_2008::PsRw2008;
/// static LOCK: PsRw2008<(Thread, Irq), SoftIrq, Native> = PsRw2008::new();
/// ```
///
/// # Panics
/// In debug builds, calls that wait panic if the caller stands above their class: they could wait
/// for the context that they have interrupted.
#[repr(C)]
pub struct PsRw2008<R, W, P> {
    uc: AtomicU32,
    ws: AtomicU32,
    classes: [AtomicU64; 4],
    queue: Queue,
    /// What the slow writer inside has raised, except for the top class.
    stages: Cell<Stages>,
    platform: PhantomData<fn() -> P>,
    contexts: PhantomData<fn() -> (W, R)>,
}

impl<R: Readers, W: Context, P> PsRw2008<R, W, P> {
    const_fn! {
        /// An unlocked lock.
        #[must_use]
        pub const fn new() -> Self {
            let () = Shape::<W, R>::SOUND;
            Self {
                uc: AtomicU32::new(0),
                ws: AtomicU32::new(0),
                classes: [AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0)],
                queue: Queue::new(),
                stages: Cell::new(Stages::NONE),
                platform: PhantomData,
                contexts: PhantomData,
            }
        }
    }
}

/// Shows the words as they are at the moment.
impl<R, W, P> fmt::Debug for PsRw2008<R, W, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Relaxed: stale as soon as it is printed.
        let classes = self.classes.each_ref().map(|word| word.load(Ordering::Relaxed));
        f.debug_struct("PsRw2008")
            .field("uc", &self.uc.load(Ordering::Relaxed))
            .field("ws", &self.ws.load(Ordering::Relaxed))
            .field("classes", &classes)
            .finish_non_exhaustive()
    }
}

impl<R: Readers, W: Context, P: Platform> Default for PsRw2008<R, W, P> {
    fn default() -> Self {
        Self::new()
    }
}
