//! The account of each thread in the storm: the signals sent to it, and those that it has handled.

use crate::kinds::{From, KINDS, Kind};
use siftlock_core::platform::Class;
use std::cell::Cell;
use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};

pub(crate) const THREADS: usize = 3;

pub(crate) struct Station {
    pub(crate) thread: AtomicI32,
    /// How many signals were sent; for numbered ones, the last number.
    pub(crate) sent: [AtomicU32; KINDS],
    /// How many signals were handled; for numbered ones, the last number.
    pub(crate) handled: [AtomicU32; KINDS],
    /// A standard signal with this number was sent when none was on its way: it cannot have merged.
    pub(crate) must_come: [AtomicU32; KINDS],
    /// How many signals came without their number, for want of room, since the last rest.
    pub(crate) bare: [AtomicU32; KINDS],
    /// How often the test itself stands in a region raised to each class; handlers included.
    inside: [AtomicU32; 4],
    pub(crate) reads: AtomicU64,
    /// Writes to each of the two locks.
    pub(crate) writes: [AtomicU64; 2],
}

pub(crate) static STATIONS: [Station; THREADS] = [const {
    Station {
        thread: AtomicI32::new(0),
        sent: [const { AtomicU32::new(0) }; KINDS],
        handled: [const { AtomicU32::new(0) }; KINDS],
        must_come: [const { AtomicU32::new(0) }; KINDS],
        bare: [const { AtomicU32::new(0) }; KINDS],
        inside: [const { AtomicU32::new(0) }; 4],
        reads: AtomicU64::new(0),
        writes: [const { AtomicU64::new(0) }; 2],
    }
}; THREADS];

thread_local! {
    static HERE: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// The calling thread's station.
pub(crate) fn here() -> &'static Station {
    &STATIONS[HERE.get()]
}

impl Station {
    /// The station is the calling thread's from now on.
    pub(crate) fn take(place: usize) -> &'static Self {
        HERE.set(place);
        here().thread.store(crate::support::thread_id(), Ordering::SeqCst);
        here()
    }

    /// `region` is raised to `class`: no handler of that class or below begins in it.
    pub(crate) fn inside<T>(&self, class: Class, region: impl FnOnce() -> T) -> T {
        self.inside[class as usize].fetch_add(1, Ordering::SeqCst);
        let result = region();
        self.inside[class as usize].fetch_sub(1, Ordering::SeqCst);
        result
    }

    /// A handler of this class begins.
    pub(crate) fn may_begin(&self, class: Class) {
        if self.inside[class as usize..].iter().any(|inside| inside.load(Ordering::SeqCst) != 0) {
            fail("handled where the thread is raised", class as i64);
        }
    }

    /// The last number that was handled, and the last that was sent; or the counts.
    pub(crate) fn handled_of_sent(&self, kind: Kind) -> (u32, u32) {
        let (handled, sent) = (&self.handled[kind.place], &self.sent[kind.place]);
        (handled.load(Ordering::SeqCst), sent.load(Ordering::SeqCst))
    }

    /// Nobody sends any more, and this thread is lowered: no signal may be missing.
    pub(crate) fn has_all(&self, kind: Kind) {
        let (handled, sent) = self.handled_of_sent(kind);
        if self.bare[kind.place].swap(0, Ordering::SeqCst) != 0 {
            // The bare signal may have been the one that must come.
            self.must_come[kind.place].store(0, Ordering::SeqCst);
        }
        let missing = match kind.from {
            From::Timer => false,
            _ if kind.is_queued => handled != sent,
            From::Itself => handled != sent,
            From::Numbered => {
                handled > sent || handled < self.must_come[kind.place].load(Ordering::SeqCst)
            }
            From::Bare => handled > sent,
        };
        if missing {
            fail("handled, though not what was sent", kind.place as i64);
        }
    }
}

/// Ends the process, from wherever.
pub(crate) fn fail(what: impl fmt::Display, number: i64) -> ! {
    struct Line([u8; 200], usize);
    impl fmt::Write for Line {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let text = &text.as_bytes()[..text.len().min(self.0.len() - self.1)];
            self.0[self.1..][..text.len()].copy_from_slice(text);
            self.1 += text.len();
            Ok(())
        }
    }
    let mut line = Line([0; 200], 0);
    let _ = writeln!(line, "thread {}: {what}: {number}", HERE.get());
    // SAFETY: writes from this stack, and ends.
    unsafe {
        libc::write(libc::STDERR_FILENO, line.0.as_ptr().cast(), line.1);
        libc::abort()
    }
}
