//! A thread's read, past a writer that waits, lasts longer than a sleep. The thread's next read
//! does not pass the writer, and finds the value that the writer has written.

#![cfg(target_os = "linux")]

mod support;

use siftlock_core::forward_platform;
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::record::Record;
use siftlock_core::rwsem::policy;
use siftlock_core::sync::AtomicU32 as Word;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread;
use support::{Linux, Lock, clock_by_hand, finishes, until};

/// The clock goes on as the test says.
struct Timed;

static NOW: AtomicU64 = AtomicU64::new(1 << 30);
/// The record of the thread under test; whether that thread sleeps, and whether another does.
static READER: AtomicU32 = AtomicU32::new(0);
static READER_SLEEPS: AtomicBool = AtomicBool::new(false);
static WRITER_SLEEPS: AtomicBool = AtomicBool::new(false);

static LOCK: Lock<u32, Timed, policy::Counted> = Lock::new(0);

// SAFETY: as `Linux`; a sleep may be long.
unsafe impl Platform for Timed {
    forward_platform!(Linux: records, wake, bias, masking, level);
    clock_by_hand!(NOW);

    fn wait(record: &Record, word: &Word, seen: u32, _until: Option<Instant>) {
        let is_reader = record.id().get() == READER.load(Ordering::Relaxed);
        let sleeps = if is_reader { &READER_SLEEPS } else { &WRITER_SLEEPS };
        sleeps.store(true, Ordering::Relaxed);
        Linux::wait(record, word, seen, None);
    }
}

/// Longer than a habit lasts, in nanoseconds.
const LATER: u64 = 100_000_000;

/// The value that a thread finds at its second read, past a writer that waits behind another
/// reader. The first read lasts so long.
fn second_read(lasts: u64) -> u32 {
    NOW.fetch_add(LATER, Ordering::Relaxed);
    READER.store(Timed::current().id().get(), Ordering::Relaxed);
    READER_SLEEPS.store(false, Ordering::Relaxed);
    WRITER_SLEEPS.store(false, Ordering::Relaxed);
    let (is_read, has_read) = (Barrier::new(2), AtomicBool::new(false));
    thread::scope(|s| {
        s.spawn(|| {
            let reading = LOCK.read();
            is_read.wait();
            until(|| READER_SLEEPS.load(Ordering::Relaxed) || has_read.load(Ordering::Relaxed));
            drop(reading);
        });
        is_read.wait();
        s.spawn(|| *LOCK.write() += 1);
        until(|| WRITER_SLEEPS.load(Ordering::Relaxed));
        let first = LOCK.read();
        NOW.fetch_add(lasts, Ordering::Relaxed);
        drop(first);
        let found = *LOCK.read();
        has_read.store(true, Ordering::Relaxed);
        found
    })
}

#[test]
fn rwsem_reader_whose_read_was_long_queues_behind_a_writer() {
    finishes(|| {
        assert_eq!(second_read(10_000), 0, "it passes the writer, and the writer comes then");
        assert_eq!(second_read(1_000_000), 2, "it comes after the writer");
        assert_eq!(second_read(10_000), 2, "later it passes again");
        assert_eq!(second_read(1_000_000), 4, "and sees that again");
    });
}
