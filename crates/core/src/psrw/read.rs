//! Reading, when the fast path did not get in.

use super::context::{Context, Readers};
use super::poll::Limit;
use super::queue::Turn;
use super::word::{Word, reader};
use super::{Policy, PsRwLock, Refused};
use crate::platform::{Class, Instant, Platform};
use crate::sync::{Ordering, mutated};
use crate::wait::Kind;

impl<R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<R, W, L, P> {
    /// v → v + one reader, while the value admits a reader of this class. Returns whether the
    /// reader is in.
    ///
    /// A compare-and-swap, never an addition that is taken back. A handler that interrupts between
    /// those two steps would wait for a writer, and that writer for the reader beneath the handler.
    pub(super) fn share_from(&self, mut v: Word, class: Class) -> bool {
        if mutated!(PsrwAddsThenTakesBack) {
            return self.add_then_take_back(class);
        }
        while v.admits_reader(class) {
            match self.enter(v, v.plus_reader(class)) {
                Ok(()) => return true,
                Err(now) => v = now,
            }
        }
        false
    }

    fn add_then_take_back(&self, class: Class) -> bool {
        let v = Word(self.word.fetch_add(reader(class), Ordering::Acquire));
        if !v.admits_reader(class) {
            self.release(reader(class), Ordering::Release);
        }
        v.admits_reader(class)
    }

    /// Waits for a read. The caller stands at `class`.
    #[cold]
    pub(super) fn read_slow(&self, class: Class, deadline: Option<Instant>) -> Result<(), Refused> {
        match class {
            Class::Thread => self.read_asleep(deadline),
            _ => self.read_awake(class, deadline),
        }
    }

    fn read_asleep(&self, deadline: Option<Instant>) -> Result<(), Refused> {
        let limit = Limit::Until(deadline);
        if limit.is_over::<P>() {
            return Err(Refused::TimedOut);
        }
        self.queue(&Turn::new::<P>(Kind::Reader, deadline)?)
    }

    /// Rule H: no class above Thread queues. When the time is over there is nothing to undo.
    fn read_awake(&self, class: Class, deadline: Option<Instant>) -> Result<(), Refused> {
        loop {
            let v = self.poll(Limit::Until(deadline), |v| v.admits_reader(class))?;
            if self.share_from(v, class) {
                return Ok(());
            }
        }
    }
}
