//! Our lock on a platform that counts the system calls which wake.

use std::cell::Cell;

use siftlock::RawRwSem;
use siftlock::platform::Native;
use siftlock::policy::Standard;
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::sync::AtomicU32;
use siftlock_core::wait::{Record, RecordId};

use super::Lock;

thread_local! {
    static WAKES: Cell<u64> = const { Cell::new(0) };
}

/// The usual platform, which counts how often each thread wakes another.
#[derive(Debug)]
pub(crate) struct Counting;

// SAFETY: everything is done by the platform that it stands for.
unsafe impl Platform for Counting {
    fn current() -> &'static Record {
        Native::current()
    }

    fn current_number() -> u32 {
        Native::current_number()
    }

    fn record(id: RecordId) -> &'static Record {
        Native::record(id)
    }

    fn wait(record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        Native::wait(record, word, seen, until);
    }

    fn wake(record: &Record, word: &AtomicU32) {
        WAKES.set(WAKES.get() + 1);
        Native::wake(record, word);
    }

    fn yield_now() {
        Native::yield_now();
    }

    fn now() -> Instant {
        Native::now()
    }

    fn may_spin() -> bool {
        Native::may_spin()
    }

    fn processors() -> u32 {
        Native::processors()
    }

    fn may_spin_on(owner: &Record) -> bool {
        Native::may_spin_on(owner)
    }

    fn note(me: &Record) {
        Native::note(me);
    }

    fn patience(usual: u64) -> u64 {
        Native::patience(usual)
    }

    fn nap() {
        Native::nap();
    }

    fn raise(to: Class, held: Raised) -> Raised {
        Native::raise(to, held)
    }

    fn restore(held: Raised) {
        Native::restore(held);
    }

    fn level() -> Class {
        Native::level()
    }
}

/// Our lock there.
pub(crate) struct Counted(lock_api::RwLock<RawRwSem<Standard, Counting>, ()>);

impl Lock for Counted {
    fn wakes() -> Option<u64> {
        Some(WAKES.get())
    }

    fn unlocked() -> Self {
        Self(Lock::unlocked())
    }

    fn reading<T>(&self, section: impl FnOnce() -> T) -> T {
        self.0.reading(section)
    }

    fn writing<T>(&self, section: impl FnOnce() -> T) -> T {
        self.0.writing(section)
    }

    fn try_reading<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
        self.0.try_reading(section)
    }

    fn try_writing<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
        self.0.try_writing(section)
    }
}
