//! The data that a lock protects during a run, and the checks that notice where it did not.
//!
//! Every section, read or write, makes the *short look*: a writer counts itself in and out with
//! plain loads and stores. A reader sees at both ends of its section that as many writers have left
//! as entered, and that none entered in between. Any overlap with a writer shows in this. It costs
//! a reader a few loads of one line. Readers share the line while only readers run, and a writer
//! moves it as it would move a real user's data.
//!
//! Every [`FULL_LOOK_EVERY`]th section of a thread, its first included, makes the *full look*
//! besides: readers and writers inside are counted atomically, and 100 words are set all to one
//! value by a writer and compared by a reader.
//!
//! Both looks lie inside the lock and are the same for each subject. Floors make them too, but are
//! not judged.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Mutex, PoisonError};

use crossbeam_utils::CachePadded;

use super::Violation;

/// How many words a writer sets all alike.
const WORDS: usize = 100;
/// A thread makes the full look in one of this many of its sections. At its dearest this look
/// fetches 13 lines from another processor's cache, at 60 ns each; spread over 256 sections that is
/// 3 ns, where a section of 10 pauses takes 140 and more.
const FULL_LOOK_EVERY: u32 = 256;

/// The data that the lock protects.
///
/// All accesses are Relaxed: the lock orders them. The ward exists to show a lock that does not.
pub(crate) struct Ward {
    writers: CachePadded<Writers>,
    inside: CachePadded<Inside>,
    words: CachePadded<[AtomicU64; WORDS]>,
    account: Mutex<Account>,
}

/// Writers counted by plain loads and stores: two at once lose a count.
#[derive(Default)]
struct Writers {
    entered: AtomicU64,
    left: AtomicU64,
}

/// The threads inside that make the full look, counted atomically.
#[derive(Default)]
struct Inside {
    readers: AtomicU32,
    writers: AtomicU32,
}

/// The threads' reports, made when they went.
#[derive(Default)]
struct Account {
    writes: u64,
    first: Option<Violation>,
}

impl Ward {
    /// A ward that no thread has entered.
    pub(crate) fn new() -> Self {
        Self {
            writers: CachePadded::default(),
            inside: CachePadded::default(),
            words: CachePadded::new([const { AtomicU64::new(0) }; WORDS]),
            account: Mutex::default(),
        }
    }

    /// A witness for one thread.
    pub(crate) fn witness(&self) -> Witness<'_> {
        Witness { ward: self, until_full_look: 0, writes: 0, first: None }
    }

    /// The verdict, once every witness has gone.
    pub(crate) fn judge(&self) -> Result<(), Violation> {
        let account = self.account.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(violation) = account.first {
            return Err(violation);
        }
        let Writers { entered, left } = &*self.writers;
        let nobody_inside =
            self.inside.readers.load(Relaxed) == 0 && self.inside.writers.load(Relaxed) == 0;
        let adds_up =
            entered.load(Relaxed) == account.writes && left.load(Relaxed) == account.writes;
        if nobody_inside && adds_up { Ok(()) } else { Err(Violation::LostUpdate) }
    }
}

/// One thread's view of a [`Ward`]. It reports to the ward when it is dropped.
pub(crate) struct Witness<'a> {
    ward: &'a Ward,
    until_full_look: u32,
    writes: u64,
    first: Option<Violation>,
}

impl Witness<'_> {
    /// A read section around `work`. Call it with the lock held.
    #[inline]
    pub(crate) fn read<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let writers = &self.ward.writers;
        let entered = writers.entered.load(Relaxed);
        if writers.left.load(Relaxed) != entered {
            self.saw(Violation::ReaderMetWriter);
        }
        let out = if self.is_full_look_due() { self.read_looking(work) } else { work() };
        if self.ward.writers.entered.load(Relaxed) != entered {
            self.saw(Violation::ReaderMetWriter);
        }
        out
    }

    /// A read section around `work` with the short look only: it writes nothing to the ward. Call
    /// it with the lock held.
    ///
    /// The reader is not counted, so only the reader itself sees an overlap. This is for locks
    /// whose readers share no line: the line of a count would decide their figures.
    #[inline]
    pub(crate) fn read_unseen<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let writers = &self.ward.writers;
        let entered = writers.entered.load(Relaxed);
        if writers.left.load(Relaxed) != entered {
            self.saw(Violation::ReaderMetWriter);
        }
        let out = work();
        if self.ward.writers.entered.load(Relaxed) != entered {
            self.saw(Violation::ReaderMetWriter);
        }
        out
    }

    /// A section like [`read_unseen`](Self::read_unseen) that compares the words; callers make one
    /// now and then.
    #[inline(never)]
    pub(crate) fn compare_unseen(&mut self) {
        let mut torn = false;
        let words = &self.ward.words;
        self.read_unseen(|| {
            let first = words[0].load(Relaxed);
            torn = words.iter().any(|word| word.load(Relaxed) != first);
        });
        if torn {
            self.saw(Violation::TornData);
        }
    }

    /// A write section around `work`. Call it with the lock held.
    #[inline]
    pub(crate) fn write<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let writers = &self.ward.writers;
        let before = writers.left.load(Relaxed);
        if writers.entered.load(Relaxed) != before {
            self.saw(Violation::WriterMetWriter);
        }
        let mine = before.wrapping_add(1);
        self.ward.writers.entered.store(mine, Relaxed);
        if self.ward.inside.readers.load(Relaxed) != 0 {
            self.saw(Violation::WriterMetReader);
        }
        let out = if self.is_full_look_due() { self.write_looking(mine, work) } else { work() };
        let writers = &self.ward.writers;
        if writers.entered.load(Relaxed) != mine || writers.left.load(Relaxed) != before {
            self.saw(Violation::WriterMetWriter);
        }
        self.ward.writers.left.store(mine, Relaxed);
        self.writes += 1;
        out
    }

    #[inline]
    fn is_full_look_due(&mut self) -> bool {
        let due = self.until_full_look == 0;
        self.until_full_look = if due { FULL_LOOK_EVERY } else { self.until_full_look } - 1;
        due
    }

    /// `work` with a reader's full look.
    #[inline(never)]
    fn read_looking<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let inside = &self.ward.inside;
        inside.readers.fetch_add(1, Relaxed);
        let out = work();
        if inside.writers.load(Relaxed) != 0 {
            self.saw(Violation::ReaderMetWriter);
        }
        let first = self.ward.words[0].load(Relaxed);
        if self.ward.words.iter().any(|word| word.load(Relaxed) != first) {
            self.saw(Violation::TornData);
        }
        self.ward.inside.readers.fetch_sub(1, Relaxed);
        out
    }

    /// `work` with a writer's full look, in which all words become `mine`.
    #[inline(never)]
    fn write_looking<T>(&mut self, mine: u64, work: impl FnOnce() -> T) -> T {
        if self.ward.inside.writers.fetch_add(1, Relaxed) != 0 {
            self.saw(Violation::WriterMetWriter);
        }
        for word in self.ward.words.iter() {
            word.store(mine, Relaxed);
        }
        let out = work();
        if self.ward.words.iter().any(|word| word.load(Relaxed) != mine) {
            self.saw(Violation::TornData);
        }
        if self.ward.inside.readers.load(Relaxed) != 0 {
            self.saw(Violation::WriterMetReader);
        }
        self.ward.inside.writers.fetch_sub(1, Relaxed);
        out
    }

    #[cold]
    fn saw(&mut self, violation: Violation) {
        self.first.get_or_insert(violation);
    }
}

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        let mut account = self.ward.account.lock().unwrap_or_else(PoisonError::into_inner);
        account.writes += self.writes;
        account.first = account.first.or(self.first);
    }
}

#[cfg(test)]
mod tests;
