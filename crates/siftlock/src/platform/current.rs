//! The calling thread's record, kept in thread-local storage.

use super::{exit, registry};
use siftlock_core::wait::Record;
use std::cell::Cell;

thread_local! {
    /// Without a destructor, so that reading it is one instruction and works until the very end of
    /// the thread; `exit` sees to the record's return.
    static CURRENT: Cell<Option<&'static Record>> = const { Cell::new(None) };
    /// Its id, for the fast path of writers: one load instead of two that wait for each other.
    static NUMBER: Cell<u32> = const { Cell::new(0) };
}

/// The id of the calling thread's record, 0 if it has none.
#[inline]
pub(super) fn number() -> u32 {
    NUMBER.get()
}

/// The calling thread's record; its first call registers the thread.
#[inline]
pub(super) fn record() -> &'static Record {
    match CURRENT.get() {
        Some(record) => record,
        None => register(),
    }
}

/// Asks nothing of `std`, which no longer knows a thread that runs its last destructors.
#[cold]
fn register() -> &'static Record {
    let record = &registry::take().record;
    CURRENT.set(Some(record));
    NUMBER.set(record.id().get());
    exit::call_at_thread_exit(unregister);
    record
}

/// The thread ends. If a later destructor of it uses a lock, the thread registers once more.
fn unregister() {
    NUMBER.set(0);
    if let Some(record) = CURRENT.take() {
        registry::give_back(record.id());
    }
}
