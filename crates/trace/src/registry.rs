//! All locks and all threads, under one mutex, which only slow paths take.
//!
//! A thread that takes the mutex has all signals blocked, mostly because it is inside (see
//! `inside`). So no handler waits for its own thread.

use crate::cell::Cell;
use crate::record::{Birth, Record};
use crate::stacks::{StackId, Stacks, Taken};
use crate::thread::Thread;
use crate::{end_of_thread, local};
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);

/// See the [module](self).
#[derive(Default)]
pub(crate) struct Registry {
    /// Locks that are alive, by address.
    locks: FxHashMap<usize, Box<Record>>,
    /// Locks that have ended, by the place where they began.
    ended: FxHashMap<Option<StackId>, Box<Record>>,
    threads: Vec<&'static Thread>,
    /// Tables of threads that have ended.
    free: Vec<&'static Thread>,
    pub(crate) stacks: Stacks,
    numbers: u32,
    pub(crate) threads_ever: u32,
}

// SAFETY: a thread's table is used by its thread alone, except for its cells, whose fields are
// atomics (see `cell`).
unsafe impl Send for Registry {}

/// Takes the mutex.
pub(crate) fn lock() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the calling thread a table. `None`: the library would not notice the thread's end.
#[cold]
pub(crate) fn register() -> Option<&'static Thread> {
    let _signals = Signals::block();
    // A handler may have come before, and registered the thread.
    if let Some(thread) = local::get() {
        return Some(thread);
    }
    if !end_of_thread::is_noticed() {
        return None;
    }
    let thread = lock().thread();
    local::set(Some(thread));
    Some(thread)
}

/// Takes the calling thread's table away: the thread ends.
pub(crate) fn unregister() {
    let _signals = Signals::block();
    if let Some(thread) = local::get() {
        lock().end_thread(thread);
        local::set(None);
    }
}

impl Registry {
    fn thread(&mut self) -> &'static Thread {
        self.threads_ever += 1;
        let thread = self.free.pop().unwrap_or_else(|| Box::leak(Thread::new()));
        thread.begin(self.threads_ever);
        self.threads.push(thread);
        thread
    }

    fn end_thread(&mut self, thread: &'static Thread) {
        thread.cells().for_each(|cell| self.take(cell));
        thread.forget();
        self.threads.retain(|other| !core::ptr::eq(*other, thread));
        self.free.push(thread);
    }

    /// Moves the counts of a cell to the record of its lock, and frees the cell.
    fn take(&mut self, cell: &Cell) {
        match self.locks.get_mut(&cell.address()) {
            Some(record) => record.take(cell),
            None => cell.clear(),
        }
    }

    /// A new cell of the thread for this lock. The registry may not know the lock yet.
    pub(crate) fn cell<'a>(
        &mut self,
        thread: &'a Thread,
        lock: usize,
        stack: Option<&Taken>,
    ) -> &'a Cell {
        let cell = thread.place_for(lock);
        if !cell.is_free() {
            self.take(cell);
        }
        if !self.locks.contains_key(&lock) {
            self.begin(lock, Birth::FirstUse, stack);
        }
        self.locks.get_mut(&lock).expect("it has begun").count_in(cell, thread.number.get());
        cell
    }

    /// Whether the lock has a record.
    pub(crate) fn knows(&self, lock: usize) -> bool {
        self.locks.contains_key(&lock)
    }

    /// Makes the record of a lock that begins.
    pub(crate) fn begin(&mut self, lock: usize, birth: Birth, stack: Option<&Taken>) {
        self.end(lock);
        self.numbers += 1;
        let created = stack.map(|taken| self.stacks.keep(taken));
        self.locks.insert(lock, Box::new(Record::new(self.numbers, lock, birth, created)));
    }

    /// Ends a lock: its record joins those of the ended locks that began at the same place.
    pub(crate) fn end(&mut self, lock: usize) {
        let Some(mut record) = self.locks.remove(&lock) else { return };
        for cell in self.threads.iter().filter_map(|thread| thread.cell(lock)) {
            record.take(cell);
        }
        if record.counts.operations + record.counts.refused == 0 {
            return;
        }
        match self.ended.get_mut(&record.created) {
            Some(others) => others.merge(&record),
            None => drop(self.ended.insert(record.created, record)),
        }
    }

    /// The record of the lock at this address, if it is still the record of this number.
    pub(crate) fn record(&mut self, lock: usize, number: u32) -> Option<&mut Record> {
        self.locks.get_mut(&lock).map(|record| &mut **record).filter(|of| of.number == number)
    }

    /// All records: first those of living locks, then those of ended locks.
    pub(crate) fn records(&self) -> (impl Iterator<Item = &Record>, impl Iterator<Item = &Record>) {
        (self.locks.values().map(|record| &**record), self.ended.values().map(|record| &**record))
    }

    /// The cells of living threads for a lock.
    pub(crate) fn cells(&self, lock: usize) -> impl Iterator<Item = &Cell> {
        self.threads.iter().filter_map(move |thread| thread.cell(lock))
    }

    /// Forgets all figures, and all threads but the calling one, which becomes the first.
    pub(crate) fn forget_all(&mut self) {
        for thread in &self.threads {
            thread.forget();
        }
        self.threads.retain(|thread| local::get().is_some_and(|own| core::ptr::eq(*thread, own)));
        self.ended.clear();
        self.locks.values_mut().for_each(|record| record.forget_figures());
        self.threads_ever = self.threads.len() as u32;
        self.threads.iter().for_each(|thread| thread.number.set(self.threads_ever));
    }
}

/// All signals are blocked in the calling thread until this is dropped.
pub(crate) struct Signals(libc::sigset_t);

impl Signals {
    pub(crate) fn block() -> Self {
        // SAFETY: both sets are places of this function; zeroes are a value of them.
        unsafe {
            let (mut all, mut before) = core::mem::zeroed();
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
            Self(before)
        }
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        // SAFETY: the set is valid.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.0, core::ptr::null_mut()) };
    }
}
