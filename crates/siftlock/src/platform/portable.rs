//! Any system: `std`'s mutex, condition variable and clock.

use super::current::PORTABLE;
use super::processors;
use siftlock_core::platform::{Bias, Instant, Platform};
#[cfg(target_os = "linux")]
use siftlock_core::platform::{Class, Raised};
use siftlock_core::record::{Entry, Record, RecordId};
use siftlock_core::sync::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The platform of systems without futexes. It exists everywhere, for tests.
///
/// A child made by `fork` while other threads use locks should not use any lock. This platform is
/// built on `std`'s mutex, which one of those threads may have held. Nor may a signal handler use a
/// lock. A lock call may allocate where `std`'s mutex or condition variable does at its first use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

/// Without a heavy fence.
static BIAS: Bias = Bias::new();

/// Where a thread sleeps until it is woken, and where writers sleep that wait for its slots.
///
/// Not `std::thread::park`: that needs the thread's handle, which is gone when the last destructors
/// of a thread run.
#[derive(Debug, Default)]
struct Bell {
    gate: Mutex<()>,
    rung: Condvar,
}

impl Bell {
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps while `silent`, at most until `until`.
    fn wait_while(&self, silent: impl Fn() -> bool, until: Option<Instant>) {
        let mut gate = self.lock();
        while silent() {
            gate = match until.map(|until| until.nanos_since(Portable::now())) {
                None => self.rung.wait(gate).unwrap_or_else(PoisonError::into_inner),
                Some(0) => return,
                Some(left) => {
                    let left = Duration::from_nanos(left);
                    let woken = self.rung.wait_timeout(gate, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Wakes all sleepers, since several may sleep here, each on a word of its own. The gate orders
    /// this call against a sleeper's look at its word: a sleeper that looked before is woken, and
    /// one that looks after it sees the change.
    fn ring(&self) {
        drop(self.lock());
        self.rung.notify_all();
    }
}

/// A thread's record and its bell.
#[derive(Debug)]
pub(super) struct Belled {
    record: Record,
    bell: Bell,
}

impl Entry for Belled {
    fn new(id: RecordId) -> Self {
        Self { record: Record::new(id), bell: Bell::default() }
    }

    fn record(&self) -> &Record {
        &self.record
    }
}

// SAFETY: the table never frees a record and gives each live thread one of its own. `wake` is
// called after the word was changed, and `wait` looks at it under the bell's lock, so it sees the
// change or is rung. `wake_all` is called for a word of the caller's own record. The records have
// this one bias, with ids from 1 on, and `NOBODY` has no slot that is free.
unsafe impl Platform for Portable {
    #[inline]
    fn prepare() {
        PORTABLE.prepare();
    }

    #[inline]
    fn current() -> &'static Record {
        PORTABLE.current()
    }

    #[inline]
    fn current_or_nobody() -> &'static Record {
        PORTABLE.current_or_nobody()
    }

    #[inline]
    fn current_number() -> u32 {
        PORTABLE.current_number()
    }

    #[inline]
    fn record(id: RecordId) -> &'static Record {
        PORTABLE.entry(id).record()
    }

    fn records() -> u32 {
        PORTABLE.complete()
    }

    fn wait(record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        // Relaxed: the waiter looks again, with an ordering of its own.
        let bell = &PORTABLE.entry(record.id()).bell;
        bell.wait_while(|| word.load(Ordering::Relaxed) == seen, until);
    }

    fn wake(record: &Record, _word: &AtomicU32) {
        PORTABLE.entry(record.id()).bell.ring();
    }

    fn wake_all(_word: &AtomicU32) {
        PORTABLE.entry(PORTABLE.current().id()).bell.ring();
    }

    fn bias() -> Option<&'static Bias> {
        Some(&BIAS)
    }

    #[inline]
    fn is_time_to_ask(weight: u32) -> bool {
        PORTABLE.is_time_to_ask(weight)
    }

    fn ask_again_after(reads: u32) {
        PORTABLE.ask_again_after(reads);
    }

    fn yield_now() {
        std::thread::yield_now();
    }

    fn now() -> Instant {
        static ORIGIN: OnceLock<std::time::Instant> = OnceLock::new();
        let since = ORIGIN.get_or_init(std::time::Instant::now).elapsed();
        Instant::from_nanos(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
    }

    fn may_spin() -> bool {
        processors() > 1
    }

    fn processors() -> u32 {
        processors()
    }

    #[cfg(target_os = "linux")]
    fn nap() {
        super::Linux::nap();
    }

    #[cfg(target_os = "linux")]
    #[inline]
    fn raise(to: Class, held: Raised) -> Raised {
        super::signals::raise(to, held)
    }

    #[cfg(target_os = "linux")]
    #[inline]
    fn restore(held: Raised) {
        super::signals::restore(held);
    }

    #[cfg(target_os = "linux")]
    #[inline]
    #[track_caller]
    fn level() -> Class {
        super::signals::level_of_waiter()
    }

    #[cfg(target_os = "linux")]
    #[cold]
    #[track_caller]
    fn misused(why: std::fmt::Arguments<'_>) -> ! {
        super::signals::misused(why)
    }
}
