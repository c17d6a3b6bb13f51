//! Hooks by which a model watches a lock without disturbing it: every step of the lock's count,
//! each bias that comes or goes, and the first waiter as the list lock is dropped. The models check
//! the locks' invariants in them.

use std::cell::Cell;

/// Two functions of the model. They must not touch anything simulated.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// A step was made: the value before, the value after.
    pub stepped: fn(old: u64, new: u64),
    /// The list lock is about to be dropped. `first` is the first waiter's id, and whether it
    /// reads.
    pub list_released: fn(first: Option<(u32, bool)>),
}

/// A function of the model, for locks of several words. Its arguments are the address of a word
/// that was changed, and the values before and after. It must not touch anything simulated.
pub type Changed = fn(word: *const (), old: u64, new: u64);

std::thread_local! {
    static WATCH: Cell<Option<Watch>> = const { Cell::new(None) };
    static BIASED: Cell<fn(bool)> = const { Cell::new(|_| ()) };
    static CHANGED: Cell<Option<Changed>> = const { Cell::new(None) };
    static INTERRUPT: Cell<Option<fn()>> = const { Cell::new(None) };
}

/// Watches, from now on, the models that this OS thread runs.
pub fn set(watch: Watch) {
    WATCH.set(Some(watch));
}

/// From now on, each time that a model of this OS thread writes an owner word, tells `watch`
/// whether the word shows a bias. `watch` must not touch anything simulated.
pub fn set_biased(watch: fn(is_on: bool)) {
    BIASED.set(watch);
}

/// Watches the words, from now on, of the models that this OS thread runs.
pub fn set_changed(watch: Changed) {
    CHANGED.set(Some(watch));
}

/// From now on, calls `handler` before every access to a word by the models that this OS thread
/// runs. The thread that makes the access calls it, and `handler` may do what an interrupt does.
pub fn interrupt_by(handler: Option<fn()>) {
    INTERRUPT.set(handler);
}

pub(super) fn about_to_step() {
    if let Some(handler) = INTERRUPT.get()
        && !std::thread::panicking()
    {
        handler();
    }
}

pub(super) fn stepped(old: u64, new: u64) {
    if let Some(watch) = WATCH.get() {
        (watch.stepped)(old, new);
    }
}

pub(super) fn changed(word: *const (), old: u64, new: u64) {
    if let Some(watch) = CHANGED.get()
        && !std::thread::panicking()
    {
        watch(word, old, new);
    }
}

pub(crate) fn biased(is_on: bool) {
    if !std::thread::panicking() {
        BIASED.get()(is_on);
    }
}

pub(crate) fn list_released(first: impl FnOnce() -> Option<(u32, bool)>) {
    if let Some(watch) = WATCH.get()
        && !std::thread::panicking()
    {
        (watch.list_released)(first());
    }
}
