//! Contexts that interrupt each other in a program: threads, and the handlers of signals.
//!
//! While a thread writes a lock that a signal handler reads, it must keep that handler out. So
//! handlers are *registered* at one of two levels, [`SoftIrq`] or [`Irq`]. [`Masked`], and the
//! locks that need it, *raise* a thread to a level. A signal that arrives at a raised thread is
//! handled when the thread is lowered.
//!
//! Raising is lazy: it makes no system call, and takes a cycle or so. A signal that comes meanwhile
//! is noted and put off, and sent once more when the thread is lowered. Signals of one number keep
//! their order; of several, the system delivers the lowest number first. The handler finds all that
//! the system gave: `siginfo_t`, a context, the alternate stack, the mask.
//!
//! ```
//! # #[cfg(target_os = "linux")] {
//! use siftlock::context::{self, Interrupt, Irq, Masked};
//! use std::sync::atomic::{AtomicU32, Ordering};
//!
//! static TICKS: AtomicU32 = AtomicU32::new(0);
//!
//! fn tick(_: &Interrupt<'_, Irq>) {
//!     TICKS.fetch_add(1, Ordering::Relaxed);
//! }
//!
//! // SAFETY: `tick` does nothing but count.
//! unsafe { context::register(libc::SIGUSR1, tick)? };
//! let masked = Masked::<Irq>::new();
//! unsafe { libc::raise(libc::SIGUSR1) };
//! assert_eq!(TICKS.load(Ordering::Relaxed), 0);
//! drop(masked);
//! assert_eq!(TICKS.load(Ordering::Relaxed), 1);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to know
//! A thread is raised by [`Masked`], and inside a lock that a handler reads.
//!
//! * **In a raised region** do not wait for a registered signal: `sigwait`, `sigtimedwait`,
//!   `signalfd`, `ppoll`, `pselect`, `sigsuspend`. Blocking calls may return early with `EINTR`.
//!   Leave the region by its end, not by `longjmp`, nor by the end of the thread. After the region
//!   a thread may wait for signals; a handler must not.
//! * **A signal that the program blocks** in a raised region, after it was put off, goes back to
//!   the system at the region's end. If more of the same signal has arrived since, those signals
//!   come first. The signal that was put off comes at the end of the next region. A real-time
//!   signal may be let in again at the region's end, although the program has blocked it. That
//!   happens if more of it arrived in the region than can be noted.
//! * **A signal that goes back so** pends for this thread alone, even if it was sent to the
//!   process: **another thread that waits for the signal does not get it.** The process's first
//!   thread, to which most signals to the process come, gives some of them back to the process. It
//!   does so with standard signals that surely came to the process: by `kill`, from a terminal,
//!   from `alarm` or `setitimer`, or from a child. It cannot tell `sigqueue` from
//!   `pthread_sigqueue`, nor for which thread a timer of `timer_create` was. So if one thread waits
//!   for a signal, have all threads block it, but not inside a region.
//! * **Standard signals** that are put off merge, and the first one's information stays. For one
//!   timer the count of overruns grows. [`Interrupt::expirations`] reads that count, and
//!   `timer_getoverrun` does not know it. Two timers with one standard signal merge as well, and
//!   only the first one counts. Give each timer its own signal.
//! * **A signal to the process** may come late, although other threads are free, if the system
//!   chose a raised thread for it.
//! * **Other handlers of the same signal** (`signal-hook`, a language's runtime) must be installed
//!   *before* it is registered, and the registered one [calls them](Handler::then_earlier). A
//!   handler that is installed later, with plain `sigaction`, is called even on raised threads, so
//!   it must not use locks. [`Registration::check`] finds it. If it calls the registered handler,
//!   that call is still put off, and then made as a function call, without a
//!   [context](Interrupt::ucontext).
//! * **Signals of faults** (`SIGSEGV` and such) are handled at once if an instruction raised them,
//!   on a raised thread as well. The same holds for `SIGABRT` by `abort`, or by `pthread_kill` in
//!   this process. Such a handler uses only [`try_read_at`](crate::PsRwLock::try_read_at). (Where
//!   this crate ends the process it calls no registered handler of `SIGABRT`.)
//! * **While handlers may wait for a thread**, it must take no lock that an interrupted thread may
//!   hold. So it must not allocate in [a write section](crate::psrw#in-a-write-section). Under
//!   [`Masked`] alone no handler waits for it.
//! * **A handler must not panic**: that ends the process. It may leave by `longjmp`, if it has
//!   locked nothing, holds no [`Masked`], and interrupts neither a raised thread nor a lock's own
//!   call. (An unlock first lets the handlers in that were put off, and then wakes the threads that
//!   wait for the lock.)
//! * A handler drops each guard of a [`PsRwLock`](crate::PsRwLock) and each [`Masked`] that it
//!   takes before it returns, and none that it finds. One that is forgotten leaves the interrupted
//!   thread raised, and its signals put off, for ever. Debug builds end the process there.
//! * A thread or a program that is started in a region of [`Strict`](crate::platform::Strict)
//!   starts, and stays, with the region's signals blocked; in any other region, with the real-time
//!   signals of which this thread has put off sixteen.
//! * A signal may have been sent to one thread, by `pthread_sigqueue` or by a timer with
//!   `SIGEV_THREAD_ID`. If that thread ends before the signal is handled, the signal is sent to the
//!   process.
//! * `vfork`, `_Fork` and a bare `clone` are not noticed: use no lock in such a child.
//! * Each copy of this crate in a process, say a host's and its plugin's, has levels of its own. A
//!   thread that one copy has raised is not raised for handlers that the other copy has registered.
//! * A shared library with this crate in it stays loaded, also after `dlclose`.
//! * In a shared library that is loaded with `dlopen` (an agent, a plugin), a thread's first access
//!   to a thread-local variable of the library allocates. A handler must not allocate, so
//!   registering is refused there, unless all threads are [prepared](Handler::in_prepared_threads).

#[cfg(target_os = "linux")]
mod handler;
#[cfg(target_os = "linux")]
mod interrupt;
mod masked;
#[cfg(target_os = "linux")]
mod ready;

#[cfg(target_os = "linux")]
pub use self::handler::{Handle, Handler, HandlerClass, Registration, Replaced, register};
#[cfg(target_os = "linux")]
pub use self::interrupt::Interrupt;
pub use self::masked::Masked;
#[cfg(target_os = "linux")]
pub use crate::platform::signals::{Earlier, RegisterError};
pub use siftlock_core::psrw::{Context, Irq, NonPreemptible, SoftIrq, Thread};
