//! The settings that all threads of a model have in common, and the lock as it is found.

use siftlock_core::rwsem::{FOUND_ASYMMETRIC, FOUND_SYMMETRIC};

/// A time that never comes.
pub const NEVER: u64 = u64::MAX;

/// How writers spin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spin {
    /// Not at all.
    No,
    /// Each look at the clock takes so many nanoseconds, so a spin ends after a few looks.
    Timed(u64),
    /// No time passes: each beat lasts until another thread has changed something. And a load never
    /// returns an old value. For several spinners, which loom would keep busy with each other.
    Timeless,
}

/// The settings that all threads of a model have in common.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Nanoseconds after which a first waiter is overdue. `None`: the lock's own.
    pub patience: Option<u64>,
    /// Others may run before a sleep with a time limit is over. Otherwise the sleep is over at
    /// once, unless a call comes just then. loom needs both settings: each makes the other's cases
    /// expensive.
    pub lazy: bool,
    /// How writers spin.
    pub spin: Spin,
    /// The count as the lock is found, and its bias.
    pub found: u64,
    /// How many threads can run at once, as the lock is told.
    pub processors: u32,
    /// How often one thread may pass the same first waiter by; `None`: any number of times.
    pub passes: Option<u32>,
    /// How many readers one step lets in; `None`: any number.
    pub batch: Option<u32>,
    /// The fences of reads by slot.
    pub fences: Fences,
    /// Each counted read asks whether a bias would pay; otherwise none does.
    pub asks: bool,
}

/// The fences of reads by slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fences {
    /// No lock is read by slot.
    NoSlots,
    /// Light and heavy fences are full fences.
    Full,
    /// A heavy fence makes the threads that run pass a full fence. A light fence is none.
    Light,
    /// As [`Light`](Self::Light), until a thread asks for a heavy fence: the system refuses it.
    Ending,
    /// As [`Light`](Self::Light), but nobody knows of the heavy fence until a section finds it.
    Beginning,
    /// There is no heavy fence, and a light fence is none.
    None,
}

impl Fences {
    pub(crate) fn are_light(self) -> bool {
        !matches!(self, Self::NoSlots | Self::Full)
    }

    pub(crate) fn have_heavy(self) -> bool {
        matches!(self, Self::Full | Self::Light | Self::Ending)
    }
}

impl Setup {
    /// The lock is found with its read bias on, in the asymmetric form.
    pub fn biased(&mut self) {
        if self.fences == Fences::NoSlots {
            self.fenced();
        }
        self.found = FOUND_ASYMMETRIC;
    }

    /// The lock is found with its read bias on, in the symmetric form. Fences are no more than they
    /// have to be.
    pub fn symmetric(&mut self) {
        self.fenced_lightly();
        self.found = FOUND_SYMMETRIC;
    }

    /// [`symmetric`](Self::symmetric), and no thread makes another pass a fence.
    pub fn unfenced(&mut self) {
        self.symmetric();
        self.fences = Fences::None;
    }

    /// [`symmetric`](Self::symmetric), and the first heavy fence is the last.
    pub fn fence_ends(&mut self) {
        self.symmetric();
        self.fences = Fences::Ending;
    }

    /// [`symmetric`](Self::symmetric), and the heavy fence is found by a section.
    pub fn fence_begins(&mut self) {
        self.symmetric();
        self.fences = Fences::Beginning;
    }

    /// Reads by slot, with fences that are no more than they have to be.
    pub fn fenced_lightly(&mut self) {
        self.fences = Fences::Light;
    }

    /// Reads by slot.
    pub fn fenced(&mut self) {
        self.fences = Fences::Full;
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            patience: Some(NEVER),
            lazy: false,
            spin: Spin::No,
            found: 0,
            processors: u32::MAX,
            passes: None,
            batch: None,
            fences: Fences::NoSlots,
            asks: true,
        }
    }
}
