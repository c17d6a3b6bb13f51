//! The holds of the calling context, noted in debug builds. So a thread that would wait for itself
//! is reported on the first run, with advice. Without the notes it would deadlock on the day when a
//! writer comes in between.
//!
//! A handler notes its guards among those of its thread. So nothing here allocates, is made on
//! first use or has a destructor. A handler leaves each place as it found it, so it may come in
//! anywhere.

use super::RawPsRwLock;
use crate::context::Context;
use crate::psrw::{Policy, Readers};
use siftlock_core::platform::{Class, Platform};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A hold that a context has, or wants. A higher number keeps its thread from more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
struct Hold(usize);

impl Hold {
    const THREAD_READ: Self = Self(1);
    /// A write that is being prepared: Threads are shut out.
    const PREPARED: Self = Self(2);
    const NONPREEMPTIBLE_READ: Self = Self(3);
    const SOFTIRQ_READ: Self = Self(4);
    const IRQ_READ: Self = Self(5);
    const WRITE: Self = Self(6);
    const WRITE_OVER_HANDLERS: Self = Self(7);

    /// The bits of an address that a hold takes.
    const BITS: usize = 7;

    fn read<C: Context>() -> Self {
        match C::CLASS {
            Class::Thread => Self::THREAD_READ,
            Class::NonPreemptible => Self::NONPREEMPTIBLE_READ,
            Class::SoftIrq => Self::SOFTIRQ_READ,
            Class::Irq => Self::IRQ_READ,
        }
    }

    fn write<R: Readers>() -> Self {
        let handlers_read = R::SET.has(Class::SoftIrq) || R::SET.has(Class::Irq);
        if handlers_read { Self::WRITE_OVER_HANDLERS } else { Self::WRITE }
    }

    fn is_write(self) -> bool {
        self >= Self::WRITE || self == Self::PREPARED
    }

    /// Whether a context that holds this could wait for itself. A writer that waits for a reader
    /// has closed that reader's class and maybe those below, and closes none above it: there a
    /// thread may read again, as a handler does on top of it.
    fn hinders(self, wanted: Self) -> bool {
        wanted.is_write() || self >= wanted
    }

    /// Whether handlers may have to wait until this ends: they read the lock, and are shut out by
    /// this write, or by a writer that waits for this read.
    fn keeps_handlers_waiting(self) -> bool {
        matches!(self, Self::SOFTIRQ_READ | Self::IRQ_READ | Self::WRITE_OVER_HANDLERS)
    }
}

/// The caller is about to wait for `raw` as a reader of class `C`.
#[inline]
#[track_caller]
pub(super) fn check_read<C: Context, R: Readers, W: Context, L: Policy, P: Platform>(
    raw: &RawPsRwLock<R, W, L, P>,
) {
    if cfg!(debug_assertions) {
        check::<P>(address(raw), Hold::read::<C>(), || raw.is_locked());
    }
}

/// The caller is about to wait for `raw` as its writer.
#[inline]
#[track_caller]
pub(super) fn check_write<R: Readers, W: Context, L: Policy, P: Platform>(
    raw: &RawPsRwLock<R, W, L, P>,
) {
    if cfg!(debug_assertions) {
        check::<P>(address(raw), Hold::write::<R>(), || raw.is_locked());
    }
}

/// The caller reads `raw` from here on.
#[inline]
pub(super) fn begin_read<C: Context, R, W, L, P>(raw: &RawPsRwLock<R, W, L, P>) {
    if cfg!(debug_assertions) {
        replace(0, note(address(raw), Hold::read::<C>()));
    }
}

/// The caller is about to end its read.
#[inline]
pub(super) fn end_read<C: Context, R, W, L, P>(raw: &RawPsRwLock<R, W, L, P>) {
    if cfg!(debug_assertions) {
        replace(note(address(raw), Hold::read::<C>()), 0);
    }
}

/// The caller writes `raw` from here on.
#[inline]
pub(super) fn begin_write<R: Readers, W, L, P>(raw: &RawPsRwLock<R, W, L, P>) {
    if cfg!(debug_assertions) {
        replace(0, note(address(raw), Hold::write::<R>()));
    }
}

/// The caller is about to end its write.
#[inline]
pub(super) fn end_write<R: Readers, W, L, P>(raw: &RawPsRwLock<R, W, L, P>) {
    if cfg!(debug_assertions) {
        replace(note(address(raw), Hold::write::<R>()), 0);
    }
}

/// The caller prepares a write of `raw` until this is dropped.
pub(super) struct Preparing(usize);

impl Preparing {
    #[inline]
    pub(super) fn begin<R, W, L, P>(raw: &RawPsRwLock<R, W, L, P>) -> Self {
        let note = note(address(raw), Hold::PREPARED);
        if cfg!(debug_assertions) {
            replace(0, note);
        }
        Self(note)
    }
}

impl Drop for Preparing {
    #[inline]
    fn drop(&mut self) {
        if cfg!(debug_assertions) {
            replace(self.0, 0);
        }
    }
}

/// Whether a handler may have to wait until the calling context ends what it holds. Only debug
/// builds know.
#[inline]
pub(super) fn keeps_handlers_waiting() -> bool {
    let keeps = |note: usize| note != 0 && Hold(note & Hold::BITS).keeps_handlers_waiting();
    cfg!(all(debug_assertions, target_os = "linux")) && is_noted(keeps)
}

/// More guards than a thread should ever have at once. A guard that finds no place is not noted.
const PLACES: usize = 16;

thread_local! {
    /// A lock's address and what the thread, or a handler on it, holds of it; 0: free. They are
    /// atomic only because of handlers on this thread, so all accesses are Relaxed: each is whole,
    /// and made where it is written.
    static NOTES: [AtomicUsize; PLACES] = const { [const { AtomicUsize::new(0) }; PLACES] };
}

// Handlers may run on an alternate stack of a few KiB, and debug builds are not optimised. So
// these are plain loops: an iterator's adapters take hundreds of bytes each here.

fn is_noted(sought: impl Fn(usize) -> bool) -> bool {
    NOTES.with(|notes| {
        for note in notes {
            if sought(note.load(Ordering::Relaxed)) {
                return true;
            }
        }
        false
    })
}

fn address<R, W, L, P>(raw: &RawPsRwLock<R, W, L, P>) -> usize {
    std::ptr::from_ref(raw).addr()
}

fn note(address: usize, hold: Hold) -> usize {
    const { assert!(align_of::<RawPsRwLock>() > Hold::BITS) };
    address | hold.0
}

/// Puts one note in another's place; 0 is a free place.
fn replace(from: usize, to: usize) {
    // A handler that comes between may put an equal note in another place, and take the one that
    // was sought. Then this looks again.
    while !replace_once(from, to) && is_noted(|note| note == from) {}
}

fn replace_once(from: usize, to: usize) -> bool {
    let order = Ordering::Relaxed;
    NOTES.with(|notes| {
        for note in notes {
            // In one step, against handlers.
            if note.compare_exchange(from, to, order, order).is_ok() {
                return true;
            }
        }
        false
    })
}

/// Reports that the caller would wait for itself. A guard may have been leaked, and a new lock may
/// stand where its lock stood: `is_locked` shows that while the new lock is free. Both cases are
/// rare, so this suffices.
#[track_caller]
fn check<P: Platform>(address: usize, wanted: Hold, is_locked: impl Fn() -> bool) {
    let mut kind = Hold::BITS;
    while kind > 0 {
        let held = Hold(kind);
        if held.hinders(wanted) && is_noted(|noted| noted == note(address, held)) {
            if is_locked() {
                refuse::<P>(held, wanted);
            }
            return;
        }
        kind -= 1;
    }
}

#[cold]
#[track_caller]
fn refuse<P: Platform>(held: Hold, wanted: Hold) -> ! {
    let why = match (held.is_write(), wanted.is_write()) {
        (true, _) if held == Hold::PREPARED => {
            "prepares a write of this lock: use the value that its closure is given"
        }
        (true, _) => "writes this lock: hand its guard down instead of locking again",
        (_, true) => "reads this lock: drop that guard before a write, which waits for it",
        _ => {
            "reads this lock already, and a writer that came between its two reads would wait for \
             the first and keep the second waiting: hand the guard down, or use try_read"
        }
    };
    P::misused(format_args!("this thread {why}"))
}
