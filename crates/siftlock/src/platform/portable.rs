//! Any system: `std`'s thread parking and clock.

use super::{current, has_two_processors, registry};
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::wait::{Record, RecordId};
use std::sync::{OnceLock, PoisonError};
use std::time::Duration;

/// The platform of systems without futexes. Everywhere available, for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

// SAFETY: the registry never frees a record and gives each live thread one of its own. `std`'s
// unpark makes a park that is under way, or comes next, return.
unsafe impl Platform for Portable {
    #[inline]
    fn current() -> &'static Record {
        current::record()
    }

    #[inline]
    fn record(id: RecordId) -> &'static Record {
        &registry::entry(id).record
    }

    fn park(record: &Record, until: Option<Instant>) {
        while record.is_parked() {
            let Some(until) = until else {
                std::thread::park();
                continue;
            };
            match until.nanos_since(Self::now()) {
                0 => return,
                left => std::thread::park_timeout(Duration::from_nanos(left)),
            }
        }
    }

    fn unpark(record: &Record) {
        let entry = registry::entry(record.id());
        let thread = entry.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = &*thread {
            thread.unpark();
        }
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
        has_two_processors()
    }

    fn may_spin_on(_owner: &Record) -> bool {
        true
    }
}
