//! The calling thread's record, kept in thread-local storage.

use super::{exit, registry};
use siftlock_core::wait::Record;
use std::cell::Cell;

thread_local! {
    /// Without a destructor, so that reading it is one instruction and works until the very end of
    /// the thread; `exit` sees to the record's return.
    static CURRENT: Cell<Option<&'static Record>> = const { Cell::new(None) };
}

/// The calling thread's record; its first call registers the thread.
#[inline]
pub(super) fn record() -> &'static Record {
    match CURRENT.get() {
        Some(record) => record,
        None => register(),
    }
}

#[cold]
fn register() -> &'static Record {
    let entry = registry::take();
    let thread = std::thread::current();
    *entry.thread.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(thread);
    let record = &entry.record;
    CURRENT.set(Some(record));
    exit::call_at_thread_exit(unregister);
    record
}

/// The thread ends. If a later destructor of it uses a lock, the thread registers once more.
fn unregister() {
    if let Some(record) = CURRENT.take() {
        registry::give_back(record.id());
    }
}
