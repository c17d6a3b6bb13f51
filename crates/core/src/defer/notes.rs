//! The signals that have arrived at a thread and were not handled, in order for each number.

use super::signals::Signal;
use crate::sync::{AtomicU32, Cell, Ordering, handler_fence, mutated};
use core::mem::MaybeUninit;

/// Places of a real-time signal. When they are full the signal is blocked, and the system queues
/// it.
#[cfg(not(siftlock_model))]
pub const PLACES: usize = 16;

/// Places of a real-time signal: few, so that a model fills them.
#[cfg(siftlock_model)]
pub const PLACES: usize = 2;

/// Ring sizes: powers of two. The second half is for signals that come although the places are
/// full: a signal that is handled at once, and real-time signals that the program has unblocked.
const ONE: usize = 2;
const MANY: usize = 2 * PLACES;

const STANDARD: usize = Signal::FIRST_REAL_TIME as usize - 1;
const REAL_TIME: usize = Signal::MAX as usize - STANDARD;

/// The notes of one thread: one place for each standard signal, [`PLACES`] for each real-time one.
///
/// All-zero is empty. Only the thread and its handlers use them.
#[derive(Debug)]
pub struct Notes<I> {
    standard: [Ring<I, ONE>; STANDARD],
    real_time: [Ring<I, MANY>; REAL_TIME],
}

impl<I: Copy> Notes<I> {
    /// No notes, for a place in static storage. Zeroed memory is the same.
    #[must_use]
    pub fn new() -> Self {
        Self {
            standard: core::array::from_fn(|_| Ring::new()),
            real_time: core::array::from_fn(|_| Ring::new()),
        }
    }

    pub(super) fn of(&self, signal: Signal) -> Note<'_, I> {
        let place = signal.number() as usize - 1;
        if signal.is_real_time() {
            self.real_time[place - STANDARD].note()
        } else {
            self.standard[place].note()
        }
    }

    /// Whether a signal that `wanted` describes is noted. For models.
    #[cfg(siftlock_model)]
    pub fn has(&self, signal: Signal, wanted: impl Fn(&I) -> bool) -> bool {
        self.of(signal).has(wanted)
    }

    /// Forgets all notes.
    pub fn clear(&self) {
        for signal in super::Signals::from_bits(u64::MAX).each() {
            self.of(signal).clear();
        }
    }
}

impl<I: Copy> Default for Notes<I> {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Debug)]
struct Ring<I, const N: usize> {
    /// How many notes were ever taken.
    taken: AtomicU32,
    /// How many notes were ever appended.
    made: AtomicU32,
    places: [Cell<MaybeUninit<I>>; N],
}

impl<I: Copy, const N: usize> Ring<I, N> {
    fn new() -> Self {
        Self {
            taken: AtomicU32::new(0),
            made: AtomicU32::new(0),
            places: core::array::from_fn(|_| Cell::new(MaybeUninit::uninit())),
        }
    }

    fn note(&self) -> Note<'_, I> {
        Note { taken: &self.taken, made: &self.made, places: &self.places }
    }
}

/// The notes of one signal. A thread that takes a note may be interrupted, at any point, by a
/// handler that appends or takes one. Nothing that appends interrupts another append, since a
/// signal's own wrapper runs with the signal blocked.
pub(super) struct Note<'a, I> {
    taken: &'a AtomicU32,
    made: &'a AtomicU32,
    places: &'a [Cell<MaybeUninit<I>>],
}

impl<I: Copy> Note<'_, I> {
    // Relaxed, all. A thread and its handlers see each other's accesses in their order. The
    // compiler keeps that order for atomics on one word, and the fences here keep it across words.

    pub(super) fn len(&self) -> u32 {
        self.len_from(self.taken.load(Ordering::Relaxed))
    }

    /// How many notes there are from the one with the number `taken` on, which was the oldest.
    ///
    /// The number of notes made is read last. So a handler that comes in between may make the
    /// length too great, and never less than none.
    fn len_from(&self, taken: u32) -> u32 {
        handler_fence();
        self.made.load(Ordering::Relaxed).wrapping_sub(taken)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no further signal should come.
    pub(super) fn is_full(&self) -> bool {
        self.len() as usize >= self.places.len() / 2
    }

    /// Whether one more signal can be noted, and after it another one that is handled at once.
    pub(super) fn has_room(&self) -> bool {
        self.len() as usize + 1 < self.places.len()
    }

    fn place(&self, count: u32) -> &Cell<MaybeUninit<I>> {
        &self.places[count as usize % self.places.len()]
    }

    /// Appends the latest signal. There is room.
    pub(super) fn append(&self, info: I) {
        debug_assert!((self.len() as usize) < self.places.len(), "there is room");
        let made = self.made.load(Ordering::Relaxed);
        // SAFETY: this thread's own, and outside `taken..made`, so it is not read.
        unsafe { self.place(made).set(MaybeUninit::new(info)) };
        handler_fence();
        self.made.store(made.wrapping_add(1), Ordering::Relaxed);
    }

    /// The oldest note, which stays. All handlers that could take it are blocked.
    pub(super) fn oldest(&self) -> Option<I> {
        let taken = self.taken.load(Ordering::Relaxed);
        // SAFETY: this thread's own, and inside `taken..made`, so it was written.
        (self.len_from(taken) != 0).then(|| unsafe { self.place(taken).get().assume_init() })
    }

    /// Merges a standard signal that has arrived with its note, if there is one.
    ///
    /// The note is taken and appended anew. An interrupted taker may have read it already, and must
    /// see that it has changed.
    pub(super) fn merge(&self, later: I, merge: impl FnOnce(&mut I, &I)) {
        if mutated!(DeferMergesInPlace) {
            if self.is_empty() {
                return self.append(later);
            }
            let place = self.place(self.taken.load(Ordering::Relaxed));
            // SAFETY: as in `oldest`; and there is no other writer.
            unsafe {
                let mut noted = place.get().assume_init();
                merge(&mut noted, &later);
                place.set(MaybeUninit::new(noted));
            }
            return;
        }
        self.append(match self.take() {
            Some(mut noted) => {
                merge(&mut noted, &later);
                noted
            }
            None => later,
        });
    }

    /// Takes the oldest note. If a handler that comes in between takes it, the thread tries again.
    pub(super) fn take(&self) -> Option<I> {
        loop {
            let taken = self.taken.load(Ordering::Relaxed);
            if self.len_from(taken) == 0 {
                return None;
            }
            handler_fence();
            // SAFETY: this thread's own. The value was written, or it is not used. No handler
            // writes the place before `taken` has passed it.
            let info = unsafe { self.place(taken).get() };
            handler_fence();
            let (next, order) = (taken.wrapping_add(1), Ordering::Relaxed);
            if self.taken.compare_exchange(taken, next, order, order).is_ok() {
                // SAFETY: inside `taken..made` until this step, so it was written.
                return Some(unsafe { info.assume_init() });
            }
        }
    }

    #[cfg(siftlock_model)]
    fn has(&self, wanted: impl Fn(&I) -> bool) -> bool {
        let first = self.taken.load(Ordering::Relaxed);
        (0..self.len()).any(|n| {
            // SAFETY: this thread's own, and inside `taken..made`, so it was written.
            wanted(&unsafe { self.place(first.wrapping_add(n)).get().assume_init() })
        })
    }

    fn clear(&self) {
        self.taken.store(self.made.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    fn signal(number: i32) -> Signal {
        Signal::new(number).unwrap()
    }

    #[test]
    fn notes_keep_the_order_and_fill_up() {
        let notes = Notes::new();
        let note = notes.of(signal(40));
        for round in 0..3 {
            for n in 0..PLACES {
                assert!(!note.is_full());
                note.append((round, n));
            }
            assert!(note.is_full());
            // Signals that come although it is full, and one that is handled at once.
            for n in PLACES..2 * PLACES {
                assert_eq!(note.has_room(), n + 1 < 2 * PLACES);
                note.append((round, n));
            }
            for n in 0..2 * PLACES {
                assert_eq!(note.take(), Some((round, n)));
            }
            assert_eq!(note.take(), None);
        }
    }

    #[test]
    fn notes_have_one_place_for_a_standard_signal_and_none_in_common() {
        let notes = Notes::new();
        for number in 1..=64 {
            assert!(notes.of(signal(number)).is_empty());
            notes.of(signal(number)).append(number);
            assert_eq!(notes.of(signal(number)).is_full(), number < 32);
            assert_eq!(notes.of(signal(number)).has_room(), number >= 32);
        }
        assert!((1..=64).all(|number| notes.of(signal(number)).take() == Some(number)));
    }

    #[test]
    fn notes_of_a_standard_signal_merge() {
        let notes = Notes::new();
        let note = notes.of(signal(1));
        (1..4).for_each(|n| note.merge(n, |noted, later| *noted = 10 * *noted + later));
        assert_eq!([note.oldest(), note.take(), note.oldest()], [Some(123), Some(123), None]);
    }

    #[test]
    fn notes_that_were_cleared_are_empty() {
        let notes = Notes::new();
        notes.of(signal(1)).append(1);
        notes.of(signal(64)).append(2);
        notes.clear();
        assert_eq!((notes.of(signal(1)).take(), notes.of(signal(64)).take()), (None, None));
    }
}
