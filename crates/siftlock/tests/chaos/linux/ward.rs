//! The value that the locks protect, and the checks that notice a lock that did not.

use super::actor::Actor;
use super::post::found;
use std::hint;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How often the number stands there: three cache lines.
const WORDS: usize = 24;

/// The threads inside, and words that a writer sets all alike. They are atomics, so that a broken
/// lock makes wrong numbers and nothing worse. All accesses are Relaxed, so that they order nothing
/// that the lock should order.
pub(crate) struct Ward {
    writing: AtomicU32,
    /// Readers that counted themselves. Some do not, since counting is a full fence on most
    /// processors, and could hide a missing one.
    readers: AtomicU32,
    words: [AtomicU64; WORDS],
}

impl Ward {
    pub(crate) const fn new() -> Self {
        Self {
            writing: AtomicU32::new(0),
            readers: AtomicU32::new(0),
            words: [const { AtomicU64::new(0) }; WORDS],
        }
    }

    /// The number, for a thread inside, where no writer is.
    pub(crate) fn check(&self) -> u64 {
        let first = self.words[0].load(Ordering::Relaxed);
        if self.writing.load(Ordering::Relaxed) != 0 {
            found!("a section is inside together with a writer");
        }
        if let Some(word) = self.words.iter().find(|word| word.load(Ordering::Relaxed) != first) {
            let word = word.load(Ordering::Relaxed);
            found!("a section sees half a write: {first} and {word}");
        }
        first
    }

    /// A reader comes in; [`leave`](Self::leave) must follow.
    pub(crate) fn enter(&self, actor: &mut Actor) -> Reading {
        let counted = actor.rng.bool();
        if counted {
            self.readers.fetch_add(1, Ordering::Relaxed);
        }
        Reading { counted, number: self.check() }
    }

    /// The reader leaves. Returns the number, which must not have changed.
    pub(crate) fn leave(&self, reading: Reading) -> u64 {
        let number = self.check();
        if number != reading.number {
            found!("a writer came beside a reader: {} became {number}", reading.number);
        }
        if reading.counted {
            self.readers.fetch_sub(1, Ordering::Relaxed);
        }
        number
    }

    /// A reader that does something else while it is inside.
    pub(crate) fn read(&self, actor: &mut Actor) -> u64 {
        let reading = self.enter(actor);
        actor.dwell();
        self.leave(reading)
    }

    /// A reader in a hurry, which does nothing else while it is inside, and orders nothing.
    pub(crate) fn read_for(&self, pause: u32) {
        let reading = Reading { counted: false, number: self.check() };
        (0..pause).for_each(|_| hint::spin_loop());
        self.leave(reading);
    }

    /// A writer that does something else while it is inside. Returns the number that it wrote.
    pub(crate) fn write(&self, actor: &mut Actor) -> u64 {
        self.write_while(|| actor.dwell())
    }

    /// A writer in a hurry.
    pub(crate) fn write_at_once(&self) {
        self.write_while(|| ());
    }

    fn write_while(&self, inside: impl FnOnce()) -> u64 {
        let number = self.check() + 1;
        // Loads and stores: with another writer inside, one of the two sees the other.
        self.writing.store(1, Ordering::Relaxed);
        self.expect_no_readers();
        for word in &self.words {
            if word.load(Ordering::Relaxed) != number - 1 {
                found!("two writers are inside together");
            }
            word.store(number, Ordering::Relaxed);
        }
        inside();
        self.expect_no_readers();
        if self.writing.load(Ordering::Relaxed) != 1 {
            found!("two writers were inside together");
        }
        self.writing.store(0, Ordering::Relaxed);
        if self.check() != number {
            found!("another writer wrote beside a writer");
        }
        number
    }

    fn expect_no_readers(&self) {
        let readers = self.readers.load(Ordering::Relaxed);
        if readers != 0 {
            found!("a writer is inside together with {readers} readers");
        }
    }
}

/// The number of writes, counted beside the lock.
#[derive(Default)]
pub(crate) struct Written(AtomicU64);

impl Written {
    /// A section has written. Relaxed, here and below: the end of its thread's visit publishes it.
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// The lock begins anew.
    pub(crate) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// A read section that is under way.
#[must_use]
pub(crate) struct Reading {
    counted: bool,
    pub(crate) number: u64,
}
