//! The data that a simulated lock protects. It costs as much as the real experiments' ward, and
//! notices any other thread inside beside a writer.

use std::cell::Cell;
use std::sync::atomic::Ordering::Relaxed;

use siftlock_sim::{Aligned, AtomicU64, calls};

/// See the [module](self).
#[derive(Debug, Default)]
pub(super) struct Ward {
    /// Readers and writers that are inside.
    inside: Cell<(u32, u32)>,
    writers: Aligned<Writers>,
}

/// Writers counted by plain loads and stores.
#[derive(Debug)]
struct Writers {
    entered: AtomicU64,
    left: AtomicU64,
}

impl Default for Writers {
    fn default() -> Self {
        Self { entered: AtomicU64::new(0), left: AtomicU64::new(0) }
    }
}

/// The threads that a section found inside as it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Company {
    None,
    /// A reader found readers.
    Readers,
    /// A thread beside which the lock must not let the section in.
    Wrong,
}

impl Ward {
    /// A section around `work`. The check itself takes no simulated time.
    pub(super) fn admit(&self, writes: bool, work: impl FnOnce()) -> Company {
        let (readers, writers) = self.inside.get();
        let company = match (readers, writers) {
            (0, 0) => Company::None,
            (_, 0) if !writes => Company::Readers,
            _ => Company::Wrong,
        };
        let (reader, writer) = (u32::from(!writes), u32::from(writes));
        self.inside.set((readers + reader, writers + writer));
        work();
        // Threads that come in meanwhile are counted in before the caller is counted out.
        calls::take_turn();
        let (readers, writers) = self.inside.get();
        self.inside.set((readers - reader, writers - writer));
        company
    }

    /// A section around `work` that also reads the protected counters, or changes them.
    pub(super) fn enter(&self, writes: bool, work: impl FnOnce()) -> Company {
        let Writers { entered, left } = &*self.writers;
        self.admit(writes, || {
            let before = entered.load(Relaxed);
            left.load(Relaxed);
            if writes {
                entered.store(before + 1, Relaxed);
            }
            work();
            entered.load(Relaxed);
            if writes {
                left.store(before + 1, Relaxed);
            }
        })
    }
}
