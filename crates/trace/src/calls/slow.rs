//! Lock calls that are due, that wait, or whose lock the thread does not know yet.

use crate::cell::{Cell, stride};
use crate::clock::ticks;
use crate::inside::Inside;
use crate::next::{self, OfLock, Place};
use crate::registry;
use crate::stacks::Taken;
use crate::thread::Thread;
use core::sync::atomic::Ordering::Relaxed;
use libc::{EAGAIN, EBUSY, EDEADLK, EINVAL, c_int};

/// What the program asks for.
pub(crate) struct Request<'a> {
    pub(crate) lock: Place,
    pub(crate) writes: bool,
    pub(crate) sifts: bool,
    pub(crate) try_it: OfLock,
    /// The program's own call; `None` if the program asks for a try.
    pub(crate) wait: Option<&'a dyn Fn() -> c_int>,
}

/// The outcome of a request.
struct Fared {
    answer: c_int,
    /// The time of a call that did not wait, in ticks.
    call: u64,
    /// The wait, in ticks.
    waited: Option<u64>,
    stack: Option<Taken>,
}

impl Request<'_> {
    /// Carries the request out, and measures it.
    ///
    /// # Safety
    /// The lock is valid, and no thread destroys it meanwhile.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn begin(&self) -> c_int {
        let Some(mut inside) = Inside::enter() else {
            // SAFETY: the caller's promise.
            return unsafe { self.unmeasured() };
        };
        let thread = inside.thread;
        let mut stack = None;
        let cell = self.cell(thread, &mut stack);
        let is_due = cell.is_due();
        if is_due && stack.is_none() {
            stack = thread.stacks.spend(Taken::here);
        }
        // SAFETY: the caller's promise.
        let looks = self.wait.is_none()
            || !self.sifts
            || self.writes
            || !unsafe { cell.has_waiting_writer() };
        let began = ticks();
        // SAFETY: as above.
        let answer = if looks { unsafe { (self.try_it)(self.lock) } } else { EBUSY };
        let call = ticks().saturating_sub(began);
        let fared = match self.wait {
            // SAFETY: as above.
            Some(wait) if answer != 0 => unsafe { self.wait(wait, &mut inside, stack) },
            _ => Fared { answer, call, waited: None, stack },
        };
        self.note(thread, fared, is_due)
    }

    /// Waits for the lock, after a try that failed on the fast path.
    ///
    /// # Safety
    /// The lock is valid, and no thread destroys it meanwhile.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn go_on(&self) -> c_int {
        let Some(mut inside) = Inside::enter() else {
            // SAFETY: as above.
            return unsafe { self.unmeasured() };
        };
        let thread = inside.thread;
        let fared = match self.wait {
            // SAFETY: as above.
            Some(wait) => unsafe { self.wait(wait, &mut inside, None) },
            None => Fared { answer: EBUSY, call: 0, waited: None, stack: None },
        };
        self.note(thread, fared, false)
    }

    /// Carries the request out without a measurement: the thread is inside already, or its end
    /// would go unnoticed.
    unsafe fn unmeasured(&self) -> c_int {
        match self.wait {
            Some(wait) => wait(),
            // SAFETY: the caller's promise.
            None => unsafe { (self.try_it)(self.lock) },
        }
    }

    /// Waits for the lock. If the budget allows a stack, it is taken before the wait: the thread
    /// has nothing else to do then.
    unsafe fn wait(
        &self,
        wait: &dyn Fn() -> c_int,
        inside: &mut Inside,
        stack: Option<Taken>,
    ) -> Fared {
        let thread = inside.thread;
        let began_at = ticks();
        let mut stack = stack.or_else(|| thread.waits.spend(Taken::here));
        let count_writer = |change, stack: &mut _| {
            if self.writes {
                // SAFETY: the caller's promise.
                unsafe { self.cell(thread, stack).count_waiting_writer(change) };
            }
        };
        count_writer(1, &mut stack);
        let began = if stack.is_some() { ticks() } else { began_at };
        let answer = inside.outside(wait);
        // These errors come at once.
        let waited = match answer {
            EAGAIN | EDEADLK | EINVAL => None,
            _ => Some(ticks().saturating_sub(began)),
        };
        count_writer(-1, &mut stack);
        let stack = stack.or_else(|| thread.waits.spend(Taken::here));
        Fared { answer, call: 0, waited, stack }
    }

    /// The thread's cell for the lock, made if there is none. A lock's first use always has a
    /// stack, whatever the budget says: it tells where the lock comes from, and is taken only once.
    fn cell(&self, thread: &'static Thread, stack: &mut Option<Taken>) -> &'static Cell {
        let lock = self.lock.addr();
        if let Some(known) = thread.cell(lock) {
            return known;
        }
        if !registry::lock().knows(lock) {
            stack.get_or_insert_with(|| thread.stacks.overspend(Taken::here));
        }
        registry::lock().cell(thread, lock, stack.as_ref())
    }

    fn note(&self, thread: &'static Thread, mut fared: Fared, is_due: bool) -> c_int {
        let cell = self.cell(thread, &mut fared.stack);
        let kept = fared.stack.as_ref().map(|stack| registry::lock().stacks.keep(stack));
        if let Some(waited) = fared.waited {
            let mut registry = registry::lock();
            cell.waits_or_make().add(waited);
            let record = registry.record(self.lock.addr(), cell.record());
            record.zip(kept).into_iter().for_each(|(record, stack)| record.waited(stack, waited));
            crate::cell::add(&cell.contended, 1);
        }
        if fared.answer != 0 {
            crate::cell::add(&cell.refused, 1);
            return fared.answer;
        }
        let weight = stride(cell.operations.load(Relaxed));
        cell.count(self.writes);
        if is_due {
            cell.choose_next(thread.random());
            thread.measure(cell, weight, fared.call, kept);
        }
        0
    }
}

/// Releases a lock, and ends its section if that is being measured.
///
/// # Safety
/// The lock is valid, and no thread destroys it before the release.
#[cold]
#[inline(never)]
pub(super) unsafe fn unlock(lock: Place) -> c_int {
    // SAFETY: the caller's promise.
    let release = || unsafe { next::unlock::get()(lock) };
    let Some(inside) = Inside::enter() else { return release() };
    let Some(section) = inside.thread.measured(lock.addr()) else { return release() };
    let began = ticks();
    let answer = release();
    let ended = ticks();
    // The next holder may have destroyed the lock by now, so its record is looked up anew.
    if answer == 0
        && let Some(record) = registry::lock().record(lock.addr(), section.record)
    {
        let calls = section.call + ended.saturating_sub(began);
        record.held(&section, began, calls);
    }
    answer
}
