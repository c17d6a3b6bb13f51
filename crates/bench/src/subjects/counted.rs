//! Our lock on a platform that counts the system calls which wake.

use std::cell::Cell;

use siftlock::RawRwSem;
use siftlock::platform::Native;
use siftlock::policy::Standard;
use siftlock_core::forward_platform;
use siftlock_core::platform::Platform;
use siftlock_core::record::Record;
use siftlock_core::sync::AtomicU32;

use super::Lock;

thread_local! {
    static WAKES: Cell<u64> = const { Cell::new(0) };
}

/// The usual platform, which counts how often each thread wakes another.
#[derive(Debug)]
pub(crate) struct Counting;

// SAFETY: `Native` does all the work; `wake` and `wake_all` only count besides.
unsafe impl Platform for Counting {
    forward_platform!(Native: records, sleep, bias, time, processors, masking, level);

    fn wake(record: &Record, word: &AtomicU32) {
        WAKES.set(WAKES.get() + 1);
        Native::wake(record, word);
    }

    fn wake_all(word: &AtomicU32) {
        WAKES.set(WAKES.get() + 1);
        Native::wake_all(word);
    }
}

/// Our lock on a platform that counts wake-up calls.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_wakes_are_those_of_one_thread_and_those_of_all() {
        let before = WAKES.get();
        let word = AtomicU32::new(0);
        Counting::wake_all(&word);
        Counting::wake(Counting::current(), &word);
        assert_eq!(WAKES.get() - before, 2);
    }
}
