//! Locks of different contexts behind one face.

use crate::monitor;
use crate::script::{Actor, Mode, Patience};
use crate::sim::Sim;
use psrw_2008::{PsRw2008, Refused};
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::psrw::{Context, Irq, NonPreemptible, Readers, SoftIrq, Thread};

pub(crate) use psrw_2008::mutant;

/// How long a `t` waits, in nanoseconds.
const A_WHILE: u64 = 1_000_000;

pub(crate) trait Subject: Sized + 'static {
    /// The class that writes.
    const WRITES: Class;
    fn found(word: u64) -> Self;
    fn take(&self, mode: Mode, patience: Patience) -> Result<Raised, Refused>;
    /// Gives the lock back. The caller has it in this mode, and has raised so much.
    unsafe fn give_back(&self, mode: Mode, raised: Raised);
    /// Not offered.
    unsafe fn go_on_reading(&self, _raised: Raised) {
        unreachable!("no downgrade");
    }
    /// T7: the lock is at rest, and this is its `uc`.
    fn assert_rests_at(&self, uc: u64);
    /// Shows the monitor a lock that stays where it is.
    fn show(&self);
}

/// How often, in this row, a thread that could go on is made to wait for another. Less often than
/// for the other lock, since this one makes three times as many steps.
pub(crate) fn preemptions(row: &[Actor]) -> Option<usize> {
    let handlers = row.iter().any(|actor| !actor.handlers.is_empty());
    let again = row.iter().any(|actor| actor.sections.len() > 1);
    Some(match row.len() {
        0..=2 if !handlers && !again => 6,
        0..=2 if !handlers || !again => 2,
        _ => 1,
    })
}

fn deadline(patience: Patience) -> Option<Instant> {
    match patience {
        Patience::Endless | Patience::Update | Patience::FailedUpdate => None,
        Patience::Past | Patience::Try => Some(Instant::from_nanos(0)),
        Patience::Timed => Some(Sim::now().after(A_WHILE)),
    }
}

fn read<W: Context, R: Readers, C: Context>(
    lock: &PsRw2008<R, W, Sim>,
    at: C,
    patience: Patience,
) -> Result<Raised, Refused> {
    match patience {
        Patience::Endless => Ok(lock.read(at)),
        Patience::Try => lock.try_read(at).ok_or(Refused::TimedOut),
        _ => lock.read_until(at, deadline(patience)),
    }
}

macro_rules! subject {
    ($(#[$meta:meta])* $name:ident = $writes:ident, $set:ty, [$($reads:ident),*]) => {
        $(#[$meta])*
        pub(crate) type $name = PsRw2008<$set, $writes, Sim>;

        impl Subject for $name {
            const WRITES: Class = $writes::CLASS;

            fn found(word: u64) -> Self {
                Self::found(word.try_into().expect("uc has 32 bits"))
            }

            fn take(&self, mode: Mode, patience: Patience) -> Result<Raised, Refused> {
                match mode {
                    $(Mode::Read(class) if class == $reads::CLASS => read(self, $reads, patience),)*
                    Mode::Read(class) => panic!("{class:?} does not read this lock"),
                    Mode::Write => match patience {
                        Patience::Endless => Ok(self.write($writes)),
                        Patience::Try => self.try_write($writes).ok_or(Refused::TimedOut),
                        _ => self.write_until($writes, deadline(patience)),
                    },
                }
            }

            unsafe fn give_back(&self, mode: Mode, raised: Raised) {
                match mode {
                    $(Mode::Read(class) if class == $reads::CLASS => {
                        // SAFETY: the caller's promise.
                        unsafe { self.read_unlock($reads, raised) }
                    })*
                    Mode::Read(_) => unreachable!("it was not taken"),
                    // SAFETY: the caller's promise.
                    Mode::Write => unsafe { self.write_unlock($writes, raised) },
                }
            }

            fn assert_rests_at(&self, uc: u64) {
                monitor::rests_at(self.words(), uc);
            }

            fn show(&self) {
                monitor::watches(self.places());
            }
        }
    };
}

subject!(
    /// Threads read: nothing is ever raised, and all waits are slept through.
    Threads = Thread, Thread, [Thread]
);
subject!(
    /// Threads and handlers read.
    Two = Thread, (Thread, Irq), [Thread, Irq]
);
subject!(
    /// All four classes read.
    Four = Thread, (Thread, NonPreemptible, SoftIrq, Irq), [Thread, NonPreemptible, SoftIrq, Irq]
);
subject!(
    /// Handlers alone read: one stage.
    IrqAlone = Thread, Irq, [Irq]
);
subject!(
    /// Handlers write.
    HighWriter = SoftIrq, (SoftIrq, Irq), [SoftIrq, Irq]
);
