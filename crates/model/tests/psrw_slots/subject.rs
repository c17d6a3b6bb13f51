//! The forms behind the face that the models know.

use crate::form::Form;
use crate::lock::{Limit, Slotted};
use crate::monitor;
use crate::script::{Actor, Mode, Patience};
use crate::sim::Sim;
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::psrw::Refused;

pub(crate) use siftlock_core::sync::mutant;

/// How long a `t` waits, in nanoseconds.
const A_WHILE: u64 = 1_000_000;

pub(crate) trait Subject: Sized + 'static {
    /// The class that writes.
    const WRITES: Class;
    fn found(word: u64) -> Self;
    fn take(&self, mode: Mode, patience: Patience) -> Result<Raised, Refused>;
    /// The caller has it, and has raised so much.
    unsafe fn give_back(&self, mode: Mode, raised: Raised);
    /// This form cannot; no row asks for it.
    unsafe fn go_on_reading(&self, _raised: Raised) {
        unreachable!("a write of this form ends")
    }
    /// S7: the lock is at rest, and its word this; BIAS may be on or off.
    fn assert_rests_at(&self, word: u64);
    /// Shows the monitor a lock that stays where it is.
    fn show(&self);
}

/// How often, in this row, a thread that could go on is made to wait for another.
pub(crate) fn preemptions(row: &[Actor]) -> Option<usize> {
    let handlers = row.iter().any(|actor| !actor.handlers.is_empty());
    let again = row.iter().any(|actor| actor.sections.len() > 1);
    Some(match row.len() {
        0..=2 if !handlers && !again => 5,
        0..=2 => 3,
        _ => 2,
    })
}

impl<F: Form> Subject for Slotted<F> {
    const WRITES: Class = F::WRITES;

    fn found(word: u64) -> Self {
        Self::found(word)
    }

    fn take(&self, mode: Mode, patience: Patience) -> Result<Raised, Refused> {
        let limit = match patience {
            Patience::Endless | Patience::Update => Limit::Endless,
            Patience::Timed => Limit::Until(Sim::now().after(A_WHILE)),
            Patience::Past => Limit::Until(Instant::from_nanos(0)),
            Patience::Try => Limit::Try,
        };
        let taken = match mode {
            Mode::Read(class) => self.read(class, limit),
            Mode::Write => self.write(limit),
        };
        taken.ok_or(Refused::TimedOut)
    }

    unsafe fn give_back(&self, mode: Mode, raised: Raised) {
        match mode {
            Mode::Read(class) => self.read_unlock(class, raised),
            Mode::Write => self.write_unlock(raised),
        }
    }

    fn assert_rests_at(&self, word: u64) {
        monitor::rests_at(self.word(), word);
    }

    fn show(&self) {
        monitor::watches(self.places());
    }
}
