//! What the calling thread holds, noted in debug builds: so that a wait for oneself is a panic that
//! says what to do, on its first run, and not a deadlock on the day a writer comes in between.
//!
//! Noted are guards of the classes that threads call in, `Thread` and `NonPreemptible`. Handlers
//! note nothing and need nothing here: no allocation, no lazy initialisation, no destructor. One that
//! uses a try form of such a class all the same leaves each place as it found it, so it does no harm
//! wherever it comes in between.

use super::RawPsRwLock;
use crate::context::Context;
use crate::psrw::{Policy, Readers};
use siftlock_core::platform::{Class, Platform};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a thread holds, or wants. In the order of what it keeps the thread from.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Hold {
    Read = 1,
    ReadAwake = 2,
    Write = 3,
}

impl Hold {
    /// A read in class `C`; `None`: not one that threads call in.
    fn read<C: Context>() -> Option<Self> {
        match C::CLASS {
            Class::Thread => Some(Self::Read),
            Class::NonPreemptible => Some(Self::ReadAwake),
            _ => None,
        }
    }

    fn write<W: Context>() -> Option<Self> {
        Self::read::<W>().map(|_| Self::Write)
    }

    /// Whether a thread that holds this could wait for itself. A writer that waits for a reader has
    /// closed that reader's class and maybe those below, and closes none above it: there a thread
    /// may read again, as a handler does on top of it.
    fn hinders(self, wanted: Self) -> bool {
        wanted == Self::Write || self >= wanted
    }
}

/// The caller is about to wait for `raw` as a reader of class `C`.
#[inline]
#[track_caller]
pub(super) fn check_read<C: Context, R: Readers, W: Context, L: Policy, P: Platform>(
    raw: &RawPsRwLock<R, W, L, P>,
) {
    if cfg!(debug_assertions) {
        check(address(raw), Hold::read::<C>(), || raw.is_locked());
    }
}

/// The caller is about to wait for `raw` as its writer.
#[inline]
#[track_caller]
pub(super) fn check_write<R: Readers, W: Context, L: Policy, P: Platform>(
    raw: &RawPsRwLock<R, W, L, P>,
) {
    if cfg!(debug_assertions) {
        check(address(raw), Hold::write::<W>(), || raw.is_locked());
    }
}

/// The caller reads `raw` from here on.
#[inline]
pub(super) fn begin_read<C: Context, R, W, L, P>(raw: &RawPsRwLock<R, W, L, P>) {
    if cfg!(debug_assertions) {
        replace(None, Hold::read::<C>().map(|hold| note(address(raw), hold)));
    }
}

/// The caller is about to end its read.
#[inline]
pub(super) fn end_read<C: Context, R, W, L, P>(raw: &RawPsRwLock<R, W, L, P>) {
    if cfg!(debug_assertions) {
        replace(Hold::read::<C>().map(|hold| note(address(raw), hold)), None);
    }
}

/// The caller writes `raw` from here on.
#[inline]
pub(super) fn begin_write<R, W: Context, L, P>(raw: &RawPsRwLock<R, W, L, P>) {
    if cfg!(debug_assertions) {
        replace(None, Hold::write::<W>().map(|hold| note(address(raw), hold)));
    }
}

/// The caller is about to end its write.
#[inline]
pub(super) fn end_write<R, W: Context, L, P>(raw: &RawPsRwLock<R, W, L, P>) {
    if cfg!(debug_assertions) {
        replace(Hold::write::<W>().map(|hold| note(address(raw), hold)), None);
    }
}

/// More guards than a thread should ever have at once. What finds no place is not noted.
const PLACES: usize = 16;

thread_local! {
    /// A lock's address and what the thread holds of it; 0: free. Atomics only against handlers on
    /// this thread, so all Relaxed: each access is whole, and made where it is written.
    static NOTES: [AtomicUsize; PLACES] = const { [const { AtomicUsize::new(0) }; PLACES] };
}

fn address<R, W, L, P>(raw: &RawPsRwLock<R, W, L, P>) -> usize {
    std::ptr::from_ref(raw).addr()
}

fn note(address: usize, hold: Hold) -> usize {
    address | hold as usize
}

/// Puts one note in another's place; `None` is a free place, or nothing to be done.
fn replace(from: Option<usize>, to: Option<usize>) {
    if from == to {
        return;
    }
    let (from, to) = (from.unwrap_or(0), to.unwrap_or(0));
    // In one step: a handler that comes between may put an equal note in another place, and take this
    // one. Then it is looked for again.
    let order = Ordering::Relaxed;
    let put = |note: &AtomicUsize| note.compare_exchange(from, to, order, order).is_ok();
    let changed = |notes: &[AtomicUsize; PLACES]| notes.iter().any(put);
    NOTES.with(
        |notes| {
            while !changed(notes) && notes.iter().any(|note| note.load(order) == from) {}
        },
    );
}

/// `is_locked`: a guard may have been leaked, its lock gone, and another one be in its place. That is
/// noticed while nobody has the new one; with both rare, it has to do.
#[track_caller]
fn check(address: usize, wanted: Option<Hold>, is_locked: impl Fn() -> bool) {
    let Some(wanted) = wanted else { return };
    let holds = |hold: Hold| {
        let sought = note(address, hold);
        NOTES.with(|notes| notes.iter().any(|note| note.load(Ordering::Relaxed) == sought))
    };
    let held = [Hold::Write, Hold::ReadAwake, Hold::Read].into_iter();
    let hindrance = held.filter(|held| held.hinders(wanted)).find(|held| holds(*held));
    if let Some(held) = hindrance.filter(|_| is_locked()) {
        refuse(held, wanted);
    }
}

#[cold]
#[track_caller]
fn refuse(held: Hold, wanted: Hold) -> ! {
    match (held, wanted) {
        (Hold::Write, _) => {
            panic!("this thread writes this lock: hand its guard down instead of locking again")
        }
        (_, Hold::Write) => {
            panic!(
                "this thread reads this lock: drop that guard before a write, which waits for it"
            )
        }
        _ => panic!(
            "this thread reads this lock already, and a writer that came between its two reads \
             would wait for the first and keep the second waiting: hand the guard down, or use \
             try_read"
        ),
    }
}
