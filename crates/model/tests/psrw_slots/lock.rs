//! The small lock, and reading: the real one's word and contexts, with slots and without the queue.
//!
//! **Read by slot**, from class c, raised to c: BIAS, and not turned back? slot := c; light fence; the
//! word again, the same test. Passed: in. Failed: slot := 0, and be counted. **Unlock by slot**:
//! slot := 0; light fence; if somebody sleeps there, call.
//!
//! **Counted read, write** as in the real lock. A writer that finds BIAS has besides, somewhere, a
//! heavy fence and a wait for slots: where, the form says.

use crate::form::{Form, Slots, TurnedBackBy};
use crate::monitor::{self, Awaited, BIAS};
use crate::sim::Sim;
use crate::world::World;
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::sync::{AtomicU32, AtomicU64, Ordering, OwnU64, full_fence};
use siftlock_core::wait::RecordId;
use std::marker::PhantomData;

pub(crate) const WRITER: u64 = 1;
pub(crate) const THREADS: u64 = 0x3_ffff << 6;
pub(crate) const READERS: u64 = THREADS | 0x3_ffff << 24;

/// In [`Raised`], above what the platform keeps there: the reader is in by a slot.
const BY_SLOT: u64 = 1 << 32;

/// How long a call may wait.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    Endless,
    Until(Instant),
    Try,
}

pub(crate) const fn closed(class: Class) -> u64 {
    1 << (1 + class as u32)
}

const fn reader(class: Class) -> u64 {
    match class {
        Class::Thread => 1 << 6,
        _ => 1 << 24,
    }
}

pub(crate) struct Slot {
    /// 0, or who noted itself, as a class from 1.
    pub(crate) noted: OwnU64,
    /// The id of the writer that sleeps until it is cleared.
    pub(crate) sleeper: AtomicU32,
}

pub(crate) struct Slotted<F> {
    pub(crate) word: AtomicU64,
    /// Of each thread, of each class.
    pub(crate) slots: Vec<[Slot; 4]>,
    form: PhantomData<F>,
}

impl<F: Form> Slotted<F> {
    pub(crate) const fn reads(class: Class) -> bool {
        Self::is_in(class, F::READS)
    }

    const fn is_in(class: Class, set: &[Class]) -> bool {
        let mut place = 0;
        while place < set.len() {
            if set[place] as u8 == class as u8 {
                return true;
            }
            place += 1;
        }
        false
    }

    pub(crate) fn found(word: u64) -> Self {
        let slot = || Slot { noted: OwnU64::new(0), sleeper: AtomicU32::new(0) };
        let slots = World::now().seats.iter().map(|_| std::array::from_fn(|_| slot()));
        Self { word: AtomicU64::new(word), slots: slots.collect(), form: PhantomData }
    }

    /// Where the slots are.
    pub(crate) fn places(&self) -> impl Iterator<Item = *const ()> {
        self.slots.iter().flatten().map(|slot| (&raw const slot.noted).cast())
    }

    pub(crate) fn word(&self) -> u64 {
        self.word.load(Ordering::Relaxed)
    }

    /// The calling thread's slot for a read of this class.
    fn slot(&self, class: Class) -> &Slot {
        let slots = &self.slots[World::now().place()];
        &slots[if F::SLOTS == Slots::OnePerClass { class as usize } else { 0 }]
    }

    pub(crate) fn read(&self, class: Class, limit: Limit) -> Option<Raised> {
        let raised = Sim::raise(class, Raised::NOTHING);
        if F::BY_SLOT.contains(&class) && self.read_by_slot(class) {
            monitor::in_by_slot();
            return Some(Raised::new(raised.state() | BY_SLOT));
        }
        let mut v = self.word();
        loop {
            if v & closed(class) == 0 {
                match self.enter(v, v + reader(class)) {
                    Ok(()) => break,
                    Err(now) => v = now,
                }
            } else if self
                .poll(limit, Awaited::Open(class), |lock| lock.word() & closed(class) == 0)
            {
                v = self.word();
            } else {
                Sim::restore(raised);
                return None;
            }
        }
        if F::SWITCHES_ON && class == Class::Thread && v & (BIAS | WRITER) == 0 {
            let on = v + reader(class);
            let _ = self.word.compare_exchange(on, on | BIAS, Ordering::Relaxed, Ordering::Relaxed);
        }
        Some(raised)
    }

    /// Whether this value lets a reader of the class in by a slot.
    fn lets_in(v: u64, class: Class) -> bool {
        let bars = match F::TURNED_BACK_BY {
            TurnedBackBy::Writer => WRITER,
            TurnedBackBy::OwnClosed => closed(class),
        };
        v & BIAS != 0 && v & bars == 0
    }

    fn read_by_slot(&self, class: Class) -> bool {
        if !Self::lets_in(self.word(), class) {
            return false;
        }
        let slot = self.slot(class);
        // In use: the caller is a handler, above a read of this lock. It is counted.
        if slot.noted.load(Ordering::Relaxed) != 0 {
            return false;
        }
        slot.noted.store(1 + class as u64, Ordering::Release);
        light_fence::<F>(class);
        // Acquire: pairs with the release of the writer before.
        if Self::lets_in(self.word.load(Ordering::Acquire), class) {
            return true;
        }
        slot.noted.store(0, Ordering::Release);
        self.look_for_sleeper(slot, class);
        false
    }

    pub(crate) fn read_unlock(&self, class: Class, raised: Raised) {
        if raised.state() & BY_SLOT == 0 {
            // Release: pairs with the acquire of the writer that waits for it, or comes next.
            self.word.fetch_sub(reader(class), Ordering::Release);
        } else {
            monitor::out_by_slot();
            let slot = self.slot(class);
            // Release: pairs with the acquire of the writer that waits for the slot.
            slot.noted.store(0, Ordering::Release);
            self.look_for_sleeper(slot, class);
        }
        Sim::restore(Raised::new(raised.state() & !BY_SLOT));
    }

    /// The slot was cleared.
    fn look_for_sleeper(&self, slot: &Slot, class: Class) {
        if class > Class::Thread && !F::SLEEPS_FOR_HIGH {
            return;
        }
        // The clearing comes before the look. Pairs with the fence of the writer that has left its mark.
        full_fence();
        if let Some(id) = RecordId::new(slot.sleeper.load(Ordering::Relaxed)) {
            monitor::calls(World::now().me());
            Sim::record(id).unpark::<Sim>();
        }
    }

    pub(crate) fn enter(&self, v: u64, to: u64) -> Result<(), u64> {
        // Acquire: pairs with the Release of those who were in before.
        self.word.compare_exchange(v, to, Ordering::Acquire, Ordering::Relaxed).map(drop)
    }

    /// Until it is so, as long as the limit lasts.
    pub(crate) fn poll(&self, limit: Limit, awaited: Awaited, so: impl Fn(&Self) -> bool) -> bool {
        while !so(self) {
            let over = match limit {
                Limit::Endless => false,
                Limit::Until(deadline) => Sim::now() >= deadline,
                Limit::Try => true,
            };
            if over {
                return false;
            }
            monitor::awaits(awaited);
            Sim::nap();
        }
        true
    }
}

/// Between a reader's note and its second look. On a processor it is nothing. A fence of the writer's in
/// all threads, made between what turns the reader back and the look at the slots, makes it as good as
/// a full one; so it is one here where there is such a fence, and nothing where there is none.
fn light_fence<F: Form>(class: Class) {
    if F::is_fenced(class) {
        full_fence();
    }
}
