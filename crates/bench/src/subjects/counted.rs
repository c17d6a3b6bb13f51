//! Our lock on a platform that counts the system calls which wake.

use std::cell::Cell;

use siftlock::platform::Native;
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::rwsem::RwSem;
use siftlock_core::rwsem::policy::Standard;
use siftlock_core::sync::AtomicU32;
use siftlock_core::wait::{Record, RecordId};

use super::raw::Raw;

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
pub(crate) struct Counted(RwSem<Counting, Standard>);

impl Raw for Counted {
    fn unlocked() -> Self {
        Self(RwSem::new())
    }

    fn wakes() -> Option<u64> {
        Some(WAKES.get())
    }

    fn read(&self) {
        self.0.read();
    }

    fn try_read(&self) -> bool {
        self.0.try_read()
    }

    unsafe fn read_unlock(&self) {
        // SAFETY: as the caller promises.
        unsafe { self.0.read_unlock() };
    }

    fn write(&self) {
        self.0.write();
    }

    fn try_write(&self) -> bool {
        self.0.try_write()
    }

    unsafe fn write_unlock(&self) {
        // SAFETY: as the caller promises.
        unsafe { self.0.write_unlock() };
    }
}
