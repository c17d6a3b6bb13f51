//! Contexts that interrupt each other in a program: threads, and the handlers of signals.
//!
//! A lock that is read from a signal handler needs the thread that writes it to keep that handler out
//! meanwhile. So handlers are *registered*, at one of two levels, [`SoftIrq`] or [`Irq`]; a thread is
//! *raised* to a level by the locks that need it, or by [`Masked`]; and a signal that arrives at a
//! raised thread is handled when the thread is lowered.
//!
//! Raising is lazy: no system call, a cycle or so. The signal is let in, noted and put off, and sent
//! once more when the thread is lowered: the handler finds what the system gave (`siginfo_t`, context,
//! alternate stack, mask), in order.
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
//! * While a thread is raised, by [`Masked`] or inside a lock that a handler reads, it must not wait
//!   for a registered signal (`sigwait`, `sigtimedwait`, `signalfd`, `ppoll`, `pselect`, `sigsuspend`);
//!   its blocking calls may return early with `EINTR`; and the region is left by its end alone: not by
//!   `longjmp`, nor by the end of the thread.
//! * After the region it may. A signal that was put off and that the program blocks before the region's
//!   end goes back to the system. If more of it has arrived since, they come first, and what was put off
//!   comes with the next end of a region. A handler itself must not wait for registered signals.
//! * What goes back so pends for this thread alone, also if it was sent to the process: **another thread
//!   that waits for the signal does not get it.** The process's first thread, to which most signals to the
//!   process come, gives those back to the process that surely came there: standard signals by `kill`, from
//!   a terminal, `alarm` or `setitimer`, or from a child. It cannot tell `sigqueue` from `pthread_sigqueue`,
//!   nor whom a timer of `timer_create` was for. So have all threads block what one of them waits for, but not
//!   inside a region.
//! * Standard signals that are put off merge, and the first one's information stays. Of one timer, its
//!   count of overruns grows, which [`Interrupt::expirations`] reads; `timer_getoverrun` does not know
//!   it. Two timers with one standard signal merge as well, and only the first one counts: give each its
//!   own signal.
//! * A signal to the process may come late, if the thread that the system chose is raised, although
//!   other threads are free.
//! * Libraries that install handlers for the same signal (`signal-hook`, a language's runtime) must do
//!   so *before* it is registered, and the registered one [calls theirs](Handler::then_earlier). A
//!   handler that is installed later with plain `sigaction` is called even on raised threads, so it must
//!   not use locks; [`Registration::check`] tells. If it calls the registered handler, that is still put
//!   off, and then called as a function, without a [context](Interrupt::ucontext).
//! * Signals of faults (`SIGSEGV` and such) are handled at once if an instruction raised them, on a
//!   raised thread as well; and so is `SIGABRT` if it comes from `abort`, or from `pthread_kill` in this
//!   process. From there only use [`try_read_at`](crate::PsRwLock::try_read_at).
//! * While handlers may wait for a thread, it must take no lock that an interrupted thread may hold: it
//!   must not allocate in [a write section](crate::psrw#in-a-write-section). Under [`Masked`] alone nobody
//!   waits for it.
//! * A handler must not panic: that ends the process. It may leave by `longjmp`, if it has locked
//!   nothing, holds no [`Masked`], and interrupts neither a raised thread nor a lock's own call. (An
//!   unlock lets the handlers in that were put off before it calls who waits for the lock.)
//! * What a handler takes, a guard or a [`Masked`], ends with that call of the handler.
//! * A real-time signal that the program blocks in a raised region may be let in again at its end, if
//!   more of it arrived there than can be noted.
//! * A thread that is started in a region of [`Strict`](crate::platform::Strict) starts, and stays, with
//!   the region's signals blocked.
//! * A signal that `pthread_sigqueue`, or a timer with `SIGEV_THREAD_ID`, has sent to a thread that ends
//!   before it is handled is sent to the process. `vfork`, `_Fork` and a bare `clone` tell nobody: use no
//!   lock in such a child.
//! * Each copy of this crate in a process, say a host's and its plugin's, has levels of its own: a thread
//!   that one has raised is not raised for the handlers that the other has registered.
//! * A shared library with this crate in it stays loaded, also after `dlclose`.
//! * In a shared library that is loaded with `dlopen` (an agent, a plugin), a thread's first access to a
//!   thread-local variable of the library allocates, and a handler must not. Registering is refused
//!   there, unless all threads are [prepared](Handler::in_prepared_threads).

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
