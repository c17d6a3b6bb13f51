//! Lock calls that are due, that wait, or whose lock the thread does not know yet.

use crate::cell::{Cell, stride};
use crate::clock::{between, ticks};
use crate::inside::Inside;
use crate::next::{self, OfLock, Place};
use crate::registry;
use crate::stacks::Taken;
use crate::thread::Thread;
use core::sync::atomic::AtomicU32;
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
        let call = between(began, ticks());
        let fared = match self.wait {
            // SAFETY: as above.
            Some(wait) if answer != 0 => unsafe { self.wait(wait, &mut inside, stack) },
            _ => Fared { answer, call, waited: None, stack },
        };
        let answer = self.note(thread, fared, is_due);
        drop(inside);
        if is_due && answer == 0 {
            // Now: to get here took far longer than a short section.
            thread.section_begins(self.lock.addr());
        }
        answer
    }

    /// Waits for the lock by `wait`, after the fast path. `cell` is the thread's for the lock.
    ///
    /// Mostly no stack is taken. Then the wait costs no system call and takes no mutex, which all
    /// threads that wait would share.
    ///
    /// # Safety
    /// The lock is valid, and no thread destroys it meanwhile.
    #[inline(never)]
    pub(crate) unsafe fn go_on(
        &self,
        thread: &'static Thread,
        cell: &'static Cell,
        wait: &dyn Fn() -> c_int,
    ) -> c_int {
        let has_waited = |cell: &&Cell| cell.waits().is_some();
        if has_waited(&cell) && thread.waits.rests(ticks()) {
            // SAFETY: as above.
            let writers = self.writes.then(|| unsafe { cell.waiting_writers() });
            let fared = wait_counted(writers, wait);
            // A long wait has a stack. A handler may have taken the cell for another lock.
            if thread.waits.rests(ticks())
                && let Some(cell) = thread.known(self.lock).filter(has_waited)
            {
                fared.waited.inspect(|&ticks| cell.waited(ticks));
                cell.came(self.writes, fared.answer);
                return fared.answer;
            }
            let Some(inside) = Inside::enter() else { return fared.answer };
            let stack = inside.thread.waits.spend(Taken::here);
            return self.note(inside.thread, Fared { stack, ..fared }, false);
        }
        let Some(mut inside) = Inside::enter() else { return wait() };
        // SAFETY: as above.
        let fared = unsafe { self.wait(wait, &mut inside, None) };
        self.note(inside.thread, fared, false)
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
        let mut stack = stack.or_else(|| thread.waits.spend(Taken::here));
        // SAFETY: the caller's promise.
        let writers =
            self.writes.then(|| unsafe { self.cell(thread, &mut stack).waiting_writers() });
        let fared = inside.outside(|| wait_counted(writers, wait));
        let stack = stack.or_else(|| thread.waits.spend(Taken::here));
        Fared { stack, ..fared }
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
            cell.waited(waited);
            let record = registry.record(self.lock.addr(), cell.record());
            record.zip(kept).into_iter().for_each(|(record, stack)| record.waited(stack, waited));
        }
        let weight = stride(cell.operations.load(Relaxed));
        cell.came(self.writes, fared.answer);
        if fared.answer != 0 {
            return fared.answer;
        }
        if is_due {
            cell.choose_next(thread.random());
            thread.measure(cell, weight, fared.call, kept);
        }
        0
    }
}

/// Waits by `wait`, and measures that. A writer is counted among the `writers` meanwhile.
fn wait_counted(writers: Option<&AtomicU32>, wait: &dyn Fn() -> c_int) -> Fared {
    // A child that was forked by a handler on top of this writer has forgotten it: the count stays
    // 0.
    let count = |change| {
        let changed = |count: u32| count.checked_add_signed(change);
        let _ = writers.map(|writers| writers.fetch_update(Relaxed, Relaxed, changed));
    };
    count(1);
    let began = ticks();
    let answer = wait();
    // These errors come at once.
    let waited = match answer {
        EAGAIN | EDEADLK | EINVAL => None,
        _ => Some(between(began, ticks())),
    };
    count(-1);
    Fared { answer, call: 0, waited, stack: None }
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
    let ended = ticks();
    let Some(inside) = Inside::enter() else { return release() };
    let Some(section) = inside.thread.measured(lock.addr()) else { return release() };
    let began = ticks();
    let answer = release();
    let calls = section.call + between(began, ticks());
    // The next holder may have destroyed the lock by now, so its record is looked up anew.
    if answer == 0
        && let Some(record) = registry::lock().record(lock.addr(), section.record)
    {
        record.held(&section, ended, calls);
    }
    answer
}
