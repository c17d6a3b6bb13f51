//! Writing: the stages of the real lock, and, where the form says, a fence in all threads and a wait for
//! slots.

use crate::form::{Drain, Fence, Form, Slots};
use crate::lock::{Limit, READERS, Slot, Slotted, THREADS, WRITER, closed};
use crate::monitor::{self, Awaited, BIAS};
use crate::sim::Sim;
use siftlock_core::platform::{Class, Platform, Raised};
use siftlock_core::sync::{Ordering, full_fence};

impl<F: Form> Slotted<F> {
    const BEGUN: u64 = WRITER | if Self::reads(Class::Thread) { closed(Class::Thread) } else { 0 };

    fn top() -> Class {
        *F::READS.iter().max().expect("somebody reads")
    }

    fn inside() -> u64 {
        WRITER | F::READS.iter().map(|class| closed(*class)).sum::<u64>()
    }

    pub(crate) fn write(&self, limit: Limit) -> Option<Raised> {
        let raised = Sim::raise(Self::top(), Raised::NOTHING);
        if self.enter(0, Self::inside()).is_ok() {
            return Some(raised);
        }
        Sim::restore(raised);
        if self.word() & BIAS != 0 && matches!(limit, Limit::Try) && Self::gives_up_raised() {
            return None;
        }
        let raised = Sim::raise(F::WRITES, Raised::NOTHING);
        match self.begin(limit) {
            Some(biased) => self.sift(biased, raised, limit),
            None => {
                Sim::restore(raised);
                None
            }
        }
    }

    fn gives_up_raised() -> bool {
        F::RAISED_TRY_GIVES_UP && Sim::level() > Class::Thread
    }

    /// w1. Whether BIAS was on.
    fn begin(&self, limit: Limit) -> Option<bool> {
        let mut v = self.word();
        loop {
            if v & WRITER == 0 {
                match self.enter(v, v | Self::BEGUN) {
                    Ok(()) => return Some(v & BIAS != 0),
                    Err(now) => v = now,
                }
            } else if self.poll(limit, Awaited::NoWriter, |lock| lock.word() & WRITER == 0) {
                v = self.word();
            } else {
                return None;
            }
        }
    }

    /// w2, w3.
    fn sift(&self, biased: bool, mut raised: Raised, limit: Limit) -> Option<Raised> {
        let mut taken = Self::BEGUN;
        if !self.drain(biased, limit) {
            return self.undo(taken, raised);
        }
        for class in Class::HIGH.into_iter().filter(|class| Self::reads(*class)) {
            if F::FENCE != Fence::AfterClosingUnraised {
                raised = Sim::raise(class, raised);
            }
            // Relaxed: publishes nothing; what follows acquires from those who leave.
            self.word.fetch_add(closed(class), Ordering::Relaxed);
            taken |= closed(class);
            let by_slot = biased && F::BY_SLOT.contains(&class);
            if by_slot && !F::is_fenced(class) {
                // Its own, which the step is on most processors anyway.
                full_fence();
            } else if by_slot && F::FENCE != Fence::BeforeRaising {
                heavy_fence();
            }
            if F::FENCE == Fence::AfterClosingUnraised {
                raised = Sim::raise(class, raised);
            }
            let at_stage = by_slot && F::DRAIN != Drain::BeforeRaising;
            let drained = !at_stage || self.await_slots(class, limit);
            let left = |lock: &Self| lock.word.load(Ordering::Acquire) & READERS == 0;
            if !drained || !self.poll(limit, Awaited::NoReaders, left) {
                return self.undo(taken, raised);
            }
        }
        Some(raised)
    }

    /// w2: nothing is raised but the class that writes.
    fn drain(&self, biased: bool, limit: Limit) -> bool {
        let left = |lock: &Self| lock.word.load(Ordering::Acquire) & THREADS == 0;
        if !self.poll(limit, Awaited::NoThreads, left) {
            return false;
        }
        let by_slot = |class: &Class| biased && F::BY_SLOT.contains(class);
        match F::FENCE {
            Fence::BeforeRaising if biased => heavy_fence(),
            Fence::Never => full_fence(),
            _ if by_slot(&Class::Thread) => heavy_fence(),
            _ => {}
        }
        let now = |class: &Class| *class == Class::Thread || F::DRAIN != Drain::AtStages;
        let classes = F::BY_SLOT.iter().filter(|class| by_slot(class) && now(class));
        classes.copied().all(|class| self.await_slots(class, limit))
    }

    /// Until all that are noted now for this class are cleared: asleep while a Thread has noted itself,
    /// who calls.
    fn await_slots(&self, class: Class, limit: Limit) -> bool {
        let place = if F::SLOTS == Slots::OnePerClass { class as usize } else { 0 };
        let asleep = class == Class::Thread || F::SLEEPS_FOR_HIGH;
        self.slots.iter().map(|slots| &slots[place]).all(|slot| {
            is_cleared(slot)
                || match limit {
                    Limit::Endless if asleep => self.sleep_until_cleared(slot),
                    _ => self.poll_until_cleared(slot, limit),
                }
        })
    }

    fn poll_until_cleared(&self, slot: &Slot, limit: Limit) -> bool {
        self.poll(limit, Awaited::Slot((&raw const slot.noted).cast()), |_| is_cleared(slot))
    }

    /// Marks the slot, fences once more, and looks again: who clears it after that sees the mark.
    fn sleep_until_cleared(&self, slot: &Slot) -> bool {
        let me = Sim::current();
        slot.sleeper.store(me.id().get(), Ordering::Relaxed);
        heavy_fence();
        while !is_cleared(slot) {
            let noted = slot.noted.load(Ordering::Relaxed);
            if noted == 1 + Class::Thread as u64 || F::SLEEPS_FOR_HIGH {
                me.park::<Sim>(None);
            } else {
                self.poll_until_cleared(slot, Limit::Endless);
            }
        }
        slot.sleeper.store(0, Ordering::Relaxed);
        true
    }

    pub(crate) fn write_unlock(&self, raised: Raised) {
        // While WRITER is on, BIAS does not change.
        let bias = if F::STAYS_ON { 0 } else { self.word() & BIAS };
        self.end(Self::inside() | bias, raised);
    }

    /// A writer that gives up leaves BIAS on.
    fn undo(&self, taken: u64, raised: Raised) -> Option<Raised> {
        self.end(taken, raised);
        None
    }

    fn end(&self, taken: u64, raised: Raised) {
        // Release: pairs with the acquire of whoever comes next.
        self.word.fetch_sub(taken, Ordering::Release);
        Sim::restore(raised);
    }
}

fn is_cleared(slot: &Slot) -> bool {
    // Acquire: pairs with the release that cleared it.
    slot.noted.load(Ordering::Acquire) == 0
}

/// In all threads.
fn heavy_fence() {
    monitor::fences();
    full_fence();
}
