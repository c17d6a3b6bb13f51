//! Sifting: in its turn, a writer shuts the readers out, class by class from the lowest. So each
//! class waits only while the readers of its own and of higher classes leave.
//!
//! Thread readers may sleep inside, so the writer waits for them first, asleep (*drain*). It waits
//! for all others awake and raised.

use super::context::{Context, Readers, Shape};
use super::poll::Limit;
use super::queue::Turn;
use super::word::{HANDOFF, Word, closed};
use super::write::call;
use super::{Policy, PsRwLock, Refused};
use crate::platform::{Class, Platform, Raised};
use crate::sync::{Ordering, mutated};

impl<R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<R, W, L, P> {
    /// w2 and w3 of a Thread writer, which has begun. Without a `turn` it does not sleep.
    pub(super) fn sift(&self, turn: Option<&Turn>, limit: Limit) -> Result<Raised, Refused> {
        if Shape::<W, R>::THREADS_READ {
            match turn {
                Some(turn) => self.drain(turn)?,
                None => self.drain_awake(limit)?,
            }
        }
        self.close_upwards(Raised::NOTHING, limit)
    }

    fn drain_awake(&self, limit: Limit) -> Result<(), Refused> {
        let left = self.poll(limit, is_drained);
        if left.is_err() {
            self.undo(Shape::<W, R>::BEGUN, Raised::NOTHING);
        }
        left.map(drop)
    }

    /// w2: waits awake for a moment, then sleeps, in front of all waiters, until the last Thread
    /// reader has left.
    ///
    /// v → v with HEAD(me), HANDOFF off, in *one* step from a value that shows Thread readers (rule
    /// N). So the last of them finds HEAD, or the writer sees that it has left.
    fn drain(&self, turn: &Turn) -> Result<(), Refused> {
        if L::SPIN && self.poll(Limit::Try, is_drained).is_ok() {
            return Ok(());
        }
        let list = self.waiters.lock::<P>();
        let mut v = self.see();
        loop {
            if is_drained(v) {
                return Ok(());
            }
            let mut to = v.with_head(Some(turn.me.id()));
            if mutated!(PsrwDrainKeepsHandoff) {
                to = to.with(v.0 & HANDOFF);
            }
            if mutated!(PsrwDrainPublishedInOwnStep) {
                self.word.fetch_add(to.0.wrapping_sub(v.0), Ordering::Relaxed);
                break;
            }
            match self.enter(v, to) {
                Ok(()) => break,
                // Acquire, by `see`: the value may be the reason to go on.
                Err(_) => v = self.see(),
            }
        }
        turn.node.announce();
        if mutated!(PsrwDrainQueuesAtEnd) {
            list.append(&turn.node);
        } else {
            list.push_front(&turn.node);
        }
        drop(list);
        self.await_last_reader(turn)
    }

    fn await_last_reader(&self, turn: &Turn) -> Result<(), Refused> {
        loop {
            turn.me.park::<P>(turn.deadline);
            if is_drained(self.see()) {
                // WRITER stays. No waiter behind this one can go on yet. The step that takes WRITER
                // off wakes it.
                if mutated!(PsrwDrainClearsHead) {
                    let list = self.waiters.lock::<P>();
                    list.unlink(&turn.node);
                    let head = self.look();
                    self.release(head.0 - head.with_head(None).0, Ordering::Relaxed);
                    return Ok(());
                }
                self.step_aside(self.waiters.lock::<P>(), turn, 0);
                return Ok(());
            }
            if Limit::Until(turn.deadline).is_over::<P>() {
                let list = self.waiters.lock::<P>();
                let next = self.step_aside(list, turn, Shape::<W, R>::BEGUN);
                if !mutated!(PsrwDrainTimeoutWakesNobody) {
                    call::<P>(next);
                }
                return Err(Refused::TimedOut);
            }
        }
    }

    /// w3: for each higher class that reads, from the lowest: raise; v → v + CLOSED; wait until all
    /// readers have left. Rule R: raise, then close, so that no handler on this thread waits for
    /// it.
    pub(super) fn close_upwards(
        &self,
        mut raised: Raised,
        limit: Limit,
    ) -> Result<Raised, Refused> {
        let mut taken = Shape::<W, R>::BEGUN;
        if mutated!(PsrwClosesAllAtOnce) {
            taken = Shape::<W, R>::INSIDE;
        }
        for class in Class::HIGH.into_iter().filter(|class| R::SET.has(*class)) {
            raised = self.raise_and_close(class, raised);
            taken |= closed(class);
            let last = class == Shape::<W, R>::TOP;
            if last && mutated!(PsrwFieldsNotLookedAtAgain) {
                break;
            }
            if let Err(refused) = self.poll(limit, |v| !v.is_read()) {
                self.undo(taken, raised);
                return Err(refused);
            }
        }
        Ok(raised)
    }

    fn raise_and_close(&self, class: Class, raised: Raised) -> Raised {
        if mutated!(PsrwClosesBeforeRaising) {
            self.close(class);
            return P::raise(class, raised);
        }
        let raised = P::raise(class, raised);
        if !mutated!(PsrwClosesAllAtOnce) {
            self.close(class);
        }
        raised
    }

    /// v → v + CLOSED. The bit is off: only the one writer that sifts sets it.
    fn close(&self, class: Class) {
        // Relaxed: publishes nothing. Readers are counted, and classes closed, by
        // read-modify-writes of one word. The look that follows acquires from the readers that
        // leave.
        self.word.fetch_add(closed(class), Ordering::Relaxed);
    }
}

/// Whether no Thread reader is inside.
fn is_drained(v: Word) -> bool {
    v.threads() == 0 && (v.highs() == 0 || !mutated!(PsrwDrainAwaitsHighReaders))
}
