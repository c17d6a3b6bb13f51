//! The locks' platform in the kernel.
//!
//! A thread is a task. Its record's id is the task's number (its pid in the first namespace):
//! unique among live tasks, at most 22 bits, and found in the task itself without a table.
//!
//! A lock is used through three platforms, which differ in what a call knows of its caller:
//! [`MaySleep`], [`Anywhere`] and [`Stands`]. A lock's memory is the same for all of them.

use crate::glue;
use crate::raise;
use core::marker::PhantomData;
use core::panic::PanicInfo;
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::record::{Record, RecordId};
use siftlock_core::sync::AtomicU32;

/// The kernel that the module is loaded into, for callers of kind `C`.
#[derive(Debug)]
pub struct Kernel<C>(PhantomData<C>);

/// Stands for the record of a task that has none. No task has its id.
static NOBODY: Record = Record::new(RecordId::new(RecordId::MAX).unwrap());

/// A kind of caller.
pub trait Caller: 'static {
    /// As [`Platform::raise`].
    fn raise(to: Class, held: Raised) -> Raised;

    /// As [`Platform::restore`].
    #[inline]
    fn restore(held: Raised) {
        raise::restore(held);
    }

    /// The calling task's record.
    fn current() -> &'static Record {
        glue::siftlock_k_current().record()
    }
}

/// A task that may sleep. It has raised nothing.
#[derive(Debug)]
pub struct MaySleep;

impl Caller for MaySleep {
    #[inline]
    fn raise(to: Class, held: Raised) -> Raised {
        raise::from_thread(to, held)
    }
}

/// Any context, in a call that does not wait.
#[derive(Debug)]
pub struct Anywhere;

impl Caller for Anywhere {
    #[inline]
    fn raise(to: Class, held: Raised) -> Raised {
        raise::from_anywhere(to, held)
    }

    /// The calling task's record, or the first task's if there is no memory for one. Such a call
    /// does not wait, so it uses the record only for counts, and its id only as a hint.
    fn current() -> &'static Record {
        glue::siftlock_k_current_or_first().record()
    }
}

/// A context that stands at the class of its call already.
#[derive(Debug)]
pub struct Stands;

impl Caller for Stands {
    #[inline]
    fn raise(_to: Class, held: Raised) -> Raised {
        held
    }

    #[inline]
    fn restore(_held: Raised) {}
}

// SAFETY: the pages of records live as long as the module, and no two live tasks have the same
// number. A sleeper makes itself known, then looks at the word; a waker changes the word, then
// looks for the sleeper. A full barrier on each side keeps that order.
unsafe impl<C: Caller> Platform for Kernel<C> {
    #[inline]
    fn current() -> &'static Record {
        C::current()
    }

    /// Unlocks call this too, and must not sleep: so it makes no record.
    fn current_or_nobody() -> &'static Record {
        glue::siftlock_k_current_or_null().map_or(&NOBODY, glue::Place::record)
    }

    /// Never 0, so the core takes each task for prepared: [`current`](Platform::current) makes the
    /// record of a task when the task needs it.
    #[inline]
    fn current_number() -> u32 {
        raise::number()
    }

    #[inline]
    fn record(id: RecordId) -> &'static Record {
        glue::siftlock_k_record(id.get()).record()
    }

    fn wait(record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        let until = until.map_or(u64::MAX, Instant::as_nanos);
        // SAFETY: a thread waits only on its own record, and only where it may sleep.
        unsafe { glue::siftlock_k_wait(record.id().get(), word.as_ptr(), seen, until) };
    }

    fn wake(record: &Record, _word: &AtomicU32) {
        glue::siftlock_k_wake(record.id().get());
    }

    fn yield_now() {
        // SAFETY: only threads that have raised nothing, and so may sleep, call this.
        unsafe { glue::siftlock_k_yield() };
    }

    fn now() -> Instant {
        Instant::from_nanos(glue::siftlock_k_now())
    }

    fn may_spin() -> bool {
        glue::siftlock_k_processors() > 1
    }

    fn processors() -> u32 {
        glue::siftlock_k_processors()
    }

    /// The scheduler knows exactly whether the owner runs. A caller that is to give up its
    /// processor does not spin.
    fn may_spin_on(owner: &Record) -> bool {
        glue::siftlock_k_running(owner.id().get())
    }

    fn handoff_after(usual: u64) -> u64 {
        if glue::siftlock_k_urgent() { 0 } else { usual }
    }

    /// A caller that waits awake is raised, and must not give up its processor. The context that it
    /// waits for has another processor, and cannot lose it.
    #[inline]
    fn nap() {
        core::hint::spin_loop();
    }

    #[inline]
    fn raise(to: Class, held: Raised) -> Raised {
        C::raise(to, held)
    }

    #[inline]
    fn restore(held: Raised) {
        C::restore(held);
    }
}

/// Never called: the build fails if the object can reach a panic.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
