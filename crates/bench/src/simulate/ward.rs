//! What a simulated lock protects: it costs what the real experiments' ward costs, and notices who
//! is inside beside a writer.

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

impl Ward {
    /// A section around `work`. False: somebody was inside who must not be. Free of charge.
    #[must_use]
    pub(super) fn admit(&self, writes: bool, work: impl FnOnce()) -> bool {
        let (readers, writers) = self.inside.get();
        let is_right = writers == 0 && !(writes && readers > 0);
        let (reader, writer) = (u32::from(!writes), u32::from(writes));
        self.inside.set((readers + reader, writers + writer));
        work();
        // Whoever comes in meanwhile comes in before the caller is counted out.
        calls::take_turn();
        let (readers, writers) = self.inside.get();
        self.inside.set((readers - reader, writers - writer));
        is_right
    }

    /// The same, which reads what is protected, or changes it.
    #[must_use]
    pub(super) fn enter(&self, writes: bool, work: impl FnOnce()) -> bool {
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
