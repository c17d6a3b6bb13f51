//! What a model may set and see of a lock, and a user may not.

use crate::PsRw2008;
use crate::word::{Condition, Which};
use siftlock_core::psrw::{Context, Readers};
use siftlock_core::sync::{AtomicU32, Ordering};
use std::cell::Cell;

/// The words of a lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// `uc`.
    pub uc: u64,
    /// `ws`.
    pub ws: u64,
    /// One for each class.
    pub classes: [u64; 4],
}

/// Where each of the words is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// `uc`.
    pub uc: *const (),
    /// `ws`.
    pub ws: *const (),
    /// One for each class.
    pub classes: [*const (); 4],
}

std::thread_local! {
    static AWAITED: Cell<Option<Condition>> = const { Cell::new(None) };
    static SOMEBODY_SLEEPS: Cell<bool> = const { Cell::new(false) };
}

/// The caller is about to nap until this holds.
pub(crate) fn awaits(condition: Condition) {
    AWAITED.set(Some(condition));
}

/// WS_WQ_MUTEX is about to be dropped. Not where a failed model unwinds: there nothing is simulated
/// any more.
pub(crate) fn queue_is_left(somebody_sleeps: impl FnOnce() -> bool) -> bool {
    if std::thread::panicking() {
        return false;
    }
    SOMEBODY_SLEEPS.set(somebody_sleeps());
    true
}

/// Whether the queue was not empty when WS_WQ_MUTEX was last held.
#[must_use]
pub fn somebody_sleeps() -> bool {
    SOMEBODY_SLEEPS.get()
}

/// What somebody waits for awake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Awaited(Condition);

/// What the thread that is in `Platform::nap` waits for.
#[must_use]
pub fn awaited() -> Option<Awaited> {
    AWAITED.get().map(Awaited)
}

impl Awaited {
    /// Whether it holds in these words.
    #[must_use]
    pub fn holds(self, words: &Words) -> bool {
        self.0.holds(match self.0.word() {
            Which::Uc => words.uc,
            Which::Ws => words.ws,
            Which::Class(class) => words.classes[class as usize],
        })
    }

    /// Whether it is WS_WQ_MUTEX.
    #[must_use]
    pub fn is_queue(self) -> bool {
        self.0 == Condition::QueueFree
    }

    /// Whether it is WS_LOCK_MUTEX.
    #[must_use]
    pub fn is_lock(self) -> bool {
        self.0 == Condition::LockFree
    }
}

impl<R: Readers, W: Context, P> PsRw2008<R, W, P> {
    /// A lock that is found in some state: with many readers, say, that never leave.
    #[must_use]
    pub fn found(uc: u32) -> Self {
        SOMEBODY_SLEEPS.set(false);
        Self { uc: AtomicU32::new(uc), ..Self::new() }
    }

    /// The words, to be looked at when all threads are done.
    pub fn words(&self) -> Words {
        // Relaxed: the threads have been joined.
        Words {
            uc: self.uc.load(Ordering::Relaxed).into(),
            ws: self.ws.load(Ordering::Relaxed).into(),
            classes: [0, 1, 2, 3].map(|class| self.classes[class].load(Ordering::Relaxed)),
        }
    }

    /// Where the words are.
    pub fn places(&self) -> Places {
        Places {
            uc: core::ptr::from_ref(&self.uc).cast(),
            ws: core::ptr::from_ref(&self.ws).cast(),
            classes: self.classes.each_ref().map(|word| core::ptr::from_ref(word).cast()),
        }
    }
}
