//! Access for models, not for users: a lock with a given word, and its words.

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
    /// The word of each class.
    pub classes: [u64; 4],
}

/// The addresses of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// `uc`.
    pub uc: *const (),
    /// `ws`.
    pub ws: *const (),
    /// The word of each class.
    pub classes: [*const (); 4],
}

std::thread_local! {
    static AWAITED: Cell<Option<Condition>> = const { Cell::new(None) };
    static SOMEBODY_SLEEPS: Cell<bool> = const { Cell::new(false) };
}

/// The caller is about to nap until `condition` holds.
pub(crate) fn awaits(condition: Condition) {
    AWAITED.set(Some(condition));
}

/// WS_WQ_MUTEX is about to be dropped. Returns false while a failed model unwinds: then nothing is
/// simulated any more, and the caller drops nothing.
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

/// A condition for which a thread waits awake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Awaited(Condition);

/// The condition for which the thread in `Platform::nap` waits.
#[must_use]
pub fn awaited() -> Option<Awaited> {
    AWAITED.get().map(Awaited)
}

impl Awaited {
    /// Whether the condition holds in these words.
    #[must_use]
    pub fn holds(self, words: &Words) -> bool {
        self.0.holds(match self.0.word() {
            Which::Uc => words.uc,
            Which::Ws => words.ws,
            Which::Class(class) => words.classes[class as usize],
        })
    }

    /// Whether the thread waits for WS_WQ_MUTEX.
    #[must_use]
    pub fn is_queue(self) -> bool {
        self.0 == Condition::QueueFree
    }

    /// Whether the thread waits for WS_LOCK_MUTEX.
    #[must_use]
    pub fn is_lock(self) -> bool {
        self.0 == Condition::LockFree
    }
}

impl<R: Readers, W: Context, P> PsRw2008<R, W, P> {
    /// A lock with this `uc`, for example with many readers that never leave.
    #[must_use]
    pub fn found(uc: u32) -> Self {
        SOMEBODY_SLEEPS.set(false);
        Self { uc: AtomicU32::new(uc), ..Self::new() }
    }

    /// The words, for a look when all threads are done.
    pub fn words(&self) -> Words {
        // Relaxed: the threads have been joined.
        Words {
            uc: self.uc.load(Ordering::Relaxed).into(),
            ws: self.ws.load(Ordering::Relaxed).into(),
            classes: [0, 1, 2, 3].map(|class| self.classes[class].load(Ordering::Relaxed)),
        }
    }

    /// The addresses of the words.
    pub fn places(&self) -> Places {
        Places {
            uc: core::ptr::from_ref(&self.uc).cast(),
            ws: core::ptr::from_ref(&self.ws).cast(),
            classes: self.classes.each_ref().map(|word| core::ptr::from_ref(word).cast()),
        }
    }
}
