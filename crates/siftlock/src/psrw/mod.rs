//! `PsRwLock<T>`: a value that signal handlers and real-time threads may read while threads write
//! it.
//!
//! # In a write section
//! A thread is raised from the last stage of its write until the guard is dropped: to the highest
//! class that reads the lock. Handlers up to that class are put off, not lost. A read above
//! [`Thread`] raises its thread to the read's own class. So, under such a guard:
//! * be short: the readers that the lock protects from delay wait meanwhile;
//! * do not wait for a signal of this thread (`sigwait`, `sigsuspend`, `ppoll`), since it may be
//!   put off; and expect `EINTR` from calls that block;
//! * leave by the guard's end, and not by `longjmp` or the thread's exit (a panic unlocks, too, but
//!   it takes locks before);
//! * take no lock, and above all do not allocate or free.
//!
//! **A write section of a lock that handlers read must take no lock that an interrupted thread may
//! hold, the allocator's above all.** The handler waits for the writer, on top of the interrupted
//! thread:
//!
//! | thread A | thread B |
//! | --- | --- |
//! | `drop(text)`: `free` takes the allocator's lock | |
//! | | `let mut table = lock.write();` |
//! | interrupted: its handler calls `lock.read_at(interrupt)`, and waits for B | |
//! | | `table.push(entry)` allocates, and waits for A: **deadlock** |
//!
//! Printing, logging, a value that is made on first use, and a panic take locks as well. The same
//! rule holds under a read guard of class [`SoftIrq`] or [`Irq`]: a writer waits for the guard, and
//! handlers wait for that writer.
//!
//! So **make the new value outside, and drop the old one there.** [`PsRwLock::update`] and
//! [`PsRwLock::replace`] do that. Through the guard of [`PsRwLock::write`], change values that stay
//! in their place: numbers, elements of an array, a `Vec` up to its capacity.
//!
//! The rule is milder for a lock that only [`Thread`] and [`NonPreemptible`] read, since no handler
//! waits for its sections. They may allocate, and take locks other than this crate's. (Debug builds
//! refuse the waiting calls of this crate's locks there.)
//!
//! Debug builds help to find a section that breaks the rule. With [`WatchedAllocator`] as its
//! allocator, a program ends where such a section allocates. A call of this crate's locks that may
//! wait panics there, except for the try forms without a time-out. Other locks are not watched.
//!
//! # Which thread waits for which
//! | waits | for |
//! | --- | --- |
//! | a reader of class c | a writer that is inside, or that waits for readers of class c and above, or (`Thread` only) for Thread readers |
//! | a writer | one turn of each writer before it, and in its own turn the readers that are in; no reader of a class comes in once the writer has shut that class out |
//!
//! So no stream of Thread readers starves a writer, nor do readers of the top class. (Where a lock
//! has classes between, handlers that read without a gap can.) Writers come in order, but a running
//! writer may pass sleeping ones until the first of them has waited 4 ms ([`policy::Strict`]:
//! never). A Thread reader waits in the same queue, and readers that stand next to each other in it
//! go in together. While no writer shuts threads out, a Thread reader never queues.
//!
//! [`NonPreemptible`]: crate::context::NonPreemptible
//! [`SoftIrq`]: crate::context::SoftIrq

mod access;
mod change;
mod guard;
mod held;
mod hold;
mod part;
mod place;
pub mod policy;
mod read;
mod watched;
mod write;

pub use self::guard::{MappedPsWriteGuard, PsReadGuard, PsWriteGuard};
pub use self::place::Place;
pub use self::policy::Policy;
pub use self::watched::WatchedAllocator;
pub use siftlock_core::psrw::{Readers, Reads, Refused, Writes};

use self::policy::Standard;
use crate::context::{Context, Irq, Thread};
use crate::platform::Native;
use siftlock_core::platform::Platform;
use std::cell::UnsafeCell;
use std::fmt;
use std::ptr::NonNull;

/// The lock of [`PsRwLock`] without data and guards, on this system's platform. A call returns what
/// it has raised, and the unlock takes that back. 16 bytes; all zero is unlocked.
///
/// Its calls say why they were [refused](Refused). They take the class itself as their argument:
/// the caller has to know that it is in a context of that class, or below it.
///
/// ```
/// use siftlock::context::NonPreemptible;
/// use siftlock::psrw::RawPsRwLock;
///
/// static LOCK: RawPsRwLock<NonPreemptible> = RawPsRwLock::new();
/// let raised = LOCK.read(NonPreemptible);
/// // SAFETY: read just now, with this result.
/// unsafe { LOCK.read_unlock(NonPreemptible, raised) };
/// ```
pub type RawPsRwLock<R = (Thread, Irq), W = Thread, L = Standard, P = Native> =
    siftlock_core::psrw::PsRwLock<R, W, L, P>;

/// A value that threads, real-time threads and signal handlers read, and that threads write.
///
/// **However slow its thread readers are, a writer keeps a signal handler waiting only while other
/// handlers read, and while it writes.** It shuts its readers out class by class, lowest first.
/// While it waits for slow threads, handlers go on reading. When the threads have left, it puts
/// handlers off, and waits for handlers alone.
///
/// ```
/// use siftlock::PsRwLock;
///
/// // Read by threads and by handlers of class `Irq`, written by threads: the usual lock.
/// static SYMBOLS: PsRwLock<Vec<(usize, &str)>> = PsRwLock::new(Vec::new());
///
/// let symbols = vec![(0x1000, "main")]; // allocates, out here
/// let _old = SYMBOLS.replace(symbols); // and is freed out here
/// assert_eq!(SYMBOLS.read().len(), 1);
/// ```
///
/// # Do not allocate in a write section
/// **A write section of a lock that handlers read must not allocate or free, nor take any other
/// lock.** A thread that a handler has interrupted may hold that lock, and the handler waits for
/// the writer. Make new values outside, and drop old ones there: [`update`](Self::update),
/// [`replace`](Self::replace). [`psrw`](crate::psrw#in-a-write-section) has the whole rule, and
/// [`WatchedAllocator`] finds a section that breaks it.
///
/// # Contexts
/// `R` names the classes that read, one or a tuple, and `W` the one that writes. Lowest first:
///
/// | class | its contexts | how it waits | how it reads |
/// | --- | --- | --- | --- |
/// | [`Thread`] | any thread | asleep | `read()` |
/// | [`NonPreemptible`] | a thread that must not block: real-time, audio | awake, then by short naps | `read_at(NonPreemptible)` |
/// | [`SoftIrq`] | a handler [registered](crate::context) at this level | the same | `read_at(interrupt)` |
/// | [`Irq`] | a handler registered at this level; interrupts all others | the same | `read_at(interrupt)` |
///
/// A thread that is [`Masked`] to a class may read in it too. In every class, an uncontended read
/// is one atomic step to take the lock and one to leave it.
///
/// # Do not read what you are reading
/// **A thread that holds a read guard and calls `read` again deadlocks if a writer comes in
/// between**: the writer waits for the first read, and the second waits for the writer. Hand the
/// guard down instead. Debug builds panic at such a call, and at a `write` under a guard of the
/// same lock, whether or not a writer waits. So run your tests in a debug build. It knows sixteen
/// guards of a thread. If a guard was forgotten, and another lock stands at the same address now,
/// it takes the guard for one of that lock. In a handler, where a panic could hang, it ends the
/// process with the same message. A thread may read again in a class *above* the one that it holds,
/// as a handler does on top of its thread.
///
/// # In handlers
/// A handler reads by `read_at(interrupt)`. `read()`, `write()` and `read_at(NonPreemptible)`
/// compile there, and **deadlock if they wait for the interrupted thread**. Debug builds end the
/// process at each such call. The same holds for every call of an [`RwSem`](crate::RwSem).
///
/// # In handlers of faults
/// A handler of `SIGSEGV`, `SIGBUS`, `SIGFPE`, `SIGILL`, `SIGTRAP` or `SIGSYS`, and of `SIGABRT`,
/// uses [`try_read_at`](Self::try_read_at) and nothing else: the fault may lie inside the write
/// section.
/// At a stack overflow it runs on the thread's alternate stack, which is
/// [small](crate::context::Handler::flags).
///
/// # What does not compile
/// A reading class below the writing one:
/// ```compile_fail,E0277
/// # use siftlock::{PsRwLock, context::{Irq, SoftIrq, Thread}};
/// static LOCK: PsRwLock<u32, (Thread, Irq), SoftIrq> = PsRwLock::with_classes(0);
/// ```
/// A read in a class that the lock does not name:
/// ```compile_fail,E0277
/// # use siftlock::{PsRwLock, context::{Irq, NonPreemptible, Thread}};
/// static LOCK: PsRwLock<u32, (Thread, Irq)> = PsRwLock::new(0);
/// let guard = LOCK.read_at(NonPreemptible);
/// ```
/// A handler's read without the [`Interrupt`] that only handlers have:
/// ```compile_fail,E0277
/// # use siftlock::{PsRwLock, context::Irq};
/// static LOCK: PsRwLock<u32> = PsRwLock::new(0);
/// let guard = LOCK.read_at(Irq);
/// ```
/// A write from another class than the writing one:
/// ```compile_fail,E0271
/// # use siftlock::{PsRwLock, context::NonPreemptible};
/// static LOCK: PsRwLock<u32> = PsRwLock::new(0);
/// let guard = LOCK.write_at(NonPreemptible);
/// ```
/// Sending a guard to another thread, since only its own thread is raised:
/// ```compile_fail,E0277
/// # use siftlock::PsRwLock;
/// static LOCK: PsRwLock<u32> = PsRwLock::new(0);
/// let guard = LOCK.read();
/// std::thread::spawn(move || drop(guard));
/// ```
/// Writing through a read guard:
/// ```compile_fail,E0594
/// # use siftlock::PsRwLock;
/// static LOCK: PsRwLock<u32> = PsRwLock::new(0);
/// *LOCK.read() = 1;
/// ```
/// Sharing a value that must stay on its thread, or that threads must not share:
/// ```compile_fail,E0277
/// # use siftlock::PsRwLock;
/// static LOCK: PsRwLock<std::cell::Cell<u32>> = PsRwLock::new(std::cell::Cell::new(0));
/// ```
///
/// [`NonPreemptible`]: crate::context::NonPreemptible
/// [`SoftIrq`]: crate::context::SoftIrq
/// [`Masked`]: crate::context::Masked
/// [`Interrupt`]: crate::context::Interrupt
pub struct PsRwLock<T: ?Sized, R = (Thread, Irq), W = Thread, L = Standard, P = Native> {
    raw: RawPsRwLock<R, W, L, P>,
    value: UnsafeCell<T>,
}

const _: () = assert!(size_of::<usize>() != 8 || size_of::<PsRwLock<()>>() == 16);

// SAFETY: the value goes with the lock, and nobody holds the lock when it goes.
unsafe impl<T: ?Sized + Send, R, W, L, P> Send for PsRwLock<T, R, W, L, P> {}

// SAFETY: readers share the value, so `T: Sync`; a writer can take it out, so `T: Send`. All others
// are kept out by the lock (S1).
unsafe impl<T: ?Sized + Send + Sync, R, W, L, P> Sync for PsRwLock<T, R, W, L, P> {}

impl<T> PsRwLock<T> {
    /// An unlocked lock that threads and handlers of class [`Irq`] read. For other classes, a
    /// policy or a platform, see [`with_classes`](Self::with_classes).
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self::with_classes(value)
    }
}

impl<T, R, W, L, P> PsRwLock<T, R, W, L, P> {
    /// An unlocked lock with the classes, the policy and the platform of its type.
    ///
    /// ```
    /// use siftlock::PsRwLock;
    /// use siftlock::context::{NonPreemptible, Thread};
    ///
    /// static VOLUME: PsRwLock<f32, (Thread, NonPreemptible)> = PsRwLock::with_classes(1.0);
    /// assert_eq!(*VOLUME.read_at(NonPreemptible), 1.0);
    /// ```
    #[must_use]
    pub const fn with_classes(value: T) -> Self
    where
        R: Readers,
        W: Writes<R>,
    {
        Self { raw: RawPsRwLock::new(), value: UnsafeCell::new(value) }
    }

    /// The value, without its lock.
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }
}

impl<T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<T, R, W, L, P> {
    /// The value, without locking: this borrow of the lock excludes all others.
    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }

    /// The value's address, without locking. A caller that reads the value has to know that no
    /// thread writes it. A caller that writes it has to know that no other thread uses it.
    ///
    /// ```
    /// use siftlock::PsRwLock;
    ///
    /// let lock = PsRwLock::new(5);
    /// let _guard = lock.read();
    /// // SAFETY: nobody writes while this thread reads.
    /// assert_eq!(unsafe { *lock.data_ptr() }, 5);
    /// ```
    #[must_use]
    pub const fn data_ptr(&self) -> *mut T {
        self.value.get()
    }

    /// [`data_ptr`](Self::data_ptr), in the form that guards keep.
    #[inline]
    fn value(&self) -> NonNull<T> {
        // SAFETY: the cell is there.
        unsafe { NonNull::new_unchecked(self.value.get()) }
    }

    /// Whether the lock is held. The answer may be stale as soon as it is returned.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.raw.is_locked()
    }

    /// Whether a writer has the lock or shuts its readers out. The answer may be stale as soon as
    /// it is returned.
    #[must_use]
    pub fn is_locked_exclusive(&self) -> bool {
        self.raw.is_locked_for_writing()
    }

    /// The lock beneath, for calls that say why they were refused. A hold that is taken there has
    /// no guard.
    #[must_use]
    pub fn raw(&self) -> &RawPsRwLock<R, W, L, P> {
        &self.raw
    }
}

impl<T: Default, R: Readers, W: Writes<R>, L, P> Default for PsRwLock<T, R, W, L, P> {
    fn default() -> Self {
        Self::with_classes(T::default())
    }
}

impl<T, R: Readers, W: Writes<R>, L, P> From<T> for PsRwLock<T, R, W, L, P> {
    fn from(value: T) -> Self {
        Self::with_classes(value)
    }
}

/// Shows whether the lock is held, not the value, which some contexts may not read; does not wait.
impl<T, R, W, L, P> fmt::Debug for PsRwLock<T, R, W, L, P>
where
    T: ?Sized,
    R: Readers,
    W: Context,
    L: Policy,
    P: Platform,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PsRwLock")
            .field("locked", &self.is_locked())
            .field("locked_for_writing", &self.is_locked_exclusive())
            .finish_non_exhaustive()
    }
}
