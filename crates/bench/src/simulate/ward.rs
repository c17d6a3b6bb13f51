//! What a simulated lock protects: it costs what the real experiments' ward costs, and notices a
//! writer that is not alone.

use std::sync::atomic::Ordering::Relaxed;

use siftlock_sim::{Aligned, AtomicU64};

/// Writers counted by plain loads and stores.
#[derive(Debug, Default)]
pub(super) struct Ward {
    writers: Aligned<Writers>,
}

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
    /// A read section around `work`. False: a writer was inside.
    #[must_use]
    pub(super) fn read(&self, work: impl FnOnce()) -> bool {
        let entered = self.writers.entered.load(Relaxed);
        let alone = self.writers.left.load(Relaxed) == entered;
        work();
        self.writers.entered.load(Relaxed) == entered && alone
    }

    /// A write section around `work`. False: another writer was inside.
    #[must_use]
    pub(super) fn write(&self, work: impl FnOnce()) -> bool {
        let before = self.writers.left.load(Relaxed);
        let alone = self.writers.entered.load(Relaxed) == before;
        self.writers.entered.store(before + 1, Relaxed);
        work();
        let still = self.writers.entered.load(Relaxed) == before + 1;
        self.writers.left.store(before + 1, Relaxed);
        alone && still
    }
}
